package policy_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

func knowing(tb testing.TB, own, project string) *catalog.Layers {
	tb.Helper()
	var files [2][]catalog.File
	for i, text := range []string{own, project} {
		if text != "" {
			files[i] = []catalog.File{{Name: [...]string{"own.toml", "project.toml"}[i], Text: text}}
		}
	}
	l, problems := catalog.NewLayers(files[0], files[1])
	for _, p := range problems {
		tb.Fatal(p)
	}
	return l
}

// taught makes a policy of rules that are prefixed "+" or "-".
func taught(tb testing.TB, programs *catalog.Layers, broken string, rules ...string) *policy.Policy {
	tb.Helper()
	var parsed []rule.Rule
	for _, text := range rules {
		r, err := rule.Parse(text[1:])
		if err != nil {
			tb.Fatal(err)
		}
		if r.Effect = rule.Allow; text[0] == '-' {
			r.Effect = rule.Deny
		}
		parsed = append(parsed, r)
	}
	s := policy.DefaultSettings()
	s.Programs, s.Broken = programs, broken
	return policy.New(s, parsed)
}

func command(text string) policy.Request {
	input, _ := json.Marshal(map[string]string{"command": text})
	return policy.Request{Tool: "bash", Input: input, Cwd: "/home/u/proj", Root: "/home/u/proj", HasUI: true, OS: "linux", Home: "/home/u"}
}

const zapctl = `[zapctl]
depth = 1
options = "-p,--project="
[zapctl.guard]
deploy = { net = "deploys" }
["zapctl exec"]
runs = { operands = 1 }
["zapctl drop,remove"]
`

func TestTaught(t *testing.T) {
	rules := []string{"+shell:zapctl *", "+shell:git *", "+shell:make lint", "-shell:zapctl drop *"}
	for _, c := range []struct {
		name, own, project, broken string
		command                    string
		want                       policy.Effect
		cause                      policy.Cause
	}{
		{"not known", "", "", "", "zapctl deploy", policy.Allow, policy.CauseRule},
		{"guarded", zapctl, "", "", "zapctl -p web deploy", policy.Ask, policy.CauseGuardedFlag},
		{"guarded by the project", "", zapctl, "", "zapctl -p web deploy", policy.Ask, policy.CauseGuardedFlag},
		{"denied", zapctl, "", "", "zapctl -p web drop x", policy.Deny, policy.CauseRule},
		{"denied by another name", zapctl, "", "", "zapctl -p web remove x", policy.Deny, policy.CauseRule},
		{"denied by the project's knowledge", "", zapctl, "", "zapctl -p web remove x", policy.Deny, policy.CauseRule},
		{"denied inside", zapctl, "", "", "zapctl exec a zapctl -p web drop x", policy.Deny, policy.CauseRule},
		{"what it runs needs a rule", zapctl, "", "", "zapctl exec a rm x", policy.Ask, policy.CauseNoRule},
		{"a project makes no wrapper transparent", "", "[loose]\nruns = { transparent = true }\n", "", "loose git status", policy.Ask, policy.CauseNoRule},
		{"the person does", "[loose]\nruns = { transparent = true }\n", "", "", "loose git status", policy.Allow, policy.CauseRule},
		{"a project hides no subcommand", zapctl, "[zapctl]\noptions = \"--eats=\"\n", "", "zapctl --eats drop x", policy.Deny, policy.CauseRule},
		{"a known program gets stricter", "[\"git status\".guard]\n\"--zap\" = { exec = \"runs\" }\n", "", "", "git status --zap", policy.Ask, policy.CauseGuardedFlag},
		{"and stays as strict", "[\"git push\"]\ncheck = \"none\"\n[git]\nhelp = \"-f --force\"\n", "", "", "git push --force", policy.Ask, policy.CauseGuardedFlag},
		{"a broken file: a wildcard is not enough", "", "", "a file is broken", "git status", policy.Ask, policy.CauseBrokenFile},
		{"a broken file: a rule that spells it out is", "", "", "a file is broken", "make lint", policy.Allow, policy.CauseRule},
		{"a broken file: deny rules stay", "", "", "a file is broken", "zapctl drop x", policy.Deny, policy.CauseRule},
		{"a broken file: what is transparent asks too", "", "", "a file is broken", "timeout 5 make lint", policy.Ask, policy.CauseBrokenFile},
	} {
		p := taught(t, knowing(t, c.own, c.project), c.broken, rules...)
		for _, call := range []*policy.Call{p.Derive(command(c.command)), policy.Derive(command(c.command))} {
			v := policy.Evaluate(p, call, nil)
			if v.Effect != c.want || !slices.ContainsFunc(v.Reasons, func(r policy.Reason) bool { return r.Cause == c.cause }) {
				t.Errorf("%s: %s gives %+v", c.name, c.command, v)
			}
		}
	}
	whole := taught(t, nil, "a file is broken", "+bash")
	if v := policy.Evaluate(whole, policy.Derive(command("ls")), nil); v.Effect != policy.Ask || v.Reasons[0].Cause != policy.CauseBrokenFile {
		t.Errorf("a rule for the whole tool: %+v", v)
	}
}

// TestProgramsDigest: the record of a policy says what files about programs were in
// force, and is as it was where there were none.
func TestProgramsDigest(t *testing.T) {
	plain, with := taught(t, nil, "", "+shell:ls"), taught(t, knowing(t, zapctl, ""), "", "+shell:ls")
	if strings.Contains(string(plain.Canonical()), "rograms") || plain.Programs() != "" {
		t.Errorf("without files: %s", plain.Canonical())
	}
	if with.Digest() == plain.Digest() || with.Programs() != knowing(t, zapctl, "").Digest() {
		t.Errorf("with files: %s", with.Canonical())
	}
	broken := taught(t, nil, "a file is broken", "+shell:l*")
	for _, p := range []*policy.Policy{plain, with, broken} {
		again, err := policy.Parse(p.Canonical())
		if err != nil || again.Digest() != p.Digest() || again.Programs() != p.Programs() {
			t.Fatalf("%s is read back as %v, %v", p.Canonical(), again, err)
		}
	}
	again, _ := policy.Parse(broken.Canonical())
	if v := policy.Evaluate(again, policy.Derive(command("ls")), nil); v.Effect != policy.Ask {
		t.Errorf("what was broken then: %+v", v)
	}
	again, _ = policy.Parse(with.Canonical())
	if now := again.Knowing(plain); now.Programs() != "" || now.Digest() != plain.Digest() {
		t.Errorf("knowing nothing more: %s", now.Canonical())
	}
	if now := again.Knowing(with); now.Digest() != with.Digest() || now.Settings.Programs != with.Settings.Programs {
		t.Errorf("knowing the same: %s", now.Canonical())
	}
}

// lines are pieces of files about programs, of which the most would loosen.
var lines = rapid.SampledFrom([]string{
	"[git]\noptions = \"-C -c --zap=\"\ndepth = 2\n", "[\"git push\"]\nstyle = \"words\"\n", "[git.guard]\n\"push\" = { net = \"sends\" }\n",
	"[git]\nhelp = \"--force -f\"\ninherit = true\n", "[sudo]\nruns = { only-options = true }\n", "[sudo]\nruns = { transparent = true }\n",
	"[make]\nlike = \"git\"\n", "[rm]\nruns = { transparent = true }\n", "[rm]\noptions = \"--zap= -z=\"\n", "[rm]\nnames = \"zapctl\"\n",
	"[zapctl]\nlike = \"sudo\"\n", "[zapctl]\nruns = { transparent = true }\n", "[zapctl]\noptions = \"-p=\"\ndepth = 1\n",
	"[zapctl]\ndepth = 1\n[zapctl.guard]\n\"drop\" = { state = \"drops\" }\n\"-p=\" = { exec = \"runs\" }\n", "[xargs]\nruns = { only-options = true }\n",
	"[env]\nruns = { after = \"--zap\" }\n", "[find]\ncheck = \"none\"\nruns = { only-options = true }\n", "[find]\noptions = \"-zap=\"\n",
	"[sort]\noptions = \"-z=\"\n", "[bash]\nruns = { only-options = true }\ncheck = \"none\"\n", "[\"git push,rm\"]\n", "[\"git remote\"]\nsame-as = \"push\"\n",
	"[git]\nnames = \"make\"\n", "[git]\noptions-first = true\n", "[git]\nend-at = \"-c\"\n", "[a.variables]\nA = \"runs\"\n",
})

var words = rapid.SampledFrom([]string{"git", "push", "--force", "-f", "-c", "x=y", "status", "sudo", "rm", "-rf", "x", "zapctl", "-p", "drop", "xargs", "env",
	"A=1", "find", ".", "-delete", "-zap", "--zap", "-z", "sort", "-o", "f", "bash", "'rm x'", "make", "--", "-exec", "{}", "\\;", "remote", "&&", "|", "$X"})

// schemes are files with which a project could let a command pass, if they counted
// alone.
var schemes = rapid.SampledFrom([]struct{ file, command, allow, deny string }{
	{"[sudo]\nruns = { only-options = true }\n", "sudo rm x", "+shell:sudo *", "-shell:rm *"},
	{"[sudo]\nruns = { transparent = true }\n", "sudo git push", "+shell:git *", "-shell:x *"},
	{"[zapctl]\nruns = { transparent = true }\n", "zapctl git push", "+shell:git *", "-shell:x *"},
	{"[zapctl]\noptions = \"-p=\"\ndepth = 1\n", "zapctl -p drop x", "+shell:zapctl *", "-shell:zapctl drop *"},
	{"[git]\noptions = \"--zap=\"\n", "git --zap push", "+shell:git *", "-shell:git push *"},
	{"[find]\noptions = \"-zap=\"\n", "find . -zap -delete", "+shell:find *", "-shell:find * -delete *"},
	{"[xargs]\nruns = { only-options = true }\n", "xargs rm", "+shell:xargs *", "-shell:rm *"},
	{"[bash]\nruns = { only-options = true }\ncheck = \"none\"\n", "bash -c 'rm x'", "+shell:bash *", "-shell:rm *"},
	{"[env]\nruns = { after = \"--zap\" }\n", "env --zap git push", "+shell:env *", "-shell:git push *"},
	{"[sort]\noptions = \"-z=\"\n", "sort -z -o f", "+shell:sort *", "-shell:x *"},
	{"[\"git push\"]\ncheck = \"none\"\n", "git push origin +main", "+shell:git *", "-shell:x *"},
})

var ruleTexts = rapid.SampledFrom([]string{"+shell:git *", "+shell:*", "+shell:zapctl *", "+shell:sudo *", "+shell:rm x", "+shell:make *", "+bash", "+shell:xargs *",
	"+shell:env *", "+shell:find *", "+shell:sort *", "-shell:git push *", "-shell:rm *", "-shell:zapctl drop *", "-shell:git push --force *", "-shell:find * -delete *"})

// drawn is a random layer of files, those that cannot stand together left out.
func drawn(t *rapid.T, label string) []catalog.File {
	var files []catalog.File
	for i, text := range rapid.SliceOfN(lines, 0, 2).Draw(t, label) {
		files = append(files, catalog.File{Name: label + string(rune('a'+i)), Text: text})
	}
	return files
}

// TestProjectNeverLoosens: whatever a project's files say, no verdict is weaker
// than without them, and whatever the person's files say of known programs, none
// that is about these is.
func TestProjectNeverLoosens(t *testing.T) { rapid.Check(t, projectNeverLoosens) }

// FuzzProjectNeverLoosens looks for a counter-example by coverage.
func FuzzProjectNeverLoosens(f *testing.F) { f.Fuzz(rapid.MakeFuzz(projectNeverLoosens)) }

func projectNeverLoosens(t *rapid.T) {
	scheme := schemes.Draw(t, "scheme")
	own, project := drawn(t, "own"), append(drawn(t, "project"), catalog.File{Name: "scheme", Text: scheme.file})
	without, _ := catalog.NewLayers(own, nil)
	with, _ := catalog.NewLayers(own, project)
	if len(with.Steps()) == len(without.Steps()) {
		return // nothing of the project's counts
	}
	texts := append(rapid.SliceOfN(ruleTexts, 0, 2).Draw(t, "rules"), scheme.allow, scheme.deny)
	list := strings.Fields(scheme.command)
	at := rapid.IntRange(0, len(list)).Draw(t, "at")
	text := strings.Join(slices.Insert(list, at, rapid.SliceOfN(words, 0, 3).Draw(t, "words")...), " ")
	var rules []rule.Rule
	for _, line := range texts {
		r, err := rule.Parse(line[1:])
		if err != nil {
			t.Fatal(err)
		}
		if r.Effect = rule.Allow; line[0] == '-' {
			r.Effect = rule.Deny
		}
		rules = append(rules, r)
	}
	effect := func(l *catalog.Layers) policy.Effect {
		s := policy.DefaultSettings()
		s.Programs = l
		p := policy.New(s, slices.Clone(rules))
		return policy.Evaluate(p, p.Derive(command(text)), nil).Effect
	}
	before, after := effect(without), effect(with)
	if strictness[after] < strictness[before] {
		t.Fatalf("%q: %s became %s", text, before, after)
	}
	names := []string{"zapctl"} // what the person's files bring anew may pass
	if !slices.ContainsFunc(names, func(n string) bool { return strings.Contains(text, n) }) {
		if embedded := effect(nil); strictness[before] < strictness[embedded] {
			t.Fatalf("%q: %s became %s by the person's files", text, embedded, before)
		}
	}
}
