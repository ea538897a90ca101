package risk

import (
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// FuzzHazards reads any words by any table: nothing may panic, spans lie within
// the words, and a rule that is the whole command never names less than one
// whose every flag is a wildcard.
func FuzzHazards(f *testing.F) {
	eachEntry(func(program string, sub []string, _ *catalog.Guard, name string) {
		f.Add(program, strings.Join(append(append([]string{}, sub...), spell(name, "x")...), "\n"))
	})
	for _, c := range []struct{ program, words string }{
		{"sed", "s/a/b/w x"}, {"sed", "-n\n/[/]/w x\np"}, {"sed", "a\\\nw x"}, {"sed", "{{{{s,\\"},
		{"awk", "{print > \"x\"}"}, {"awk", "BEGIN{system(\"x\")}"}, {"awk", "/[]/]/ { \"a\" | getline }"}, {"awk", "((((/"},
		{"sqlite3", "db\n.shell x"}, {"psql", "-c\n\\! x"}, {"mysql", "-e\nsystem x"}, {"tar", "xvfI"}, {"socat", "-\nEXEC:x"},
	} {
		f.Add(c.program, c.words)
	}
	f.Fuzz(func(t *testing.T, program, text string) {
		args := literalArgs(strings.Split(text, "\n")...)
		found := Find(catalog.Default(), program, args)
		if len(found) == 0 {
			return
		}
		first, last := args[0].Start, args[len(args)-1].End
		for _, h := range found {
			if h.Start < first || h.End > last || h.Start > h.End {
				t.Fatalf("%s %q: span %d:%d outside %d:%d", program, text, h.Start, h.End, first, last)
			}
			if h.Why == "" || h.Kind == "" {
				t.Fatalf("%s %q: no reason: %+v", program, text, h)
			}
			if h.NamedBy("*") || h.NamedBy(program) {
				t.Fatalf("%s %q: %q named by a rule without words", program, text, h.Flag)
			}
			h.NamedBy(program + " " + text)
		}
	})
}

// FuzzScripts reads any text as a sed script and an awk program; the readers end
// on every one of them.
func FuzzScripts(f *testing.F) {
	for _, s := range []string{"p", "s/a/b/", "/x/d", "$!N", "y/a/b/", "/[/]/p", "1,5p", "\x00q", "{print $1}", "/a|b/", "NR>3", "x = a / b"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, script string) {
		Find(catalog.Default(), "sed", literalArgs("-n", script, "f"))
		Find(catalog.Default(), "sed", literalArgs("-e", script, "f"))
		Find(catalog.Default(), "awk", literalArgs(script, "f"))
		Find(catalog.Default(), "gawk", literalArgs("-e", script))
	})
}

func BenchmarkHazards(b *testing.B) {
	for _, c := range []struct {
		name, program string
		words         []string
	}{
		{"none", "ls", []string{"-la", "src"}},
		{"git", "git", []string{"-C", "x", "log", "--oneline", "-n", "5"}},
		{"sed", "sed", []string{"-n", "1,5p;/a/,/b/{s/x/y/g;p}", "f"}},
		{"awk", "awk", []string{"NR>1 && $3 ~ /x|y/ {print $1, $2}", "f"}},
	} {
		args := literalArgs(c.words...)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Find(catalog.Default(), c.program, args)
			}
		})
	}
}
