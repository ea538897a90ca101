package risk

import (
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// literalArgs makes literal arguments of the program's words.
func literalArgs(words ...string) []argv.Arg {
	args := make([]argv.Arg, len(words))
	at := 4
	for i, w := range words {
		args[i] = argv.Arg{Text: w, Literal: !strings.Contains(w, "\x00"), Start: at, End: at + len(w)}
		at += len(w) + 1
	}
	return args
}

// unlikely are values of which at least one is harmless for no option.
var unlikely = []string{"PATH", "filter=x", "org.openssl.engine:x", "../PWNED", "./PWNED", "PWNED", "/PWNED", "linker=x", "x=plugin", "exec.x=y", "%output{x}", "@x", "host", "http.server",
	"load", "execute(x)", "-extld x", "_compiler=/x", "x!!", "command.plugins=x", "output=x", "Set x", "never", "agent=x", "jvmargs=x", "x.dll", "event=x",
	"codegen-backend=x", "script", "-MD", "device=/x", "https://x", "error::x.Y", "pycache_prefix=../x", "lua_script:x", "|x", "bx", ""}

// spell writes a table's name of an option as a program would be given it, with
// a value if it takes one.
func spell(name, value string) []string {
	switch {
	case name == "":
		return nil
	case strings.HasSuffix(name, "*"):
		return []string{strings.TrimSuffix(name, "*") + value}
	case name[0] != '-':
		return []string{name + value}
	case strings.HasSuffix(name, "="):
		return []string{strings.TrimSuffix(name, "="), value}
	case strings.HasSuffix(name, "?") && len(name) == 3:
		return []string{strings.TrimSuffix(name, "?") + value}
	case strings.HasSuffix(name, "?"):
		return []string{strings.TrimSuffix(name, "?") + "=" + value}
	}
	return []string{name}
}

// eachEntry calls f with every guarded spelling of every program: the words of
// its subcommand, the entry and the spelling, "" for the subcommand itself.
func eachEntry(f func(program string, sub []string, g *catalog.Guard, name string)) {
	var each func(program string, c *catalog.Command)
	each = func(program string, c *catalog.Command) {
		if c.Guard != nil {
			f(program, c.Path[1:], c.Guard, "")
		}
		for _, o := range c.Options {
			for _, name := range o.Names {
				if o.Guard != nil {
					f(program, c.Path[1:], o.Guard, name+map[catalog.Value]string{catalog.AnyValue: "=", catalog.Attached: "?", catalog.Rest: "*"}[o.Value])
				}
			}
		}
		for _, sub := range c.Subs {
			each(program, sub)
		}
	}
	for _, p := range catalog.Default().Programs() {
		for _, name := range p.Names {
			each(name, &p.Command)
		}
	}
}

// valuesFor are values of which one makes an entry fire: what it is said to hold or
// to begin with among them.
func valuesFor(g *catalog.Guard) []string {
	list := slices.Clone(unlikely)
	for _, text := range append(slices.Clone(g.Holds), g.Begins...) {
		list = append(list, strings.ReplaceAll(text, "\x00", "x"), strings.ReplaceAll(text, "\x00", "x")+"x")
	}
	return list
}

func TestEveryEntryFiresAndIsNamedByARuleThatSpellsIt(t *testing.T) {
	eachEntry(func(program string, sub []string, g *catalog.Guard, name string) {
		for _, value := range valuesFor(g) {
			words := append(append([]string{}, sub...), spell(name, value)...)
			for _, h := range Find(catalog.Default(), program, literalArgs(words...)) {
				if h.opt == nil || h.opt.Guard != g {
					continue
				}
				for _, rule := range []string{
					strings.Join(append([]string{program}, append(sub, spell(name, "*")...)...), " "),
					strings.Join(append([]string{program, "*"}, append(sub, spell(name, "*")...)...), " ") + " *",
				} {
					if !h.NamedBy(rule) {
						t.Errorf("%s %q: not named by `%s`", program, words, rule)
					}
				}
				if h.NamedBy(program+" *") || h.NamedBy("*") {
					t.Errorf("%s %q: named by `%s *`", program, words, program)
				}
				if h.Why == "" || h.Kind == "" || h.Flag == "" {
					t.Errorf("%s %q: incomplete: %+v", program, words, h)
				}
				return
			}
		}
		if name != "" || Find(catalog.Default(), program, literalArgs(sub...)) == nil {
			t.Errorf("%s %v %q: the entry never fires", program, sub, name)
		}
	})
}

func TestOptionsAreReadAsProgramsReadThem(t *testing.T) {
	for _, c := range []struct {
		program string
		words   []string
		want    string
	}{
		{"sort", []string{"-o", "f"}, "-o"},
		{"sort", []string{"-of"}, "-o"},
		{"sort", []string{"-uo", "f"}, "-o"},
		{"sort", []string{"a", "-o", "f"}, "-o"},
		{"sort", []string{"--output=f"}, "--output"},
		{"sort", []string{"--output", "f"}, "--output"},
		{"sort", []string{"--o=f"}, "--output"},
		{"sort", []string{"-o"}, "-o"},
		{"sort", []string{"-o", "-"}, ""},
		{"sort", []string{"-o", "/dev/null"}, ""},
		{"sort", []string{"-o/dev/null"}, ""},
		{"sort", []string{"-to", "a"}, ""},
		{"sort", []string{"-t", "o", "-ko"}, ""},
		{"sort", []string{"--", "-o", "f"}, ""},
		{"sort", []string{"--", "--output=f"}, ""},
		{"sort", []string{"-"}, ""},
		{"sort", []string{"--key", "-o", "f"}, "-o"}, // a value that spells a guarded option is read as one
		{"rg", []string{"--pre-glob", "x"}, ""},
		{"rg", []string{"--pre=x"}, "--pre"},
		{"rg", []string{"--pr=x"}, ""}, // rg takes no abbreviations
		{"sed", []string{"-n", "-i.bak", "p"}, "-i"},
		{"sed", []string{"-ni", "p"}, "-i"},
		{"sed", []string{"-in", "p"}, "-i"},
		{"find", []string{".", "-delete"}, "-delete"},
		{"find", []string{".", "-name", "x", "-fprint", "/dev/stderr"}, ""},
		{"go", []string{"test", "--exec=x"}, "-exec"},
		{"go", []string{"test", "-exec", "x"}, "-exec"},
		{"go", []string{"test", ".", "-args", "-exec", "x"}, ""},
		{"gcc", []string{"-o../x"}, "-o"},
		{"gcc", []string{"-ox"}, ""},
		{"tar", []string{"cfI", "a", "./x"}, "-I"},
		{"tar", []string{"tf", "a", "I"}, ""},
		{"tar", []string{"tIf", "./x", "a"}, "-I"},
		{"git", []string{"-C", "diff", "log", "--output=x"}, "--output"},
		{"git", []string{"--no-pager", "diff", "--output=x"}, "--output"},
		{"git", []string{"\x00", "diff", "--output=x"}, "--output"},
		{"git", []string{"show", "diff", "--", "--output=x"}, ""},
		{"kubectl", []string{"-n", "delete", "get", "pods"}, ""},
		{"kubectl", []string{"get", "pods", "--kubeconfig=x"}, "--kubeconfig"},
		{"cargo", []string{"+nightly", "run"}, "run"},
		{"npm", []string{"conf", "set", "a", "b"}, "conf set"},
		{"golangci-lint", []string{"run", "--fix=false"}, ""},
		{"java", []string{"-javaagent:x.jar"}, "-javaagent:"},
		{"dd", []string{"if=a", "of=b"}, "of="},
		{"python3.12", []string{"-c", "x"}, "-c"},
		{"gcc-13", []string{"-B", "x"}, "-B"},
		{"python3", []string{"x.py", "-c", "y"}, ""},
		{"nosuchprogram", []string{"-o", "f"}, ""},
		{"git", nil, ""},
	} {
		var flags []string
		for _, h := range Find(catalog.Default(), c.program, literalArgs(c.words...)) {
			flags = append(flags, h.Flag)
		}
		if got := strings.Join(flags, " "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.program, c.words, got, c.want)
		}
	}
}

func TestWordsThatAreNotLiteral(t *testing.T) {
	for _, c := range []struct {
		program string
		words   []string
		want    string
	}{
		{"grep", []string{"\x00", "f"}, ""},
		{"sort", []string{"\x00", "f"}, ""},
		{"sort", []string{"-k\x00", "f"}, ""},
		{"sort", []string{"-o\x00"}, "-o"},
		{"sort", []string{"--ou\x00=f"}, "--output"},
		{"sort", []string{"--output=\x00"}, "--output"},
		{"sort", []string{"--key=\x00"}, ""},
		{"sort", []string{"--\x00"}, "--…"},
		{"sort", []string{"-\x00"}, "-…"},
		{"find", []string{".", "-\x00elete"}, "-delete"},
		{"find", []string{"\x00", "-mtime", "-\x00"}, ""},
		{"sed", []string{"-n", "\x00,\x00p"}, ""},
		{"sed", []string{"\x00"}, "script"},
		{"awk", []string{"\x00"}, "program"},
		{"nl", []string{"-\x00"}, ""},
	} {
		var flags []string
		for _, h := range Find(catalog.Default(), c.program, literalArgs(c.words...)) {
			flags = append(flags, h.Flag)
		}
		if got := strings.Join(flags, " "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.program, c.words, got, c.want)
		}
	}
}

func TestNoEntryCostsNoAllocation(t *testing.T) {
	args := literalArgs("-rn", "pattern", ".")
	Find(catalog.Default(), "git", args)
	if n := testing.AllocsPerRun(100, func() { Find(catalog.Default(), "ls", args) }); n != 0 {
		t.Errorf("%v allocations for a program without an entry", n)
	}
}
