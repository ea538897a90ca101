package text_test

import (
	"testing"

	"github.com/pigate/pigate/internal/text"
)

func TestImitation(t *testing.T) {
	for in, want := range map[string]string{
		"shell:g\u0456t log *": "shell:git log *", "\uff52\uff4d -rf": "rm -rf", "\u0440\u0435\u0440": "pep", "k\u00fcbectl \U0001d550x": "k\u00fcbectl Yx",
		"shell:git log": "", "caf\u00e9": "", "\u0442\u0435\u0441\u0442": "", "\u65e5\u672c": "", "\u0441": "", "a \u0441": "",
	} {
		found, ok := text.Imitation(in)
		if ok != (want != "") || ok && text.Imitations(in) != want {
			t.Errorf("%q: %v %v, in ASCII %q, want %q", in, found, ok, text.Imitations(in), want)
		}
	}
}
