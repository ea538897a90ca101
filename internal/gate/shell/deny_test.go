package shell_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

// denied and notDenied are commands that a deny pattern must and must not
// match by meaning.
var denyCases = []struct {
	pattern   string
	denied    []string
	notDenied []string
}{
	{"rm -rf *",
		[]string{"rm -rf x", "rm -fr x", "rm -r -f x", "rm --recursive --force x", "rm x -rf", "rm -Rfv x y", "rm --rec --forc x", "rm --r --f d", "/bin/rm -f -r x", `r\m -"rf" x`, "'rm' -rf", "rm -rf"},
		[]string{"rm -r x", "rm -f x", "rm x -- -rf", "ls -rf x", "rm --force x"}},
	{"rm -rf build", []string{"rm -fr build", "rm build -r --force"}, []string{"rm -rf build x", "rm -rf x", "rm -rfv build"}},
	{"rm -rf*", []string{"rm -fr x", "rm -r -f"}, []string{"rm -r x"}},
	{"rm *", []string{"rm x", "/usr/bin/rm -i x", "rm"}, []string{"rmdir x"}},
	{"git push *",
		[]string{"git push", "git -C d push origin", "git --git-dir=.git push", "git -c a=b --no-pager push x", `git "push" x`, "/usr/bin/git push"},
		[]string{"git stash push", "git status", "git log push"}},
	{"git push --force *",
		[]string{"git push -f", "git push origin main --force", "git -C x push -fu origin main", "git push --forc", "git push origin +main"},
		[]string{"git push", "git push --force-with-lease", "git push origin main", "git push --follow-tags"}},
	{"git push --force*", []string{"git push -f x", "git push --force", "git push x --force-with-lease"}, []string{"git push", "git push --tags"}},
	{"sudo rm *", []string{"sudo rm x", "sudo -u u rm -r x"}, []string{"sudo ls rmx"}},
	{"docker run --privileged *", []string{"docker run --rm --privileged=true i", "docker container run --privileged i"}, []string{"docker run i"}},
	{"git push * --force", []string{"git push --force", "git push -f origin main"}, []string{"git push origin main"}},
	{"git push origin main *", []string{"git push -u origin main", "git push origin main -f"}, []string{"git push origin dev"}},
	{"git branch -D *", []string{"git branch -D x", "git branch -d -f x", "git branch --delete --force x"}, []string{"git branch -d x", "git branch"}},
	{"git commit --no-verify *", []string{"git commit -n -m x", "git commit -anm x", "git commit -m x --no-verify"}, []string{"git commit -m -n", "git commit -m no-verify"}},
	{"git reset --hard *", []string{"git reset HEAD~1 --hard", "git reset --hard"}, []string{"git reset HEAD"}},
	{"git checkout -- *", []string{"git checkout -- x", "git checkout HEAD -- x"}, []string{"git checkout x"}},
	{"npm publish *", []string{"npm publish", "npm --prefix x publish --tag y"}, []string{"npm run publish", "npm pack"}},
	{"npm install *", []string{"npm i x", "npm add x", "npm install"}, []string{"npm ls", "npm ci"}},
	{"gh api -X DELETE *", []string{"gh api -X DELETE r", "gh api r --method DELETE", "gh api r -XDELETE", "gh api --method=DELETE r"}, []string{"gh api r", "gh api -X POST r", "gh api DELETE -X GET"}},
	{"find * -delete", []string{"find . -delete", "find -delete", "find . -name x -delete -print"}, []string{"find . -name delete", "find . -d -e"}},
	{"kill -9 *", []string{"kill -9 1", "kill -KILL 1", "kill -s KILL 1", "kill -SIGKILL 1", "kill --signal 9 1", "kill -s9 1"}, []string{"kill 1", "kill -15 9"}},
	{"docker rm *", []string{"docker rm x", "docker container rm x", "docker -H y rm -f x"}, []string{"docker rmi x", "docker run rm"}},
	{"docker rmi *", []string{"docker image rm x"}, []string{"docker rm x"}},
	{"kubectl delete *", []string{"kubectl -n x delete pod y", "kubectl delete -f z"}, []string{"kubectl get delete"}},
	{"kubectl delete pod *", []string{"kubectl delete -n x pod y"}, []string{"kubectl delete svc pod-x"}},
	{"chmod 777 *", []string{"chmod -R 777 x"}, []string{"chmod 755 x"}},
	{"chmod -R 777 *", []string{"chmod 777 x --recursive"}, []string{"chmod 777 x"}},
	{"curl -X POST *", []string{"curl -sXPOST u", "curl u --request POST"}, []string{"curl -X GET u", "curl POST"}},
	{"terraform destroy *", []string{"terraform -chdir=x destroy"}, []string{"terraform plan -destroy"}},
	{"dd of=/dev/* *", []string{"dd if=x of=/dev/sda"}, []string{"dd if=/dev/zero of=x"}},
	{"systemctl stop *", []string{"systemctl --user stop x", "systemctl -H h stop x"}, []string{"systemctl status stop"}},
	{"/bin/rm *", []string{"/bin/rm x"}, []string{"rm x", "/usr/bin/rm x"}},
	{`echo \* *`, []string{`echo '*' x`}, []string{"echo x"}},
}

func TestCompileDeny(t *testing.T) {
	for _, c := range denyCases {
		p, ok := shell.CompileDeny(c.pattern)
		if !ok {
			t.Errorf("CompileDeny(%q) is false", c.pattern)
			continue
		}
		match := func(command string) bool {
			for _, u := range shell.Bash(command).Units {
				if p.Match(u) {
					return true
				}
			}
			return false
		}
		for _, command := range c.denied {
			if !match(command) {
				t.Errorf("%q does not match %q", c.pattern, command)
			}
		}
		for _, command := range c.notDenied {
			if match(command) {
				t.Errorf("%q matches %q", c.pattern, command)
			}
		}
	}
}

func TestCompileDenyWithoutProgram(t *testing.T) {
	for _, pattern := range []string{"", "*", "r*", "r* -rf *", "A=1 rm *", "?m x", "  ", "/ x", ".exe x"} {
		if p, ok := shell.CompileDeny(pattern); ok {
			t.Errorf("CompileDeny(%q) = %v, true", pattern, p)
		}
	}
}
