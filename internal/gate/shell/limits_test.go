package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// hardTexts are pieces which, many times over, are hard on a parser.
var hardTexts = []string{"a|", "a&&", "a;", ";", "! ", "if ", "while ", "time ", "coproc ", "f()", "case x in a) ", "if a;then b;elif ", "((", "{ ", "$(", "`", "\"$(",
	"${a:-", "a=", "$((!", "$((-", "$((1?1:", "$((x=", "<<a ", "[[ ! ", "'", "\"", "\\", "a \\\n", "[[ a && ", "$((a**", "x[", "a\n", "<(", "@(", "${a/", "f(){ ", "(a)|",
	"(\")\"", "$(\")\"", "$(case x in a) ", "sudo ", "eval ", "timeout 5 ", "bash -c 'a';", "xargs -I{} ", "find -exec a \\; ", "-exec a \\; ", "a 'b' ", "echo 'x' | sh;",
	"parallel ::: a", "env -S 'a b' ", "a>b ", ">b ", "\x00", "\r", "a <<E\nb\nE\n", "{a,b}", "su -c 'a' ", "A=1 ", "hyperfine a b ", "`a`", "$(a)", "@($(a))", "# \\\n", "x=a;$x ", "alias a='a a';a;",
	"$(# (\n)", "$(# '\n) ", "$(cat <<E\n'\nE\n)", "<<E\nE\n", "[[ a || b ]];", "((a||b));", "((a)) ", "a &>b c;", "PS4='$a';", "a ${x:-\"b\"} ", "a[1]=b ", "echo \"${x:-$(a)}\";",
	"xargs -Z ", "sudo -Z $x ", "alias a='a a';a;"}

// TestHardTexts: whatever the text, there is an answer, and what a deny rule
// could see at its beginning stays to be seen.
func TestHardTexts(t *testing.T) {
	for _, piece := range hardTexts {
		for _, n := range []int{argv.MaxLength - 16, 1 << 20} {
			text := "rm -rf x\n" + strings.Repeat(piece, n/len(piece))
			for name, read := range map[string]func(string) model.Analysis{"bash": shell.Bash, "powershell": shell.PowerShell} {
				a := read(text)
				if n > argv.MaxLength && a.Unparsed == "" {
					t.Errorf("%s parses %d bytes of %q", name, n, piece)
				}
				if !slices.ContainsFunc(a.Units, func(u model.Unit) bool { return slices.Contains(u.Views, "rm -rf x") }) {
					t.Errorf("%s does not show rm -rf x before %d bytes of %q", name, n, piece)
				}
			}
		}
	}
}

func TestUnparsed(t *testing.T) {
	deep := strings.Repeat("$(", argv.MaxDepth+1) + "rm -rf x" + strings.Repeat(")", argv.MaxDepth+1)
	for _, command := range []string{deep, "rm -rf x; $($($(", "echo 'a; rm -rf x", "rm -rf x; ((# 1))", "a (; rm -rf x", "echo $((a); (rm -rf x))", "if rm -rf x; then", "rm -rf x\r\n", "a\r\nrm -rf x\r\n",
		"echo a # b \\\nrm -rf x", "a\x00; rm -rf x", "cat <<E\nit's\nE\n'\nrm -rf x", "rm -rf x; \xff(", "echo \"`rm -rf x\"", "for i in; do rm -rf x", "{ rm -rf x", "! ! rm -rf x (", "A=1 rm -rf x (", "sudo rm -rf x (",
		"bash -c 'rm -rf x' (", "ls 2>/dev/null; rm -rf x (", "x=1 # it's\nrm -rf x (", "echo $((rm -rf x + $(case a in a) b;; esac) ))", "coproc N >f; rm -rf x"} {
		a := shell.Bash(command)
		if a.Unparsed == "" {
			t.Errorf("%.60q is parsed: %+v", command, a.Units)
		}
		if !slices.ContainsFunc(a.Units, func(u model.Unit) bool {
			return slices.ContainsFunc(u.Views, func(v string) bool { return strings.HasPrefix(v, "rm -rf x") })
		}) {
			t.Errorf("%.60q does not show rm -rf x: %q", command, texts(a))
		}
		sound(t, command, a)
	}
}

func TestWithinBounds(t *testing.T) {
	for _, command := range []string{
		strings.Repeat("(", argv.MaxDepth) + "a" + strings.Repeat(")", argv.MaxDepth),
		"a " + strings.Repeat("x", argv.MaxLength-2),
		"echo $((" + strings.Repeat("1+", 499) + "1))",
		`echo "` + strings.Repeat("- a - b - c\n", 100) + `"`,
		"cat > f <<'E'\n# a heading \\\\ \n" + strings.Repeat("it's (a) [b] {c}\n", 500) + "E",
	} {
		if a := shell.Bash(command); a.Unparsed != "" {
			t.Errorf("%.40q is unparsed: %s", command, a.Unparsed)
		}
	}
}

func TestParserDisagreementsAsk(t *testing.T) {
	for _, command := range corpus(t, "parser-disagreements.jsonl") {
		sound(t, command, shell.Bash(command))
	}
}
