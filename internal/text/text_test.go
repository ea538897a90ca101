package text_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/text"
)

func TestVisible(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain text ~", "plain text ~"},
		{"ä 世 é", "ä 世 é"},
		{"\x1b[31mred", `\u{1b}[31mred`},
		{"a\nb\tc\r", `a\nb\tc\r`},
		{"\u202egnp.exe", `\u{202e}gnp.exe`},
		{"a\u200bb\ufeff", `a\u{200b}b\u{feff}`},
		{"a\u00a0b", `a\u{a0}b`},
		{"\xff", `\x{ff}`},
		{"\u009b31m", `\u{9b}31m`},
		{"a\u3164b", `a\u{3164}b`},
		{"\U000e0041", `\u{e0041}`},
	}
	for _, tt := range tests {
		if got := text.Visible(tt.in); got != tt.want {
			t.Errorf("text.Visible(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := text.VisibleLines("a\n\tb\x07"); got != "a\n    b\\u{7}" {
		t.Errorf("VisibleLines = %q", got)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日本語", 2, "日…"}, {"abcd", 0, "abcd"}, {"", 1, ""},
	} {
		if got := text.Cut(c.in, c.n); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

// Lines are no wider than asked for, and no text gets lost between them.
func TestWidths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("ab  é日\n…"))).Draw(t, "text")
		width := rapid.IntRange(2, 20).Draw(t, "width")
		lines := text.Wrap(s, width)
		for _, line := range lines {
			if text.Columns(line) > width {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
		flat := strings.NewReplacer("\n", "")
		if got, want := strings.Join(lines, ""), flat.Replace(s); got != want {
			t.Fatalf("%q became %q", want, lines)
		}
		line := flat.Replace(s)
		clipped := text.Clip(line, width)
		if text.Columns(clipped) > width || clipped != line && !strings.HasPrefix(line, strings.TrimSuffix(clipped, "…")) {
			t.Fatalf("%q, clipped to %d, is %q", line, width, clipped)
		}
	})
}
