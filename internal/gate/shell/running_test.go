package shell_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

// TestValuesOfOptions: an expansion within the value of a wrapper's option does
// not hide the command.
func TestValuesOfOptions(t *testing.T) {
	for _, command := range []string{"docker run --rm -v $(pwd):/app img go test ./...", "docker run -v $PWD:/app img go vet", "docker run -u $(id -u):$(id -g) -p $PORT:80 img ls", "docker run -e A=$A -w /x/$D img ls", "xargs -P $(nproc) -n 4 ls", "docker run -v \"$X\" img ls", "docker run --volume=$PWD:/app img ls", "docker run --volume $PWD:/app img ls", "nice -n $(nproc) ls"} {
		a := shell.Bash(command)
		if anyOpaque(a) || a.Unparsed != "" {
			t.Errorf("%q is opaque: %+v", command, a.Units)
		}
	}
	for _, command := range []string{"docker run -v $X img ls", "sudo -u $X ls", "X='a:b img rm'; docker run -v $X:/app img ls", "docker run $X:/app ls", "timeout -k $X 5 ls", "timeout $N ls", "xargs $O a"} {
		if a := shell.Bash(command); !anyOpaque(a) {
			t.Errorf("%q is not opaque: %+v", command, a.Units)
		}
	}
}
