package shell_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell"
)

// TestReaderKnows: what one catalogue tells of a program is not remembered when
// another is asked, and none is the catalogue of this binary.
func TestReaderKnows(t *testing.T) {
	taught, err := catalog.New([]catalog.File{{Name: "mine", Text: `[git]
style = "gnu"
[git.guard]
"--shiny" = { exec = "runs what it shines on" }
`}})
	if err != nil {
		t.Fatal(err)
	}
	const command = "git --shiny --upload-pack=x"
	for range 2 {
		for _, c := range []struct {
			reader shell.Reader
			want   bool
		}{{shell.Reader{Known: taught}, true}, {shell.Reader{}, false}} {
			found := false
			for _, h := range c.reader.Bash(command).Units[0].Hazards {
				found = found || h.Flag == "--shiny"
			}
			if found != c.want {
				t.Errorf("%q is guarded: %v, want %v", command, found, c.want)
			}
		}
	}
}
