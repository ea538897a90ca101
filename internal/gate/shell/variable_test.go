package shell_test

import (
	"slices"
	"testing"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// asks reports whether something in the analysis is a question even where every
// unit is allowed by a rule that names nothing.
func asks(a model.Analysis) bool {
	return a.Unparsed != "" || anyOpaque(a) || slices.ContainsFunc(a.Units, func(u model.Unit) bool { return len(u.Hazards) > 0 })
}

// isDenied reports whether a deny rule with the pattern matches some unit, by
// meaning or by a view.
func isDenied(pattern string, a model.Analysis) bool {
	p, ok := shell.CompileDeny(pattern)
	return slices.ContainsFunc(a.Units, func(u model.Unit) bool {
		return ok && p.Match(u) || slices.ContainsFunc(u.Views, func(view string) bool {
			return glob.CompileRule(pattern).Match(view, false)
		})
	})
}

func checkAsks(t *testing.T, want bool, commands ...string) {
	t.Helper()
	for _, command := range commands {
		a := shell.Bash(command)
		sound(t, command, a)
		if asks(a) != want {
			t.Errorf("%q asks: %v, want %v\n%q %s", command, !want, want, texts(a), a.Unparsed)
		}
	}
}

func checkDenies(t *testing.T, pattern string, commands ...string) {
	t.Helper()
	for _, command := range commands {
		a := shell.Bash(command)
		sound(t, command, a)
		if !isDenied(pattern, a) {
			t.Errorf("%q does not match %q: %q %s", pattern, command, texts(a), a.Unparsed)
		}
	}
}

// TestSecondEvaluation: bash evaluates the value of a name in arithmetic, of
// ${x@P}, of ${!x} and of some builtins' words once more.
func TestSecondEvaluation(t *testing.T) {
	checkAsks(t, true,
		`echo "${x:=\$(touch P)}${x@P}"`, `echo ${x@P}`, `x=a; echo "${!x}"`,
		`for x in 'a[$(touch P)]'; do echo $((x)); done`, `for x in 'a[$(touch P)]'; do echo ${PATH:x}; done`,
		`for x in 'a[$(touch P)]'; do echo ${PATH[x]}; done`, `for x in 'a[$(touch P)]'; do echo ${!x}; done`,
		`for x in 'a[$(touch P)]'; do ((x)); done`, `for x in 'a[$(touch P)]'; do [[ x -eq 1 ]]; done`, `for x in 'a[$(touch P)]'; do [[ $x -gt 1 ]]; done`,
		`for x in 'a[$(touch P)]'; do let y=x; done`, `for x in 'a[$(touch P)]'; do builtin let y=x; done`, `for x in 'a[$(touch P)]'; do for ((i=x;i<1;i++)); do :; done; done`,
		`for x in 'a[$(touch P)]'; do y[x]=1; done`, `for x in 'a[$(touch P)]'; do echo $(($x+1)); done`, `for x in 'a[$(touch P)]'; do echo "$((${x}))"; done`,
		`x='a[$(touch P)]'; y=x; echo $((y))`, `x='a[$'; y="$x(touch P)]"; echo $((y))`, `read x <<< z; echo $((x))`, `printf -v x z; echo $((x))`, `mapfile x < f; echo $((x))`,
		`x=$(cat f); echo $((x))`, `echo $(( $(cat f) ))`, `f() { echo $(($1)); }; f a`, `for f in *; do echo $((f)); done`, `while :; do echo $((x)); x='a[$(touch P)]'; done`,
		`declare -i n; n='a[$(touch P)]'`, "x='$(touch P)'; printf -v 'm[$x]' y", "x='$(touch P)'; printf -v m[$x] y", `x='$(touch P)'; read m[$x] <<< y`, `x='$(touch P)'; unset m[$x]`, `declare -i n='a[$(touch P)]'`, `declare -a 'a=($(touch P))'`, `declare -a a='($(touch P))'`, `builtin declare -a 'a=($(touch P))'`, `declare -a "a=($x)"`,
		`x='a[$(touch P)]'; unset "$x"`, `x='a[$(touch P)]'; [[ -v $x ]]`, `x='a[$(touch P)]'; test -v "$x"`, `x='a[$(touch P)]'; read "$x"`, `x='a[$(touch P)]'; case $((x)) in esac`,
		`echo 'a[$(touch P)]'; echo $((_))`, `[[ $y =~ (.*) ]]; echo $((BASH_REMATCH[1]))`, `read <<< x; echo $((REPLY))`, `echo 'a[$(touch P)]'; x=_; echo $((x))`, `x='a[$(touch P)]'; unset 'b[x]'`, `x='a[$(touch P)]'; [[ -v b[x] ]]`, `x='a[$(touch P)]'; test -v 'b[x]'`, `x='a[$(touch P)]'; printf -v 'b[x]' y`, `env x='a[$(touch P)]' bash -c 'echo $((x))'`, `echo $(( ${y:-$(cat f)} ))`, `bash -c 'x=$1; echo $((x))' _ 'a[$(touch P)]'`)
	checkAsks(t, false,
		`i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; echo $i`, `for i in 1 2 3; do echo $((i * 2)); done`, `for i in {1..5}; do echo $((i+1)); done`, `for i in $(seq 1 5); do ((i > 2)) && echo $i; done`,
		`n=$(wc -l < f); echo $((n+1))`, `a=1 b=2; [[ $a -lt $b ]] && echo less`, `start=$(date +%s); make; echo $(( $(date +%s) - start ))`, `echo $((x+1))`, `for ((i=0;i<3;i++)); do echo $i; done`,
		`a=(x y z); echo ${a[1]} ${#a[@]} ${a[@]:1}`, `for i in "${!a[@]}"; do echo "${a[$i]}"; done`, `declare -A m=([k]=v); for k in "${!m[@]}"; do echo "${m[$k]}"; done`, `declare -i n=0; n+=1; echo $n`,
		`x=hello; echo ${x:0:2} ${x@Q}`, `n=5; m=$n; echo $((m*2))`, `x='$(date)'; echo "$x"`, `[[ $x == y ]] && echo $#`, `echo ${!GOPREFIX_*}`, `count=0; for f in *.go; do count=$((count+1)); done; echo $count`, `set -euo pipefail; echo x`)
	checkDenies(t, "rm *", `PS4='$(rm x)'; set -x; echo`, `for PS4 in '$(rm x)'; do set -x; echo; done`, `export PS4='$(rm x)'`, `declare -a 'a=($(rm x))'`, `x='$(rm x)'; echo "${x@P}"`, `x='a[$(rm x)]'; echo $((x))`, `for x in 'a[$(rm x)]'; do ((x)); done`, `x='a[$(rm x)]'; echo ${!x}`, `: "${x:=\$(rm x)}${x@P}"`)
}

// TestSetNames: a variable that other programs obey is a question however it is
// set.
func TestSetNames(t *testing.T) {
	checkAsks(t, true,
		"for PATH in ./evil; do git status; done", "for HOME in x; do git status; done", "git status $((PATH=1)); git log", "git status $((GIT_PAGER+=1))", "read PATH <<< x", "read -r a PATH <<< x", "read -a PATH <<< x",
		"printf -v PATH x", "printf -vPATH x", "mapfile PATH < f", "mapfile -t PATH < f", "readarray -d '' PATH < f", "getopts a PATH", "select PATH in x; do git status; done", "let PATH=1", "let 'PATH=1'", "builtin let PATH=1", "((PATH=1))", "((PATH++))",
		"f() { local PATH=./evil; git status; }", "exec {PATH}> f", "git status {PATH}< f", "coproc PATH { git status; }", "wait -p PATH", "set -k; git status GIT_PAGER=x", "set -ek", "set -o keyword", "declare PATH=x", "builtin export PATH=x", "unset PATH",
		"${PATH:=x}", "echo ${GIT_PAGER:=x}", "export \"$x\"", "read $x", "printf -v \"$x\" y", "declare \"$x=1\"", "declare -x GIT_PAGER=x", "for ((PATH=0;PATH<1;PATH++)); do :; done", "PATH[0]=x", "PATH=(x)", "declare -n r=PATH; r=x", "local -n r=$x", "declare -n r; r=PATH")
	checkAsks(t, false,
		"for f in a b; do git status; done", "read -r line <<< x", "read -p 'name: ' -t 5 name", "printf -v out '%s' x", "mapfile -t lines < f", "let i=1", "local x=1", "exec {fd}> f", "unset PAGER x", "set -euo pipefail", "set -x", "set -- a b", "declare -p PATH", "export FOO=bar", "readonly X=1", "getopts ab: opt", "wait", "export -f f", "local -n r=list", "[[ -v x ]] || test -v y")
}
