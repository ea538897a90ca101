package shell_test

import (
	"testing"
)

func TestGuardedFiles(t *testing.T) {
	checkGuards(t, []guardCase{
		{"find *", "find . -fls PWNED", "-fls"},
		{"find *", "find . '-delete'", "-delete"},
		{"find *", `find . -d""elete`, "-delete"},
		{"find *", "find . -del$x", "-delete"},
		{"rg *", "rg --pre ./evil.sh x", "--pre"},
		{"rg *", "rg --hostname-bin=./evil x", "--hostname-bin"},
		{"rg *", "rg -z x", "-z"},
		{"rg *", "rg --search-zip x", "--search-zip"},
		{"rg *", "rg -nz x", "-z"},
		{"ag *", "ag --pager ./evil x", "--pager"},
		{"ack *", "ack --pager=./evil x", "--pager"},
		{"tree *", "tree -o PWNED", "-o"},
		{"tree *", "tree -ao PWNED", "-o"},
		{"shuf *", "shuf -o PWNED a", "-o"},
		{"less *", "less -o PWNED a", "-o"},
		{"less *", "less '+!touch PWNED' a", "+"},
		{"less *", "less --log-file=PWNED a", "--log-file"},
		{"man *", "man -P './evil' ls", "-P"},
		{"man *", "man --pager=./evil ls", "--pager"},
		{"man *", "man -H./evil ls", "-H"},
		{"man *", "man -P./evil ls", "-P"},
		{"tee *", "tee -a PWNED", "PWNED"},
		{"patch *", "patch -e x", "-e"},
		{"split *", "split --filter './evil' a", "--filter"},
		{"dd *", "dd if=a of=PWNED", "of="},
		{"fzf *", "fzf --bind 'start:execute(touch PWNED)'", "--bind"},
		{"fzf *", "fzf --preview 'touch PWNED'", "--preview"},
		{"bat *", "bat --pager=./evil a", "--pager"},
		{"exiftool *", `exiftool -if 'system("touch PWNED")' a`, "-if"},
		{"exiftool *", "exiftool -Comment=x a", "-Comment"},
		{"find *", `find . -name "*.go" -newer x -printf '%p\n'`, ""},
		{"find *", "find . -mtime -$x", ""},
		{"find *", "find $dir -type f", ""},
		{"grep *", `grep "$x" f`, ""},
		{"grep *", "grep -$n x f", ""},
		{"rg *", "rg -o foo -r '$1'", ""},
		{"rg *", "rg --pre-glob '*.x' y", ""},
		{"less *", "less +F a", ""},
		{"less *", "less +/foo a", ""},
		{"tree *", "tree -L 2 -I node_modules", ""},
		{"tee *", "tee /dev/null", ""},
		{"fzf *", "fzf -q exec", ""},
		{"man *", "man 3 printf", ""},
		{"nl *", "nl -ba a", ""},
	})
}
