package shell_test

import (
	"testing"
)

func TestGuardedBuiltin(t *testing.T) {
	checkGuards(t, []guardCase{
		{"test *", "test -v 'a[$(touch PWNED)]'", "[…]"},
		{"[ *", "[ -v 'a[$(touch PWNED)]' ]", "[…]"},
		{"printf *", "printf -v 'a[$(touch PWNED)]' x", "[…]"},
		{"read *", "read 'a[$(touch PWNED)]'", "[…]"},
		{"history *", "history -w PWNED", "-w"},
		{"fc *", "fc -e ./evil", "-e"},
		{"jobs *", "jobs -x touch PWNED", "-x"},
		{"export *", "export PATH=./evil:$PATH", "PATH="},
		{"export *", "export LD_PRELOAD=./evil.so", "LD_PRELOAD="},
		{"declare *", "declare -x GIT_PAGER=./evil", "GIT_PAGER="},
		{"local *", "local PATH=./evil", "PATH="},
		{"local *", "local -x GIT_PAGER=./evil", "GIT_PAGER="},
		{"local *", "local x=1 name", ""},
		{"wc *", "wc < /dev/tcp/evil/1", "<"},
		{"env *", "env GIT_PAGER=./x git log", "GIT_PAGER="},
		{"test *", "test -f a", ""},
		{"[ *", `[ "$a" = b ]`, ""},
		{"printf *", `printf '%s\n' "$x"`, ""},
		{"read *", "read -r x", ""},
		{"export *", "export FOO=bar", ""},
	})
}
