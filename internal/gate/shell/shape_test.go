package shell_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/shell"
)

func TestShape(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"git push --force origin main": "git push", "git -C /x -c a=b log -n 1": "git log", "git": "git", "git --version": "git", "/usr/bin/git stash pop": "git stash pop",
		"npm run build -- --watch": "npm run build", "npm test": "npm test", "ls -la /tmp": "ls", "make -C x all": "make", "A=1 B=2 go test ./...": "go test",
		"gh pr create --fill": "gh pr create", "docker compose up -d": "docker compose up", "docker run -it alpine sh": "docker run", "python3 -m pytest -q": "python3 -m pytest",
		"python x.py": "python", `git "push"`: "git push", "git $X": "git", "git ../x": "git", "A=1": "", "$X y": "", "kubectl -n prod get pods": "kubectl get",
	} {
		if u := shell.Bash(command).Units[0]; u.Shape() != want {
			t.Errorf("%s: %q, want %q", command, u.Shape(), want)
		}
	}
}

// The shape of a command holds nothing that could be taken for more than words.
func TestShapeIsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"run", "-m", "pr", "x"})), 0, 4).Draw(t, "words")
		program := rapid.SampledFrom([]string{"git", "npm", "gh", "python", "ls"}).Draw(t, "program")
		a := shell.Bash(program + " " + strings.Join(words, " "))
		for i := range a.Units {
			u := &a.Units[i]
			rest, ok := strings.CutPrefix(u.Shape(), u.Program)
			if !ok || strings.ContainsFunc(rest, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune("<>|;&$`'\"*?\\=", r) }) {
				t.Fatalf("%q of %q", u.Shape(), u.Text)
			}
		}
	})
}
