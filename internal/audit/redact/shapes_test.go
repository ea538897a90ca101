package redact

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lines reads a file of testdata: one text a line, with ␤ for line ends; lines
// that begin with # are headings.
func lines(t testing.TB, name string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := sc.Text(); line != "" && !strings.HasPrefix(line, "# ") {
			list = append(list, strings.ReplaceAll(line, "␤", "\n"))
		}
	}
	return list
}

// marked splits a text with «secrets» into the text itself, and a list of what
// is secret and what is not by turns.
func marked(line string) (text string, parts []string) {
	for line != "" {
		before, rest, _ := strings.Cut(line, "«")
		secret, after, _ := strings.Cut(rest, "»")
		parts = append(parts, before, secret)
		line = after
	}
	return strings.Join(parts, ""), parts
}

func TestSecretsOfEveryShapeAreMaskedAndNothingElse(t *testing.T) {
	m := New([]byte("a key"))
	for _, line := range lines(t, "secrets.txt") {
		text, parts := marked(line)
		got, _, err := m.Text(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		var want strings.Builder
		for i, part := range parts {
			if i%2 == 0 || part == "" {
				want.WriteString(part)
			} else {
				want.WriteString("[•]")
			}
		}
		if shown := maskForm().ReplaceAllString(got, "[•]"); shown != want.String() {
			t.Errorf("masking\n%s\n got %s\nwant %s", text, got, want.String())
		}
	}
}
