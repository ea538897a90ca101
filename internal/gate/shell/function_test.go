package shell_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

// TestValuesOfTheLine: words that the line itself gives to a variable, a loop or
// a function are shown to deny rules.
func TestValuesOfTheLine(t *testing.T) {
	checkDenies(t, "git push *", "for x in push; do git $x; done", "for x in status push log; do git $x; done", "for x in a b; do for y in log push; do git -C $x $y; done; done", `for x in push; do git "$x"; done`, "for c in 'git push'; do $c; done", "for c in ls 'git push'; do eval $c; done",
		`f() { git "$1"; }; f push`, `f() { git "$@"; }; f push`, `function f { git $*; }; f push origin`, `f() { "$@"; }; f git push`, `g() { f push; }; f() { git $1; }; g`, `f() { g "$@"; }; g() { git "$1"; }; f push`, `f() { eval "$1"; }; f 'git push'`, `f() { git $1; }; f log; f push`,
		"if a; then x=push; else x=log; fi; git $x", "set -- push; git $1", "set -- git push; \"$@\"", `f() { shift; git push; }; f x`, `f() { bash -c "$1"; }; f 'git push'`, `bash -c 'f() { git "$1"; }; f push'`,
		`f() { for x in "$@"; do git $x; done; }; f push`, `f() { for x; do git $x; done; }; f push`, `f() { local c=$1; git $c; }; f push`, `f() { c="$1"; git "$c"; }; f push`, `a=(git push); "${a[@]}"`, `a=(x push); git ${a[1]}`, "a=(push); git ${a[0]}", "x=push; y=$x; git $y",
		"for x in log push add; do y=$x; git $y; done", "while read x; do git $x; done <<< push", "read x <<< push; git $x", "printf -v x push; git $x", "x=pu; x+=sh; git $x", `f() { git "${@:1}"; }; f push`, "f() { shift; git $1; }; f a push", "x=$(echo push); git $x", "for x in {log,push}; do git $x; done", "read a b <<< 'git push'; $a $b")
	checkDenies(t, "rm -rf *", "for x in -rf; do rm $x y; done", "for x in -v -rf; do rm $x y; done", `f() { rm "$@"; }; f -rf x`)
	for _, command := range []string{"for x in log; do git $x; done; echo push", `f() { git "$1"; }; f log`, `f() { echo "$1"; }; f push`} {
		if isDenied("git push *", shell.Bash(command)) {
			t.Errorf("%q matches git push", command)
		}
	}
	checkAsks(t, false, `f() { git "$1"; }; f log; f status`, "for x in a b; do cat $x; done", "f() { f; }; f x", "f() { f \"$@\" x; }; f x", "f() { g x; }; g() { f x; }; f x")
}

// TestCallsAddNothingTwice: a call is no reason to list the body again.
func TestCallsAddNothingTwice(t *testing.T) {
	if a := shell.Bash(`f() { echo "$1" > out; ls; }; f a; f b`); len(a.Units) != 4 || len(a.Redirections) != 1 {
		t.Errorf("units %q, redirections %v", texts(a), a.Redirections)
	}
}
