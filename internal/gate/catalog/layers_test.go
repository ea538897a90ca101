package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

func file(name, text string) []catalog.File { return []catalog.File{{Name: name, Text: text}} }

// layers are those of one file of the person and one of a project, "" for none.
func layers(t *testing.T, user, project string) *catalog.Layers {
	t.Helper()
	var own, theirs []catalog.File
	if user != "" {
		own = file("own.toml", user)
	}
	if project != "" {
		theirs = file("project.toml", project)
	}
	l, problems := catalog.NewLayers(own, theirs)
	for _, p := range problems {
		t.Error(p)
	}
	return l
}

func TestNoFiles(t *testing.T) {
	l := layers(t, "", "")
	if steps := l.Steps(); len(steps) != 1 || steps[0] != catalog.Default() || l.Own() != catalog.Default() || l.Digest() != "" {
		t.Errorf("without files there are %d catalogues, and the digest is %q", len(steps), l.Digest())
	}
}

// TestOwnProgram: a program of the person's is known beside the others.
func TestOwnProgram(t *testing.T) {
	l := layers(t, "[zapctl]\nnames = \"zap\"\ndepth = 1\noptions = \"-t,--token=secret -v\"\n[zapctl.guard]\n\"up,deploy\" = { net = \"deploys\" }\n[x.variables]\nZAP_HOOK = \"runs a program\"\n", "")
	if len(l.Steps()) != 1 {
		t.Fatalf("%d catalogues for a program that is new", len(l.Steps()))
	}
	c := l.Own()
	p := c.Lookup("zap")
	if p == nil || p != c.Exact("zapctl") || p.Subs["deploy"].Guard == nil || len(p.Secrets) != 1 {
		t.Fatalf("zap is %+v", p)
	}
	if where := p.Subs["up"].Guard.Place(); where.File != "own.toml" || where.Line != 6 {
		t.Errorf("the guard of up stands at %v", where)
	}
	if c.Lookup("git").Place().File != "git" {
		t.Errorf("git is told in %v", c.Lookup("git").Place())
	}
	if why, ok := c.Variable("ZAP_HOOK"); !ok || why != "runs a program" {
		t.Errorf("ZAP_HOOK: %q", why)
	}
	if _, ok := c.Variable("LD_PRELOAD"); !ok {
		t.Error("a variable of the catalogue below is forgotten")
	}
	if catalog.Default().Lookup("zapctl") != nil {
		t.Error("the embedded catalogue has changed")
	}
}

// TestTightens: of a known program the files add to what is known, and the
// catalogue without them judges too.
func TestTightens(t *testing.T) {
	l := layers(t, "[\"git push\".guard]\n\"--zap=\" = { exec = \"runs a program\" }\n\"--quiet\" = { state = \"hides what it does\" }\n[docker.guard]\nzap = { net = \"deploys\" }\n",
		"[git]\nnames = \"gt\"\n[\"git fetch\".guard]\n\"--quiet\" = { state = \"hides what it does\" }\n")
	if len(l.Steps()) != 3 {
		t.Fatalf("%d catalogues", len(l.Steps()))
	}
	quiet := func(c *catalog.Catalog, sub string) bool {
		s := c.Lookup("git").Subs[sub]
		o := s.Option("--quiet")
		return o != nil && o.Guard != nil
	}
	for i, want := range []struct{ push, fetch bool }{{false, false}, {true, false}, {true, true}} {
		c := l.Steps()[i]
		if quiet(c, "push") != want.push || quiet(c, "fetch") != want.fetch {
			t.Errorf("catalogue %d guards --quiet of push %v, of fetch %v", i, quiet(c, "push"), quiet(c, "fetch"))
		}
		if force := c.Lookup("git").Subs["push"].Option("--force"); force == nil || force.Guard == nil || force.Place().File != "git" {
			t.Errorf("catalogue %d: --force is %+v", i, force)
		}
		if p := c.Lookup("podman"); (p.Subs["zap"] != nil) != want.push {
			t.Errorf("catalogue %d: podman, which is like docker, has %+v", i, p.Subs["zap"])
		}
	}
	if l.Full().Lookup("gt") != l.Full().Lookup("git") || l.Own().Lookup("gt") != nil {
		t.Error("another name of git is not known")
	}
	both := layers(t, "[zapctl]\n[\"git push\".guard]\n\"--zap=\" = { exec = \"runs\" }\n", "").Own()
	if own, git := both.Places("zapctl"), both.Places("git"); len(own) != 1 || len(git) != 2 || git[1] != (catalog.Place{File: "own.toml", Line: 2}) {
		t.Errorf("zapctl is told in %v, git in %v", own, git)
	}
	if l.Digest() == "" || l.Digest() == layers(t, "[a]\n", "").Digest() {
		t.Error("the digest does not tell the files apart")
	}
}

// TestVersions: a name with a version is the program that it is a version of.
func TestVersions(t *testing.T) {
	l := layers(t, "[\"python3.99\".guard]\n\"-q\" = { state = \"is quiet\" }\n", "")
	p := l.Own().Lookup("python3.99")
	if len(l.Steps()) != 2 || p.Option("-c") == nil || p.Option("-q").Guard == nil || l.Own().Lookup("python3") == p {
		t.Errorf("%d catalogues, and python3.99 is %+v", len(l.Steps()), p)
	}
}

// TestProblems: what is wrong is said with its file, line and program, and the
// other files count.
func TestProblems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[zapctl]\nx = 1\n", `bad.toml:2: zapctl: unknown field "x"`},
		{"[zapctl\n", `bad.toml:1: `},
		{"a = 1\n[zapctl]\n", `bad.toml:1: a key stands before the first heading`},
		{"[\"gti push\".guard]\n\"-f\" = { state = \"forces\" }\n", `bad.toml:1: gti push: the program's own heading must come first: nothing else is known of gti`},
		{"[ZapCtl]\n", `bad.toml:1: ZapCtl: write the name of a program in small letters`},
		{"[\"/usr/bin/zap\"]\n", `the last part of its path`},
		{"[\"zap.exe\"]\n", `without .exe`},
		{"[zapctl]\nnames = \"git\"\n", `bad.toml:1: zapctl: git is told already, at git:`},
		{"[good]\n", `bad.toml:1: good: good is told already, at a.toml:1`},
		{"[\"git push\"]\noptions = \"--force\"\n", `bad.toml:2: git push: the option --force is guarded already, and only an allow rule that names it lets it pass, at git:`},
		{"[\"git push\".guard]\n\"--force=\" = { state = \"forces\" }\n", `the option --force is told already as "`},
		{"[curl]\noptions = \"-u\"\n", `bad.toml:2: curl: the option -u is told already as "-u=", at network:`},
		{"[rm]\nclass = \"looks\"\n", `bad.toml:2: rm: the class is "destroys" already`},
		{"[git.classes]\nlooks = \"push\"\n", `bad.toml:2: git: "push": the class is "reaches" already`},
		{"[git]\ndepth = 0\n", `bad.toml:2: git: the depth is 1 already`},
		{"[git]\ndraft = \"free\"\n", `bad.toml:2: git: of a program that is known already`},
		{"[a.variables]\nLD_PRELOAD = \"\"\n", `bad.toml:2: a: the variable LD_PRELOAD is guarded already`},
		{"[zapctl]\nlike = \"zapctl\"\n", `round in a circle`},
		{strings.Repeat("[", 1<<20), `too many brackets`},
		{"[zapctl]\noptions = " + strings.Repeat("[", 9000), `bad.toml:2: `},
		{"[\"\"]\n", `bad.toml:1: `},
		{"[zapctl]\n[\"zapctl" + strings.Repeat(" a|b", 60) + "\"]\ncheck = \"sed\"\n", `it says too much`},
		{"[zapctl.guard]\n\"" + strings.Repeat("a|b ", 60) + "\" = { exec = \"runs\" }\n", `more than 256 subcommands`},
	} {
		l, problems := catalog.NewLayers([]catalog.File{{Name: "a.toml", Text: "[good]\n"}, {Name: "bad.toml", Text: c.text}}, nil)
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), c.want) {
			t.Errorf("%.60q: %v, want %s", c.text, problems, c.want)
		}
		if user, _ := l.Files(); len(user) != 1 || l.Own().Lookup("good") == nil {
			t.Errorf("%.60q: the other file does not count", c.text)
		}
	}
}

// TestProjectSecrets: a project cannot keep from the journal what known programs
// are given.
func TestProjectSecrets(t *testing.T) {
	for text, want := range map[string]bool{
		"[zapctl]\noptions = \"--to=secret\"\n":              true,
		"[zapctl]\nsecrets = [{ word = 1 }]\n":               false,
		"[curl]\noptions = \"--to=secret\"\n":                false,
		"[curl]\nsecrets = [{ option = \"--to\" }]\n":        false,
		"[curl.guard]\n\"--data=\" = { net = \"sends\" }\n":  true,
		"[\"git push\"]\noptions = \"--push-option=secret\"": false,
		"[own]\noptions = \"--to=secret\"\n":                 false,
	} {
		l, problems := catalog.NewLayers(file("own.toml", "[own]\n"), file("project.toml", text))
		if (len(problems) == 0) != want {
			t.Errorf("%q: %v", text, problems)
		}
		if want != (len(l.Steps()) == 2) {
			t.Errorf("%q: %d catalogues", text, len(l.Steps()))
		}
	}
}

// FuzzLayers: whatever files say, nothing known is lost: each guarded option and
// each place of secrets is still there, and reading never fails.
func FuzzLayers(f *testing.F) {
	for _, seed := range catalog.Embedded() {
		f.Add(seed.Text[:len(seed.Text)/4], seed.Text)
	}
	f.Add("[git]\nlike = \"docker\"\n[\"git push\".guard]\n\"--zap\" = { exec = \"runs\" }\n", "[zap]\nlike = \"git\"\n")
	f.Add("[docker]\nlike = \"git\"\n", "[docker]\nlike = \"docker\"\n")
	f.Fuzz(func(t *testing.T, user, project string) {
		l, problems := catalog.NewLayers(file("user", user), file("project", project))
		for _, p := range problems {
			if p.File != "user" && p.File != "project" || p.Text == "" {
				t.Errorf("the problem %q names no file", p)
			}
		}
		steps := l.Steps()
		for i, c := range steps[1:] {
			for _, name := range steps[i].Names() {
				if !strings.Contains(user, name) && !strings.Contains(project, name) {
					continue
				}
				p := steps[i].Exact(name)
				now := c.Exact(p.Names[0])
				if missing := lost(&p.Command, &now.Command); missing != "" {
					t.Errorf("%s is lost", missing)
				}
				for _, x := range p.Secrets {
					if !slices.ContainsFunc(now.Secrets, func(y catalog.SecretPlace) bool {
						return fmt.Sprint(x.Options, x.Words, x.Logins) == fmt.Sprint(y.Options, y.Words, y.Logins) || covers(y, x)
					}) {
						t.Errorf("%s: the secrets %+v are lost", p, x)
					}
				}
			}
		}
	})
}

func covers(y, x catalog.SecretPlace) bool {
	for _, o := range append(x.Options, x.Logins...) {
		if !slices.Contains(y.Options, o) && !slices.Contains(y.Logins, o) {
			return false
		}
	}
	return len(x.Words) == 0
}

func lost(old, now *catalog.Command) string {
	for _, o := range old.Options {
		for _, name := range o.Names {
			if o.Guard == nil {
				continue
			}
			if !slices.ContainsFunc(now.Options, func(n *catalog.Option) bool { return slices.Contains(n.Names, name) && n.Guard != nil }) {
				return old.String() + " " + name
			}
		}
	}
	for name, sub := range old.Subs {
		if now.Subs[name] == nil {
			return sub.String()
		}
		if missing := lost(sub, now.Subs[name]); missing != "" {
			return missing
		}
	}
	return ""
}
