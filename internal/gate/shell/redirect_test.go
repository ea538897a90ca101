package shell_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/risk"
)

// redirectionCases are command lines with what they write: "free" after the
// target of one that writes no file, "?" after one that is not literal.
var redirectionCases = []struct {
	command string
	want    []string
}{
	{"a 2>&1 >&2 1>&- 3>&1- <&0", []string{">&1 free", ">&2 free", ">&- free", ">&1- free"}},
	{"a > /dev/null 2> /dev/stderr > /dev/stdout &> '/dev/null'", []string{">/dev/null free", ">/dev/stderr free", ">/dev/stdout free", "&>/dev/null free"}},
	{"a > f >> g >| h &> i &>> j >& k <> l 2> m {fd}> n", []string{">f", ">>g", ">|h", "&>i", "&>>j", ">&k", "<>l", ">m", ">n"}},
	{"a > 'f g' > \"h\" > i\\ j > $'k\\x41'", []string{">f g", ">h", ">i j", ">kA"}},
	{"a > $F > \"$F/x\" > *.go > $(b) > {c,d}", []string{">\x00 ?", ">\x00/x ?", ">*.go ?", ">\x00 ?", ">{c,d} ?"}},
	{"a >/dev/../$PWD/x", []string{">/dev/../\x00/x ?"}},
	{"a >&$X", []string{">&\x00 ?"}},
	{"(a) > f; { b; } > g; for i in 1; do c; done > h; if d; then e; fi >> i; while f; do g; done > j; case x in x) h;; esac > k; time l > m", []string{">f", ">g", ">h", ">>i", ">j", ">k", ">m"}},
	{"f() { a; } > x", []string{">x"}},
	{"[[ a > b ]] > c; (( 1 > 2 )); echo '>' \">\" \\> a", []string{">c"}},
	{"> f", []string{">f"}},
	{"! a > f", []string{">f"}},
	{"bash -c 'a > f' > g", []string{">g", ">f"}},
	{"eval 'a > f'; echo \"$(b > g)\"", []string{">f", ">g"}},
	{"ssh h 'a > f'; docker exec c sh -c 'b > /g'", []string{">f ?", ">/g ?"}},
	{"cat <<E > f\n> g\nE", []string{">f"}},
	{"bash <<E\na > f\nE", []string{">f"}},
	{"export A=1 > f; let x=1 > g", []string{">f", ">g"}},
	{"sudo a > f", []string{">f"}},
	{"a > f; b (", []string{">f"}},
}

func TestBashRedirections(t *testing.T) {
	for _, c := range redirectionCases {
		a := shell.Bash(c.command)
		if diff := cmp.Diff(c.want, writes(a)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.command, diff)
		}
		sound(t, c.command, a)
	}
}

func writes(a model.Analysis) (list []string) {
	for _, r := range a.Redirections {
		text := r.Op + r.Target
		if r.Harmless {
			text += " free"
		} else if !r.Literal {
			text += " ?"
		}
		list = append(list, text)
	}
	return list
}

func TestBashNetwork(t *testing.T) {
	for _, command := range []string{"cat < /dev/tcp/h/80", "exec 3</dev/udp/h/53", "< /dev/tcp/h/1", "while read x; do a; done < /dev/tcp/h/1", "a <'/dev/tcp/h/1'"} {
		found := false
		for _, u := range shell.Bash(command).Units {
			for _, h := range u.Hazards {
				found = found || h.Kind == risk.KindNet
			}
		}
		if !found {
			t.Errorf("%q opens a connection unseen", command)
		}
	}
}
