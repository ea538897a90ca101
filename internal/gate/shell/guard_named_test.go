package shell_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

func TestNamedBy(t *testing.T) {
	for _, c := range []struct {
		command, rule string
		want          bool
	}{
		{"find . -delete", "find * -delete", true},
		{"find . -delete", "find *", false},
		{"find . -delete", "find * -del*", false},
		{"find . -delete", "*", false},
		{"find . -delete", "find . -delete", true},
		{"find . -delete", "find * -name -print -delete", true},
		{"find . -fprint out", "find * -fprint *", true},
		{"find . -fprint out", "find * -fprint out", true},
		{"find . -fprint /etc/x", "find * -fprint out*", false},
		{"curl -o out u", "curl -o *", true},
		{"curl -o out u", "curl -o * u", true},
		{"curl -oout u", "curl -o*", true},
		{"curl -sSLo out u", "curl -sSLo *", true},
		{"curl -sSLo out u", "curl -sSL *", false},
		{"curl --output out u", "curl --output=* *", true},
		{"curl --output=out u", "curl --output* *", true},
		{"curl --output=out u", "curl -o *", true}, // another spelling of the same entry
		{"curl -o /etc/passwd u", "curl -o out *", false},
		{"curl -o out.txt u", "curl -o out.* *", true},
		{"curl -o 'a b' u", "curl -o 'a b' *", true},
		{"curl -o 'a b' u", `curl -o "a b" *`, true},
		{"curl -o a.b u", `curl -o a\*b *`, false},
		{"curl -o 'a*b' u", `curl -o a\*b *`, true},
		{"sed -i s/a/b/ f", "sed -i *", true},
		{"sed -ni s/a/b/ f", "sed -ni *", true},
		{"sed -i s/a/b/ f", "sed -n *", false},
		{"sed -i.bak s/a/b/ f", "sed -i.bak *", true},
		{"sed -i.bak s/a/b/ f", "sed -i *", true},
		{"sed -n 'w x' f", "sed -n 'w x' *", true},
		{"sed -n 'w x' f", "sed -n *", false},
		{"sed -n 'w x' f", "sed -n 'w *' *", false},
		{"sed -n '1,5p;w x' f", "sed -n '1,*' *", false},
		{`awk '{print > "f"}' a`, `awk '{print > "f"}' *`, true},
		{`awk '{print > "f"}' a`, "awk *", false},
		{"git -c core.pager=x log", "git -c *", true},
		{"git -c core.pager=x log", "git -c core.pager=x *", true},
		{"git -c core.pager=x log", "git -c core.editor=* *", false},
		{"git -c core.pager=x log", "git *", false},
		{"git diff --output=x", "git diff --output=* *", true},
		{"git diff --output=x", "git * --output*", true},
		{"git diff --output=x", "git diff *", false},
		{"git config user.name x", "git config *", true},
		{"git config user.name x", "git *", false},
		{"git config core.pager x", "git config *", false},
		{"git config core.pager x", "git config core.pager *", true},
		{"git config core.pager x", "git config core.* *", true},
		{"git stash drop", "git stash drop *", true},
		{"git stash drop", "git stash *", false},
		{"git remote -v add a b", "git remote * add *", true},
		{"tee out.log", "tee *", false},
		{"tee out.log", "tee *.log", true},
		{"tee /tmp/x", "tee /tmp/*", true},
		{"tee é.log", "tee ?.log", true},
		{"tee /tmp/../etc/x", "tee /tmp/*", false},
		{"tee /etc/x", "tee /tmp/*", false},
		{"tee out.log", "tee out.log", true},
		{"tee -- -x", "tee -- *", false},
		{"dd if=a of=b", "dd * of=*", true},
		{"dd if=a of=b", "dd * of=b", true},
		{"dd if=a of=/dev/sda", "dd * of=b*", false},
		{"dd if=a of=b", "dd *", false},
		{"make SHELL=x", "make SHELL=*", true},
		{"gh api x -f a=b", "gh api * -f *", true},
		{"gh api x -f a=b", "gh api * --raw-field *", true},
		{"gh api x -f a=b", "gh api *", false},
		{"aws s3 rm s3://b", "aws s3 rm *", true},
		{"aws s3 rm s3://b", "aws s3 *", false},
		{"python3 -c x", "python3 -c *", true},
		{"python -m pip install x", "python -m pip install *", true},
		{"python -m pip install x", "python -m pip *", false},
		{"go test -exec x ./...", "go test -exec * *", true},
		{"go test --exec=x ./...", "go test -exec=*", true},
		{"GIT_PAGER=x git log", "GIT_PAGER=* git log *", true},
		{"GIT_PAGER=x git log", "git log *", false},
		{"export PATH=x", "export PATH=*", true},
		{"export PATH=x", "export *", false},
		{"tar -I x -tf a", "tar -I x *", true},
		{"tar cIf x a", "tar cIf *", false}, // the rule's old-style cluster names no value; the exact command does
		{"psql -c '\\! ls'", "psql -c '\\! ls'", true},
		{"psql -c '\\! ls'", "psql -c *", false},
		{`tee a\ b`, `tee a\ b`, true},
		{`tee 'a*b'`, `tee 'a\*b'`, true},
		{`tee 'a*b'`, `tee a\\\*b`, true},
		{`tee "a\\b"`, `tee "a\\\b"`, true},
	} {
		found := false
		for _, u := range shell.Bash(c.command).Units {
			for _, h := range u.Hazards {
				found = true
				if got := h.NamedBy(c.rule); got != c.want {
					t.Errorf("`%s`: %q named by `%s`: %v, want %v", c.command, h.Flag, c.rule, got, c.want)
				}
			}
		}
		if !found {
			t.Errorf("`%s`: no hazard found", c.command)
		}
	}
}
