package shell_test

import (
	"testing"
)

func TestGuardedMedia(t *testing.T) {
	checkGuards(t, []guardCase{
		{"vim *", "vim -c ':!touch PWNED'", "-c"},
		{"vim *", "vim '+!touch PWNED' a", "+"},
		{"vim *", "vim -es -S evil.vim", "-es, -S"},
		{"emacs *", "emacs --batch --eval '(x)'", "-eval"},
		{"nano *", "nano -s ./evil a", "-s"},
		{"dot *", "dot -Tpng -O a", "-O"},
		{"vim *", "vim +10 a", ""},
	})
}
