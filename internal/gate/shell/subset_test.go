package shell_test

import (
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

// refusals are lines outside the positive subset, each with the reason that is
// given. Some shell of those that may run the line runs touch in it, or reads a
// word of it otherwise.
var refusals = []struct{ line, why string }{
	{`echo "${x:-'$(touch P)'}"`, "single quotes inside ${…} in double quotes"},
	{`echo "${x:-$'$(touch P)'}"`, "$'…' inside ${…} in double quotes"},
	{`echo "${x:-"'$(touch P)'"}"`, "double quotes inside ${…} in double quotes"},
	{"echo \"${x:+'`touch P`'}\"", "single quotes inside ${…} in double quotes"},
	{"cat <<E\n${x:-'$(touch P)'}\nE", "single quotes inside ${…} in double quotes or a here-document"},
	{`cat <<<"${x:-'$(touch P)'}"`, "single quotes inside ${…}"},
	{`echo $(( '$(touch P)' ))`, "single quotes inside arithmetic"},
	{`(( '$(touch P)' ))`, "single quotes inside arithmetic"},
	{`for (('$(touch P)';0;)); do :; done`, "single quotes inside arithmetic"},
	{`echo ${a['$(touch P)']}`, "a subscript that is more than a number or a name"},
	{`a['$(touch P)']=1`, "a subscript that is more than a number or a name"},
	{`a=(['$(touch P)']=1)`, "a subscript that is more than a number or a name"},
	{`echo ${HOME:'$(touch P)'}`, "an offset that is more than a number or a name"},
	{"echo \"${HOME:0:'`touch P`'}\"", "an offset that is more than a number or a name"},
	{`echo $[ '$(touch P)' ]`, "$[…]"},
	{`echo ${x:-<(touch P)}`, "a process substitution inside ${…}"},
	{`echo ${HOME/a/>(touch P)}`, "a process substitution inside ${…}"},
	{`echo ${x@P}`, "${…@P}"},
	{`echo ${!x}`, "${!…}"},
	{"cat <<E\n${x:-\nE\ntouch P\n}\nE", "a line end inside ${…}"},
	{"cat <<E\n$(echo \"\nE\ntouch P\n\")\nE", "a here-document that ends in a line before its expansions do"},
	{"cat <<E\n\\\nE\ntouch P\nE", "a here-document whose end shells find in different lines"},
	{"cat <<EF\nE\\\nF\ntouch P\nEF", "a here-document whose end shells find in different lines"},
	{"cat <<$'\\x45'\ny\nE\ntouch P\n\\x45", "a here-document whose delimiter is more than a word"},
	{"cat <<E \"\nx\"\nE\nE", "a here-document whose body does not begin in the line after it"},
	{"echo `cat <<E\nx\nE`", "a here-document inside backquotes"},
	{"echo \"a$\\\n(touch P)\"", "a backslash at a line end"},
	{`echo $'\'$(touch P)' \'`, `\' inside $'…'`},
	{"echo \"$(cat <<'E'\na) \"; touch P; \"\nE\n)\"", "brackets or quotes that some shells pair otherwise"},
	{"echo $(case x in x) touch P;; esac)", "brackets or quotes that some shells pair otherwise"},
	{"[[ x =~ (<(touch P)) ]]", "a process substitution inside a pattern"},
	{"coproc X= touch P", "an assignment that the parser takes for a program"},
	{"(''#$(touch P)\n)", "a comment that does not begin after a blank"},
	{"x=\u00e0touch P", "a character with a byte that some systems take for a blank"},
	{"echo a\u00a0b", "a character with a byte that some systems take for a blank"},
}

func TestOutsideSubset(t *testing.T) {
	for _, c := range refusals {
		got := shell.Bash(c.line).Unparsed
		if !strings.Contains(got, c.why) {
			t.Errorf("%q is unparsed because %q, want %q", c.line, got, c.why)
		}
	}
}

// ordinary are lines that people and agents write, inside the subset.
var ordinary = []string{
	`echo "it's ${HOME}"`, `echo "${x:-default}" ${y:-'a b'} ${z%.*} "${f##*/}" ${a//\//-}`, `echo "${x:-$(date)}" "$((i+1))" $((n * (m + 2)))`,
	`echo ${a[0]} "${a[@]}" ${a[i]} ${a[$i]} ${#a[@]} "${!a[@]}" ${s:0:5} "${s: -3}" ${@:2}`, `printf '%s\n' $'a\tb' $"c"`,
	"cat <<'EOF'\nit's $(not) `run` ${x:-'\nEOF", "cat <<EOF > f\n$HOME ${x:-y} $(date)\nEOF\necho done", "cat <<-E\n\ta\n\tE",
	"git commit -m \"$(cat <<'EOF'\nfix: don't stop\n\n- one (two)\nEOF\n)\"", "diff <(sort a) <(sort b)", "echo a \\\n  b \\\n  c",
	"echo \"one \\\ntwo\"", "for ((i=0; i<3; i++)); do echo $i; done", "[[ -f x && $y == *.go ]] && echo `date`", "cat <<A <<B\na\nA\nb\nB",
	"case $x in (a|b) echo c;; esac", "x=$(ls | wc -l); echo $x", "let i=i+1 'j = 2'", `declare -A m=(['a  1']=x ["b"]=y); echo ${m['a  1']} "${m["b"]}"`, "echo café",
}

func TestInsideSubset(t *testing.T) {
	for _, line := range ordinary {
		if why := shell.Bash(line).Unparsed; why != "" {
			t.Errorf("%q is unparsed: %s", line, why)
		}
	}
}

// elsewhere are lines that run a program in dash which bash does not run.
var elsewhere = []struct{ line, unit string }{
	{"[[ x || touch ]]", "touch ]]"},
	{"[[ -f x && touch ]]", "touch ]]"},
	{"[[ $x =~ a|touch ]]", "touch ]]"},
	{"[[ -f x || $y == touch ]]", "$y == touch ]]"},
	{"((touch))", "touch"},
	{"(( rm -rf / 2 ))", "rm -rf / 2"},
	{"((a == 1 || rm -rf / 2))", "rm -rf / 2"},
	{"((rm * 2))", "rm * 2"},
}

func TestOtherShells(t *testing.T) {
	for _, c := range elsewhere {
		found := false
		for _, u := range shell.Bash(c.line).Units {
			found = found || u.Text == c.unit
		}
		if !found {
			t.Errorf("%q does not show %q", c.line, c.unit)
		}
	}
	for _, line := range []string{"[[ -f x && $y == *.go ]]", "[[ $x =~ ^(a|b)$ ]]", "((i < 10 && j >= 2))", "((i++))", "(( n = n + 1 ))", "[[ -z $x || -f y ]]"} {
		if units := shell.Bash(line).Units; len(units) != 1 {
			t.Errorf("%q shows %d units", line, len(units))
		}
	}
}
