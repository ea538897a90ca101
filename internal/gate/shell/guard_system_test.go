package shell_test

import (
	"testing"
)

func TestGuardedSystem(t *testing.T) {
	checkGuards(t, []guardCase{
		{"date *", "date --set=2000-01-01", "--set"},
		{"date *", "date -s 2000", "-s"},
		{"date *", "date 010100002000", "010100002000"},
		{"hostname *", "hostname evil", "evil"},
		{"journalctl *", "journalctl --rotate", "--rotate"},
		{"journalctl *", "journalctl --vacuum-size=1", "--vacuum-size"},
		{"journalctl *", "journalctl --vac=1", "--vacuum-time"},
		{"systemctl *", "systemctl poweroff", "poweroff"},
		{"systemctl *", "systemctl -H evil status", "-H"},
		{"crontab *", "crontab -r", "-r"},
		{"crontab *", "crontab -", "-"},
		{"crontab *", "crontab evil", "evil"},
		{"dmesg *", "dmesg -L=never", ""},
		{"dmesg *", "dmesg -TC", "-C"},
		{"dmesg *", "dmesg -C", "-C"},
		{"dmesg *", "dmesg -c", "-c"},
		{"sysctl *", "sysctl -w kernel.x=1", "-w, kernel.x=1"},
		{"sysctl *", "sysctl kernel.x=1", "kernel.x=1"},
		{"mount *", "mount /dev/x /mnt", "/dev/x"},
		{"ip *", "ip link set eth0 down", "set"},
		{"ip *", "ip netns exec x touch PWNED", "exec"},
		{"ip *", "ip -b file", "-b"},
		{"ip *", "ip a a 1.2.3.4 dev x", "a"},
		{"ifconfig *", "ifconfig eth0 down", "down"},
		{"strace *", "strace -o PWNED ls", "-o"},
		{"gdb *", "gdb -batch -ex '!touch PWNED'", "-ex"},
		{"gdb *", "gdb -batch -ex 'shell touch PWNED'", "-ex"},
		{"time *", "/usr/bin/time -o PWNED ls", "-o"},
		{"tmux *", `tmux ls \; run-shell 'touch PWNED'`, "run-shell"},
		{"tmux *", "tmux display-message -p '#(touch PWNED)'", "#(touch PWNED)"},
		{"screen *", "screen -X exec touch", "-X"},
		{"journalctl *", "journalctl -u x -n 50 --no-pager", ""},
		{"systemctl *", "systemctl status x", ""},
		{"date *", "date +%F", ""},
		{"date *", "date -d yesterday +%s", ""},
		{"date *", "date -u", ""},
		{"ip *", "ip -br a", ""},
		{"ip *", "ip route", ""},
		{"ip *", "ip a show dev eth0", ""},
		{"tmux *", "tmux capture-pane -p -t x", ""},
		{"tmux *", "tmux list-sessions", ""},
		{"screen *", "screen -ls", ""},
		{"lsof *", "lsof -nP -iTCP:3000 -sTCP:LISTEN", ""},
	})
}
