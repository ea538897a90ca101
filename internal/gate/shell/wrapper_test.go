package shell_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// wrapperCases are commands which, one way or another, run "aa bb".
var wrapperCases = []string{
	"timeout 5 aa bb", "timeout -s KILL --kill-after=3 5 aa bb", "timeout --signal KILL 5m aa bb", "timeout --foreground -- 5 aa bb",
	"nice aa bb", "nice -n 5 aa bb", "nice -5 aa bb", "nice --adjustment 5 aa bb", "nice -n5 aa bb", "ionice -c3 aa bb", "ionice -c 3 -n 7 -t aa bb",
	"nohup aa bb", "stdbuf -oL -e 0 aa bb", "setsid -w aa bb", "time aa bb", "/usr/bin/time -v aa bb", `\time -f %e aa bb`,
	"command aa bb", "command -p -- aa bb", "builtin command aa bb", "exec aa bb", "exec -a n -c aa bb",
	"env aa bb", "env -i A=1 B=2 aa bb", "env -u A -C d aa bb", "env -- aa bb", "env - aa bb", "env -S 'aa bb'", "env -vS'aa bb'", "env --split-string='aa bb'", "/usr/bin/env aa bb",
	"sudo aa bb", "sudo -u u -g g -- aa bb", "sudo -EH A=1 aa bb", "sudo --user=u aa bb", "sudo --user u aa bb", "sudo -nu u aa bb", "sudo -s aa bb", "sudo bash -c 'aa bb'", "doas -u u aa bb", "pkexec --user u aa bb",
	"su -c 'aa bb'", "su - u -c 'aa bb'", "su u --command='aa bb'", "su -s /bin/sh -c 'aa bb' u", "runuser -u u -- aa bb", "runuser -l u -c 'aa bb'", "sg g -c 'aa bb'", "gosu u aa bb",
	"xargs aa bb", "xargs -n 1 -P4 -0 aa bb", "xargs -I{} aa bb", "xargs -I {} -d '\\n' aa bb", "xargs --max-args=1 --null aa bb", "xargs -a f aa bb", "xargs -i aa bb", "xargs sh -c 'aa bb' _",
	"find . -exec aa bb \\;", "find . -type f -exec aa bb ';' -print", "find . -execdir aa bb \\; -o -ok cc {} +", "find . -okdir aa bb", "find . '-exec' aa bb \\;", "find . -ex\\ec aa bb \\;",
	"fd x -x aa bb", "fd --exec aa bb \\; --exec cc", "fd -HX aa bb", "fdfind --exec-batch aa bb",
	"bash -c 'aa bb'", "bash -lc 'aa bb'", "bash -c -x 'aa bb'", "bash -o pipefail -c 'aa bb' x y", "bash -euo pipefail -c 'aa bb'", "bash --norc --rcfile f -c 'aa bb'", "bash +x -c 'aa bb'", "sh -c \"aa bb\"",
	"zsh -fc 'aa bb'", "dash -c 'aa bb'", "fish -c 'aa bb'", "fish --command='aa bb'", "/bin/bash -c 'x; aa bb'", "bash -c 'bash -c \"aa bb\"'", "bash -c $'aa\\x20bb'", "bash -c '\"$@\"' _ aa bb", "sh -c '$0 $1' aa bb", "find . -exec sh -c '$0 \"$1\"' aa bb \\;",
	"bash <<< 'aa bb'", "bash <<E\naa bb\nE", "bash -s <<'E'\naa bb\nE", "sudo sh <<E\naa bb\nE", "sh -e <<-E\n\taa bb\n\tE", "bash /dev/stdin <<< 'aa bb'", "source /dev/stdin <<< 'aa bb'", ". /dev/stdin <<E\naa bb\nE",
	"echo 'aa bb' | sh", "echo aa bb | sudo bash", "printf 'aa bb\\n' | bash -s x", "printf '%s\\n' 'aa bb' | sh", "cat <<E | sh\naa bb\nE", "echo x | cat | echo aa bb | sh", "source <(echo aa bb)", "bash <(printf 'aa bb')", "sh < <(echo aa bb)",
	"eval aa bb", "eval 'aa bb'", "eval \"aa\" bb", "eval -- aa bb", "trap 'aa bb' EXIT", "trap -- 'aa bb' INT TERM", "watch aa bb", "watch -n 1 -d 'aa bb'", "watch -x aa bb", "script -qc 'aa bb' f", "script -q f aa bb",
	"ssh h aa bb", "ssh -p 22 -i k u@h 'aa bb'", "ssh h -p 22 -t 'aa bb'", "ssh -o A=b h -- aa bb", "ssh h <<E\naa bb\nE", "ssh h bash -c \"'aa bb'\"", "sshpass -p x ssh h aa bb", "mosh h -- aa bb",
	"docker exec c aa bb", "docker exec -it -u root -e A=1 c aa bb", "docker -H h exec --workdir /x c sh -c 'aa bb'", "docker container exec c aa bb", "docker run --rm -it -v a:b --name n img aa bb", "docker run --entrypoint aa img bb",
	"docker compose -f f exec -T web aa bb", "docker compose run --rm web aa bb", "docker-compose exec web aa bb", "podman run img aa bb", "nerdctl exec c aa bb", "docker exec -i c bash <<E\naa bb\nE",
	"kubectl exec p -- aa bb", "kubectl -n n exec -it p -c c -- aa bb", "kubectl exec p aa bb", "kubectl exec deploy/d -i -- sh -c 'aa bb'", "kubectl run p --image=i -- aa bb", "oc rsh p aa bb",
	"busybox aa bb", "toybox aa bb", "chroot d aa bb", "chroot --userspec=u:g d aa bb", "flock f aa bb", "flock -n f -c 'aa bb'", "flock -x -w 3 f aa bb", "taskset -c 0 aa bb", "chrt -f 1 aa bb", "strace -f -o o aa bb", "ltrace -S aa bb",
	"parallel aa bb", "parallel -j 4 aa bb ::: x", "parallel --jobs 4 'aa bb' ::: x y", "parallel ::: 'aa bb' cc", "at now <<< 'aa bb'", "echo aa bb | at now", "batch <<E\naa bb\nE",
	"tmux new -d 'aa bb'", "tmux -L s split-window -h aa bb", "tmux send-keys -t x 'aa bb' Enter", "tmux run-shell 'aa bb'", "screen -dmS n aa bb", "nix-shell -p x --run 'aa bb'", "nix develop -c aa bb", "nix shell x y --command aa bb",
	"npx aa bb", "npx -y -p x aa bb", "npx -c 'aa bb'", "npm exec -- aa bb", "npm x -y aa bb", "pnpm exec aa bb", "pnpm --filter x dlx aa bb", "yarn dlx aa bb", "bunx aa bb", "bundle exec aa bb", "poetry run aa bb", "uv run aa bb", "uv run --with x --python 3.12 aa bb", "uvx aa bb", "pipx run aa bb",
	"conda run -n e aa bb", "direnv exec . aa bb", "mise exec node@20 -- aa bb", "op run --env-file=.env -- aa bb", "dotenv -e f aa bb", "cross-env A=1 aa bb", "git submodule foreach --recursive 'aa bb'", "git -C d bisect run aa bb", "git rebase -i --exec 'aa bb' HEAD~2",
	"git -c alias.x='!aa bb' x", "GIT_PAGER='aa bb' git log", "hyperfine -w 3 'aa bb' cc", "nodemon -w src --exec 'aa bb'", "watchexec -e go -- aa bb", "entr -r aa bb", "complete -C 'aa bb' x", "mapfile -C 'aa bb' -c 1 x",
	"cmd /c aa bb", "cmd.exe //c 'aa bb'", "powershell -NoProfile -Command 'aa bb'", "pwsh -c aa bb", "ld-linux-x86-64.so.2 aa bb", "bwrap --bind / / --unshare-net aa bb", "ip netns exec n aa bb", "capsh -- -c 'aa bb'", "start-stop-daemon -S -x aa -- bb",
	"alias x='aa bb'; x", "alias x=aa\nx bb", "X=aa; $X bb", "X='aa bb'; $X", "{aa,bb}", "aa${IFS}bb", "a$@a bb", "$(echo aa) bb", "`echo aa bb`", "${X:-aa} bb", "$SHELL -c 'aa bb'", "set -- aa; \"$1\" bb; aa bb", "A=aa B=b; $A b${C}b",
	"sudo $O aa bb", "timeout $T aa bb", "xargs --unknown x aa bb", "nice nohup setsid env A=1 sudo -u u timeout 5 aa bb", "coproc aa bb", "bash -c 'cd $X && aa bb'", "bash -c \"cd $X && aa bb\"", "bash -c 'if (; aa bb",
	"forfiles /c 'aa bb'", "sbatch --wrap 'aa bb'", "gdb -q --args aa bb", "xterm -T t -e aa bb", "gnome-terminal -- aa bb", "choom -n 0 -- aa bb", "sops exec-env f 'aa bb'", "etcdctl lock m aa bb", "etcdctl watch k -- aa bb", "consul lock p aa bb", "consul watch -type=key -key=k aa bb", "nx exec -- aa bb", "brew bundle exec -- aa bb", "envchain n aa bb",
	"envconsul -prefix=p aa bb", "sem -j 4 aa bb", "sem --id i 'aa bb'", "chokidar '**/*.js' -c 'aa bb'", "onchange '**/*.js' -- aa bb", "pm2 start 'aa bb'", "winpty aa bb", "kitty aa bb", "kitty -e aa bb", "bpftrace -c 'aa bb' f", "fish -C 'aa bb' f", "salt '*' cmd.run 'aa bb'",
}

// runsAABB reports whether a unit is the command "aa bb".
func runsAABB(a model.Analysis) bool {
	return slices.ContainsFunc(a.Units, func(u model.Unit) bool { return slices.Contains(u.Views, "aa bb") })
}

func TestWrappersShowWhatTheyRun(t *testing.T) {
	for _, command := range wrapperCases {
		a := shell.Bash(command)
		if !runsAABB(a) {
			t.Errorf("%q does not show aa bb: %q %s", command, texts(a), a.Unparsed)
		}
		sound(t, command, a)
		// One level more must not hide it.
		for _, outer := range []string{"sudo bash -c '%'", "true && (%\n)", "echo \"$(%\n)\""} {
			text := strings.ReplaceAll(outer, "%", command)
			if strings.Contains(outer, "'%'") {
				text = strings.ReplaceAll(outer, "%", strings.ReplaceAll(command, "'", `'\''`))
			}
			if a := shell.Bash(text); !runsAABB(a) {
				t.Errorf("%q does not show aa bb: %q %s", text, texts(a), a.Unparsed)
			}
		}
	}
}

// runners are the commands of a program that run others.
func runners(c *catalog.Command) (list []*catalog.Command) {
	if c.Runs != nil {
		list = append(list, c)
	}
	seen := map[*catalog.Command]bool{}
	for _, sub := range c.Subs {
		if !seen[sub] {
			seen[sub] = true
			list = append(list, runners(sub)...)
		}
	}
	return list
}

// TestWrapperTables runs each command that runs another in its plainest spelling,
// so that no entry of the catalogue is dead.
func TestWrapperTables(t *testing.T) {
	for _, p := range catalog.Default().Programs() {
		for _, c := range runners(&p.Command) {
			w := c.Runs
			if w.Reader != "" {
				continue
			}
			command, texts, program := c.String(), []string{""}, ""
			for _, o := range c.Options {
				if o.Role == catalog.RoleShell {
					texts = append(texts, o.Names...)
				} else if o.Role == catalog.RoleRun {
					program = o.Names[0]
				}
			}
			for _, option := range texts {
				line := command
				switch {
				case option != "":
					line += " " + option + " 'aa bb'"
				case w.OnlyOptions && w.After != nil:
					line += " " + w.After[0] + " aa bb"
				case w.OnlyOptions && program != "":
					line += " " + program + " aa bb"
				case w.OnlyOptions:
					continue
				default:
					line += strings.Repeat(" operand", w.Operands)
					if w.BehindDashes {
						line += " --"
					}
					if w.Holds != nil {
						line += " " + strings.ReplaceAll(w.Holds[0], "#", "x#") + "aa bb"
					} else if w.As == catalog.AsTexts {
						line += " 'aa bb'"
					} else {
						line += " aa bb"
					}
				}
				a := shell.Bash(line)
				if !slices.ContainsFunc(a.Units, func(u model.Unit) bool {
					return slices.Contains(u.Views, "aa bb") || slices.Contains(u.Views, "aa") && program != "" || w.Program != "" && slices.Contains(u.Views, w.Program+" aa bb")
				}) {
					t.Errorf("%q does not show aa bb", line)
				}
			}
		}
	}
}

func TestTransparent(t *testing.T) {
	for _, command := range []string{"time -p aa", "/usr/bin/timeout 5 aa", "timeout 5 aa 2>&1", "nice -n 5 aa", "ionice aa", "nohup aa", "stdbuf -o0 aa", "setsid aa", "command aa", "builtin cd", "timeout 5 nice aa"} {
		for _, u := range shell.Bash(command).Units {
			if !u.Transparent && u.Program != "aa" && u.Program != "cd" {
				t.Errorf("%q: %q is not transparent", command, u.Text)
			}
		}
	}
	for _, command := range []string{"./timeout 5 aa", "A=1 timeout 5 aa", "timeout $N aa", "sudo aa", "env aa", "xargs aa", "exec aa", "/usr/bin/time -o f aa", "nice", "command -v aa", "timeout --unknown 5 aa", "bin/nice aa", "nice2 aa", "timeout-9 5 aa"} {
		if u := shell.Bash(command).Units[0]; u.Transparent {
			t.Errorf("%q is transparent", command)
		}
	}
}

func TestParents(t *testing.T) {
	a := shell.Bash(`sudo bash -c 'ls $(id)' x $(pwd)`)
	var got []string
	for _, u := range a.Units {
		parent := "-"
		if u.Parent >= 0 {
			parent = a.Units[u.Parent].Program
		}
		got = append(got, u.Program+"<"+parent)
	}
	want := []string{"sudo<-", "pwd<-", "bash<sudo", "ls<bash", "id<bash"}
	if !slices.Equal(got, want) {
		t.Errorf("parents are %q, want %q", got, want)
	}
}

// TestFedTextIsPartOfTheRule: a rule saved for a shell that a here-document
// feeds must not cover another one.
func TestFedTextIsPartOfTheRule(t *testing.T) {
	for _, command := range []string{"sudo bash <<E\naa\nE", "bash <<< aa", "env sh <<'E'\naa\nE"} {
		for _, u := range shell.Bash(command).Units {
			if (u.Program == "bash" || u.Program == "sh") && !strings.Contains(u.Text, "aa") {
				t.Errorf("%q: the text %q does not say what it runs", command, u.Text)
			}
		}
	}
}

func TestRunnersCover(t *testing.T) {
	for _, c := range []struct {
		command, pattern string
		want             bool
	}{
		{"npx tsc -p .", "npx tsc *", true}, {"npx tsc", "npx tsc *", true}, {"npx  -y tsc -p .", "npx -y tsc *", true}, {"uv run pytest -q", "uv run pytest*", true},
		{"npx tsc -p .", "npx *", false}, {"npx tsc -p .", "npx ts*", false}, {"npx tsc -p .", "npx t?c *", false}, {"npx tsc-evil", "npx tsc*", false}, {"npx -y tsc", "npx * tsc", false},
		{"sudo apt update", "sudo apt *", false}, {"npx sh -c 'rm x'", "npx sh *", true}, {"npx $X a", "npx $X *", false},
	} {
		units := shell.Bash(c.command).Units
		if got := units[0].Covers(&units[1], c.pattern); got != c.want {
			t.Errorf("%q covers the %q of %q: %v", c.pattern, units[1].Text, c.command, got)
		}
	}
	units := shell.Bash("npx sh -c 'rm x'").Units
	if units[0].Covers(&units[2], "npx sh *") {
		t.Error("a rule for a runner covers what is behind its program")
	}
}
