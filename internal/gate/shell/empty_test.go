package shell_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

// TestEmptyExpansions: what is glued to an expansion is read as if that were
// empty, too.
func TestEmptyExpansions(t *testing.T) {
	checkDenies(t, "git push *",
		`git pu${X}sh`, `git pu$@sh`, "git pu``sh", `git ${X}push`, `git push$X origin`, `g${X}it push`, `timeout 5 git pu${X}sh`, `sudo git "pu${X}sh"`,
		`bash -c "git pu${X}sh"`, `git -C d pu$(true)sh`, `find . -exec git pu${X}sh \;`,
		`git $X push`, `git $OPTS push origin`, `git "${OPTS[@]}" push`, `sudo git $X push`, `git -C d $X push`, `git $X -C d $Y push`, `git $(opts) push`,
		`git ${HOME/*/push}`, `git ${HOME:+push}`, `git ${HOME+push} x`, `timeout 5 git ${HOME/*/push}`, `git pu${HOME:+}sh`, `git "${HOME:+pu"sh"}"`)
	checkDenies(t, "rm -rf *", `rm ${X}-rf x`, `rm $X-rf x`, `rm -r${X}f x`, `rm ${HOME:+-rf} x`, `rm ${HOME:+-r -f} x`, `sudo rm $X-r $Y-f x`)
	checkDenies(t, "npm publish *", `npm pub${X}lish`)
	checkDenies(t, "docker rm *", `docker ${X}rm c`)
	checkDenies(t, "terraform apply *", `terraform $X apply`)
	checkDenies(t, "git push origin main", `git push origin ma${X}in`)
	checkDenies(t, "git push --force *", `git push --fo${X}rce`)
	for _, c := range [][2]string{{"rm -rf /*", `rm -rf "$DIR/build"`}, {"git push *", `git "$X" status`}, {"rm -rf *", `rm ${HOME:+-r} x`}, {"git push", `git push "$REMOTE"`}} {
		if isDenied(c[0], shell.Bash(c[1])) {
			t.Errorf("%q matches %q", c[0], c[1])
		}
	}
}

func TestEmptyExpansionsMakeGuardedFlags(t *testing.T) {
	checkAsks(t, true, `find . $X-delete`, `sort -${X}oPWNED f`, `git log -${X}-output=P`, `git ${X}config alias.x '!id'`, `timeout 5 find . $X-delete`,
		`git $X config alias.x '!id'`, `find . ${HOME:+-delete}`, `find . ${HOME/*/-delete}`, `find . "${HOME:+-del}ete"`, `find . -del${X}ete`)
	for _, command := range []string{`git $X submodule foreach aa bb`, `find . $X-exec aa bb \;`, `git ${X}submodule foreach aa bb`} {
		if a := shell.Bash(command); !runsAABB(a) {
			t.Errorf("%q does not show aa bb: %q", command, texts(a))
		}
	}
	checkAsks(t, false, `grep "$X-y" f`, `ls "$DIR"/src`, `git log "$A..$B"`, `cat src/$X.go`, `find "$DIR" -name "$X.go"`, `git log --format="$F"`, `head -n$N f`, `git $X status`, `sort "$X" f`, `sed -n "${A},${B}p" f`)
}

// TestNamedByTheWrapper: some wrappers name the program by their subcommand.
func TestNamedByTheWrapper(t *testing.T) {
	checkDenies(t, "kubectl delete *", `k3s kubectl delete pod p`, `minikube kubectl -- delete pod p`, `minikube -p x kubectl -- -n n delete pod p`)
	checkDenies(t, "npm publish *", `npm pub`, `npm pub --tag x`)
	checkDenies(t, "pip install *", `pip3 install x`, `pip3.12 install x`, `python -m pip install x`, `python3 -I -m pip --quiet install x`, `py -3 -m pip install x`, `python -mpip install x`, `sudo pip3 install x`)
	checkDenies(t, "git push *", `x=push sh -c 'git $x'`, `x=push; x=pull sh -c 'git $x'; git $x`)
	if isDenied("git push *", shell.Bash(`x=push sh -c :; sh -c 'git "$x"'`)) {
		t.Error("an assignment in front of a command outlives it")
	}
}

// TestEmptyReadingNeedsNoRule: the reading without the expansions asks for no
// approval of its own where nothing in it is guarded.
func TestEmptyReadingNeedsNoRule(t *testing.T) {
	for _, command := range []string{`git $X status`, `docker ps $X-a`, `python -m pip list`, `k3s kubectl get pods`} {
		for _, u := range shell.Bash(command).Units[1:] {
			if !u.Transparent {
				t.Errorf("%q: %q needs a rule of its own", command, u.Text)
			}
		}
	}
}
