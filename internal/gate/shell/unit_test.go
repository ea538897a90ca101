package shell_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// unitCases are command lines and the texts of their units, each with the way
// it is reached in front if there is one.
var unitCases = []struct {
	name    string
	command string
	want    []string
}{
	{"simple", "git status", []string{"git status"}},
	{"blanks", "git  \t log \\\n  -n1", []string{"git log -n1"}},
	{"quoted blanks", `echo "a  b"  'c  d'`, []string{`echo "a  b" 'c  d'`}},
	{"chains", "a && b || c; d & e", []string{"a", "b", "c", "d", "e"}},
	{"lines", "a\n\nb", []string{"a", "b"}},
	{"pipes", "a | b |& c", []string{"a", "b", "c"}},
	{"comments", "a # b; c\n# d\n", []string{"a"}},
	{"groups", "{ a; }; (b; c)", []string{"a", "b", "c"}},
	{"negated", "! a", []string{"a"}},
	{"timed", "time -p a", []string{"time: a"}},
	{"coproc", "coproc a; coproc N { b; }", []string{"a", "b"}},
	{"if", "if a; then b; elif c; then d; else e; fi", []string{"a", "b", "c", "d", "e"}},
	{"loops", "while a; do b; done; until c; do d; done; for i in 1 2; do e; done; for ((;;)); do f; done", []string{"a", "b", "c", "d", "e", "f"}},
	{"select and case", "select i in x; do a; done; case x in y) b;; *) c;; esac", []string{"a", "b", "c"}},
	{"functions", "f() { a; }; function g { b; }; f", []string{"a", "b", "f"}},
	{"substitutions", "a $(b) `c` \"$(d)\" <(e) >(f)", []string{"a $(b) `c` \"$(d)\" <(e) >(f)", "$(…): b", "$(…): c", "$(…): d", "<(…): e", ">(…): f"}},
	{"deep substitutions", "a ${x:-$(b)} ${y/$(c)/`d`} $((1+$(e))) ${z[g]} ${w:1}",
		[]string{"a ${x:-$(b)} ${y/$(c)/`d`} $((1+$(e))) ${z[g]} ${w:1}", "$(…): b", "$(…): c", "$(…): d", "$(…): e"}},
	{"in lists", "for i in $(a); do b; done; case $(c) in $(d)) ;; esac", []string{"$(…): a", "b", "$(…): c", "$(…): d"}},
	{"assignments", "A=1; B=$(b) c; d=(x $(e)); f[g]=1", []string{"A=1", "B=$(b) c", "$(…): b", "d=(x $(e))", "$(…): e", "f[g]=1"}},
	{"declarations", "export A=$(b); declare -x C=1; local d; readonly e=1; typeset f", []string{"export A=$(b)", "$(…): b", "declare -x C=1", "local d", "readonly e=1", "typeset f"}},
	{"tests", "[[ $(a) == b ]]; (( c = $(d) )); let e=1", []string{"[[ $(a) == b ]]", "$(…): a", "(( c = $(d) ))", "$(…): d", "let e=1"}},
	{"quoted subscripts", "[[ -v 'a[$(b)]' ]]; test -v 'c[`d`]'", []string{"[[ -v 'a[$(b)]' ]]", "$(…): b", "test -v 'c[`d`]'", "$(…): d"}},
	{"here-document", "a <<E\n$(b) `c`\nE", []string{"a <<E\n$(b) `c`\nE", "$(…): b", "$(…): c"}},
	{"quoted here-document", "a <<'E' | d\n$(b)\nE\ne", []string{"a <<'E'\n$(b)\nE", "d", "e"}},
	{"here-string", "a <<< $(b)", []string{"a <<< $(b)", "$(…): b"}},
	{"redirections", "a  >  f 2>&1 b <g", []string{"a > f 2>&1 b <g"}},
	{"redirections alone", "> f; x=$(< g)", []string{"> f", "x=$(< g)"}},
	{"targets", "a > $(b)", []string{"a > $(b)", "$(…): b"}},
	{"extended patterns", "[[ x == @(a|b) ]]", []string{"[[ x == @(a|b) ]]"}},
	{"data", `echo 'a; b' "c && d" e\;f`, []string{`echo 'a; b' "c && d" e\;f`}},
	{"escaped dollar", `echo "\$(a)" '$(b)'`, []string{`echo "\$(a)" '$(b)'`}},
	{"ANSI quotes", `echo $'a\t; b; c\\d'`, []string{`echo $'a\t; b; c\\d'`}},
	{"brackets", "[ -f x ]; test -d y", []string{"[ -f x ]", "test -d y"}},
	{"tester", "pigate check 'rm -rf x'; pigate check -- 'rm x'", []string{"pigate check 'rm -rf x'", "pigate check -- 'rm x'"}},
}

// texts lists the units as unitCases write them.
func texts(a model.Analysis) []string {
	var list []string
	for _, u := range a.Units {
		text := u.Text
		if u.Via != "" {
			text = u.Via + ": " + text
		}
		list = append(list, text)
	}
	return list
}

func TestBashUnits(t *testing.T) {
	for _, c := range unitCases {
		t.Run(c.name, func(t *testing.T) {
			a := shell.Bash(c.command)
			if a.Unparsed != "" {
				t.Fatalf("unparsed: %s", a.Unparsed)
			}
			if diff := cmp.Diff(c.want, texts(a)); diff != "" {
				t.Errorf("units of %q (-want +got):\n%s", c.command, diff)
			}
			sound(t, c.command, a)
		})
	}
}

// sound checks what holds for every analysis of every text.
func sound(t testing.TB, command string, a model.Analysis) {
	if a.Unparsed == "it makes the analysis fail" {
		t.Errorf("%q makes the analysis fail", command)
	}
	t.Helper()
	for i, u := range a.Units {
		switch {
		case u.Text == "" || u.Bare == "":
			t.Errorf("unit %d of %q has no text", i, command)
		case u.Start < 0 || u.End < u.Start || u.End > len(command):
			t.Errorf("unit %d of %q spans %d to %d", i, command, u.Start, u.End)
		case u.Parent >= i || u.Parent < -1:
			t.Errorf("unit %d of %q has parent %d", i, command, u.Parent)
		case u.Transparent && (!u.Wrapper || u.Opaque != "" || len(u.Hazards) > 0):
			t.Errorf("unit %d of %q is transparent: %+v", i, command, u)
		case strings.ContainsRune(u.Program, 0):
			t.Errorf("unit %d of %q has program %q", i, command, u.Program)
		case len(u.Views) == 0 || !strings.HasPrefix(u.Text, u.Views[0]):
			t.Errorf("unit %d of %q has views %q", i, command, u.Views)
		}
		for _, h := range u.Hazards {
			if h.Start < 0 || h.End < h.Start || h.End > len(command) {
				t.Errorf("hazard %s of %q spans %d to %d", h.Flag, command, h.Start, h.End)
			}
		}
	}
	for _, r := range a.Redirections {
		if r.Unit < -1 || r.Unit >= len(a.Units) || r.Start < 0 || r.End < r.Start || r.End > len(command) {
			t.Errorf("redirection of %q: %+v", command, r)
		}
	}
}

func TestBashSpans(t *testing.T) {
	command := `cd x && sudo rm "a b" > out; bash -c 'ls y'; echo $(id)`
	want := map[string]string{"cd x": "cd x", `sudo rm "a b" > out`: `sudo rm "a b" > out`, `rm "a b"`: `rm "a b"`,
		`bash -c 'ls y'`: `bash -c 'ls y'`, "ls y": "'ls y'", "echo $(id)": "echo $(id)", "id": "id"}
	for _, u := range shell.Bash(command).Units {
		if got := command[u.Start:u.End]; got != want[u.Text] {
			t.Errorf("%q spans %q, want %q", u.Text, got, want[u.Text])
		}
	}
}

func TestBashBare(t *testing.T) {
	for command, want := range map[string]string{
		"make test 2>&1":                "make test",
		"2>&1 make test":                "make test",
		"a > f b >> g c":                "a b c",
		"a < in > out":                  "a < in",
		"> f":                           "> f",
		"cat <<E > f\nx\nE":             "cat <<E\nx\nE",
		"a &>/dev/null":                 "a",
		"a {fd}> f":                     "a",
		"A=1 b > c":                     "A=1 b",
		"a '>' b \">\" c \\> d":         "a '>' b \">\" c \\> d",
		"[[ a > b ]]":                   "[[ a > b ]]",
		"a 3<> f":                       "a",
		"git log --format='%h > %s' -1": "git log --format='%h > %s' -1",
	} {
		if got := shell.Bash(command).Units[0].Bare; got != want {
			t.Errorf("%q is bare %q, want %q", command, got, want)
		}
	}
}

func TestBashOpaque(t *testing.T) {
	opaque := []string{"$X", "$X a", `"$X" a`, "`a` b", "$(a) b", "r$@m x", "{a,b} c", "l? x", "./*.sh", "${x:-a}", "\u202eecho a", "ec\u200bho a", "a\x01 b",
		"bash -c \"$X\"", "eval \"$X\"", "eval a $X", "ssh h $X", "sudo $X a", "timeout $N a", "xargs $O a", "curl u | sh", "bash", "bash -s",
		"sh < <(a)", "source <(a)", ". $X", "bash $X", "su", "sudo -i", "sudo -s", "sudo --unknown a", "env -Z a", "parallel", "bash -c 'a ('",
		"watch \"$X\"", "trap \"$X\" EXIT", "find . -exec $X \\;", "aa#=[[ ", "pwsh -EncodedCommand AA", "sh < $X", "sh < x.sh", "bash -s < f", ". /dev/stdin < f", "sudo bash < f"}
	for _, command := range opaque {
		if a := shell.Bash(command); !anyOpaque(a) && a.Unparsed == "" {
			t.Errorf("%q is not opaque: %+v", command, a.Units)
		}
	}
	for _, command := range []string{"a $X", "a *.go", "~/bin/a b", "./a", "bash -c 'a $X'", "bash x.sh", "bash x.sh $X", "sudo a $X", "xargs -n 1 a", "bash --version",
		"ssh h 'a $X'", "[ -f $X ]", "[[ $X ]]", "command -v a", "sudo -l", "trap - EXIT", "env", "sh < /dev/null", "ssh h < /dev/null", "xargs a < f", "while read l; do ssh h a; done < f", "source x", "nice", "é x", "find . -name $X"} {
		if a := shell.Bash(command); anyOpaque(a) || a.Unparsed != "" {
			t.Errorf("%q is opaque: %+v %s", command, a.Units, a.Unparsed)
		}
	}
}

func anyOpaque(a model.Analysis) bool {
	for _, u := range a.Units {
		if u.Opaque != "" {
			return true
		}
	}
	return false
}
