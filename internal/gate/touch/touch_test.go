package touch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/touch"
)

var (
	linux   = paths.Place{OS: "linux", Cwd: "/p", Home: "/home/u"}
	windows = paths.Place{OS: "windows", Cwd: `C:\p`, Home: `C:\Users\u`}
)

// touched writes what the line touches, each action by its first letter: R, W, D
// or X, in small letters where it is not sure, with a slash behind what counts
// with all in it and a star behind what is walked.
func touched(a shell.Analysis, command string, at paths.Place) string {
	line := touch.NewLine(&a, command, at)
	var list []string
	add := func(s string) {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	for i := range a.Units {
		for _, t := range line.Unit(i) {
			letter := "RWDX"[t.Action : t.Action+1]
			if t.Maybe {
				letter = strings.ToLower(letter)
			}
			add(letter + " " + t.Path.String() + []string{"", " names", " tree", " below"}[t.Reach])
		}
	}
	for k := range a.Inputs {
		for _, t := range line.Input(&a.Inputs[k]) {
			add("R " + t.Path.String())
		}
	}
	return strings.Join(list, ", ")
}

func TestTouched(t *testing.T) {
	tests := []struct{ command, want string }{
		{"cat a ../b", "R /p/a, R /b"},
		{"cp a b", "R /p/a, W /p/b, w /p/b/a"},
		{"cp a b c/", "R /p/a, R /p/b, W /p/c/a, W /p/c/b"},
		{"cp -t c a b", "R /p/a, R /p/b, W /p/c/a, W /p/c/b"},
		{"cp --target-dir=c a", "R /p/a, W /p/c/a"},
		{"cp -T a c", "R /p/a, W /p/c"},
		{"cp -r a/. c", "R /p/a below, W /p/c tree, w /p/c/… tree"},
		{"mv a b", "R /p/a tree, D /p/a tree, W /p/b tree, w /p/b/a tree"},
		{"ln -s x/y", "R /p/x/y tree, W /p/y tree"},
		{"rm -rf a", "D /p/a below"},
		{"rm -f -- -a", "D /p/-a"},
		{"rm $x/a ~/b ~root/c", "D …/a, D /home/u/b, D /home/root/c"},
		{`rm "$HOME"/b "$PWD/c" ./d/../e`, "D /home/u/b, D /p/c, D /p/e"},
		{"rm .[a-z]* x?", "D /p/.[a-z]*, D /p/x?"},
		{"rm a{1,2}", "D /p/a1, D /p/a2"},
		{"x=a; rm $x", "D /p/a"},
		{"cd s && rm a", "D /p/s/a"},
		{"cd s; rm a", "D /p/s/a, d /p/a"},
		{"cd ~ && cd x && rm a", "D /home/u/x/a"},
		{"cd $x && rm a", "D …/a"},
		{"(cd s && rm a); rm b", "D /p/s/a, d /p/a, D /p/b, d /p/s/b"},
		{"bash -c 'cd s && rm a'", "D /p/s/a, d /p/a"},
		{"env -C s rm a", "D /p/s/a"},
		{"sudo -D s rm a", "D /p/s/a"},
		{"git -C s rm -r a", "D /p/s/a below"},
		{"git mv a b", "R /p/a tree, D /p/a tree, W /p/b tree, w /p/b/a tree"},
		{"git checkout main -- a", "w /p/main below, W /p/a below"},
		{"git show HEAD:a", "R /p/HEAD:a, R /p/a"},
		{"git show :0:a :b", "R /p/:0:a, R /p/a, R /p/:b, R /p/b"},
		{"git clone u d", "W /p/d, W /p/d/…"},
		{"vim a", "R /p/a, W /p/a"},
		{"curl file:///p/a FILE:b file://localhost/p/c file://h/d https://x/e", "R /p/a, R /p/b, R /p/c"},
		{"curl file://$x/a", "R /…/a"},
		{"openssl enc -pass file:a -in b", "R /p/a, R /p/b"},
		{"ssh-keygen -yf a", "R /p/a"},
		{"tail -f a", "R /p/a"},
		{"od -c a", "R /p/a"},
		{"tee a b", "W /p/a, W /p/b"},
		{"dd if=a of=~/b", "R /p/a, W /home/u/b"},
		{"sort -o a b", "W /p/a, R /p/b"},
		{"sed -n 1p a", "R /p/a"},
		{"sed -i s/a/b/ f", "W /p/f, W /p/f*"},
		{"sed -i -e s/a/b/ f", "W /p/f, W /p/f*"},
		{"sed -i.bak -f s f", "X /p/s, W /p/f, W /p/f*"},
		{"grep x a", "R /p/a"},
		{"grep -e x a", "R /p/a"},
		{"grep -rn x", "R /p below"},
		{"rg x", "R /p below"},
		{"rg x a", "R /p/a below"},
		{"install -m600 a b", "R /p/a, W /p/b, w /p/b/a"},
		{"install -d a b", "W /p/a, W /p/b"},
		{"truncate -s0 a", "W /p/a"},
		{"touch -r a b", "R /p/a, W /p/b"},
		{"chmod -R go= a", "W /p/a below"},
		{"chmod --reference=a b", "R /p/a, W /p/b names"},
		{"tar xf a.tar -C d", "R /p/a.tar, W /p/d/…"},
		{"tar czf a.tgz d", "W /p/a.tgz, R /p/d below"},
		{"tar tf a.tar x", "R /p/a.tar"},
		{"zip -r a.zip d", "W /p/a.zip below, W /p/a.zip*, R /p/d below"},
		{"unzip -d d a.zip", "R /p/a.zip, W /p/d/…"},
		{"gzip a.txt", "R /p/a.txt, D /p/a.txt, W /p/a*"},
		{"gzip -c a.txt", "R /p/a.txt"},
		{"rsync -a s/ d", "R /p/s below, W /p/d tree, w /p/d/… tree"},
		{"rsync -a h:s d", "W /p/d tree, w /p/d/s tree"},
		{"scp a h:b", "R /p/a"},
		{"curl -o a -T b -d @c https://x", "W /p/a, R /p/b, R /p/c"},
		{"wget -O a https://x", "W /p/a"},
		{"wget -P d https://x", "W /p/d/…"},
		{"source a", "X /p/a"},
		{"bash a b", "X /p/a"},
		{"perl -pi -e s/a/b/ f", "W /p/f, W /p/f*"},
		{"cat < a", "R /p/a"},
		{"while read l; do echo; done < a", "R /p/a"},
		{"x=$(< a)", "R /p/a"},
		{"find a -name '*.pyc' -delete", "D /p/a/*.pyc tree, D /p/a/…/*.pyc tree"},
		{"find a -name b -exec rm -r {} +", "R /p/a, D /p/a/b below, D /p/a/…/b below"},
		{"find a -name b | xargs rm", "R /p/a, D /p/a/…b"},
		{"uniq *.txt", "R /p/*.txt, W /p/*.txt"},
		{"cp *", "R /p/*, W /p/*, w /p/*/*"},
		{"truncate -r ? a", "R /p/?, W /p/?, W /p/a"},
		{"mkdir -p a/../b", "W /p/b, W /p/a"},
		{"mkdir -p /p/a/b", "W /p/a/b"},
		{"rmdir -p a/b", "D /p/a/b, D /p/a"},
		{"cp -b a b", "R /p/a, W /p/b, W /p/b*, w /p/b/a, w /p/b/a*"},
		{"install --suffix 1 a b", "R /p/a, W /p/b, W /p/b*, w /p/b/a, w /p/b/a*"},
		{"mv -S nv a .e", "R /p/a tree, D /p/a tree, W /p/.e tree, W /p/.e* tree, w /p/.e/a tree, w /p/.e/a* tree"},
		{"unknown a b", ""},
	}
	for _, tt := range tests {
		if got := touched(shell.Bash(tt.command), tt.command, linux); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.command, got, tt.want)
		}
	}
}

func TestTouchedByPowerShell(t *testing.T) {
	tests := []struct{ command, want string }{
		{`Set-Content a.txt hello`, "W C:/p/a.txt"},
		{`Set-Content -Value hello -Path s\a.txt`, "W C:/p/s/a.txt"},
		{`sc a.txt -v x`, "W C:/p/a.txt"},
		{`'x' | Out-File -FilePath:a.txt`, "W C:/p/a.txt"},
		{`ri ~\.pi -r`, "D C:/Users/u/.pi below"},
		{`Remove-Item -LiteralPath a, b`, "D C:/p/a, D C:/p/b"},
		{`rm $HOME\x`, "D …/x, D C:/Users/u/x"},
		{`Copy-Item a b`, "R C:/p/a, W C:/p/b, w C:/p/b/a"},
		{`Copy-Item -Path a -Dest b`, "R C:/p/a, W C:/p/b"},
		{`mi a b`, "R C:/p/a tree, D C:/p/a tree, W C:/p/b tree, w C:/p/b/a tree"},
		{`New-Item -ItemType File a`, "W C:/p/a tree"},
		{`iwr https://x -OutFile a`, "W C:/p/a"},
		{`gc a`, "R C:/p/a"},
		{`cd s; ri a`, "D C:/p/s/a, d C:/p/a"},
	}
	for _, tt := range tests {
		if got := touched(shell.PowerShell(tt.command), tt.command, windows); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.command, got, tt.want)
		}
	}
}
