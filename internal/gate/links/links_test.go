//go:build unix

package links

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/policy"
)

// tree makes files and links in a fresh folder, whose own name holds no links.
// An entry is "folder/", "file", or "link -> target".
func tree(t *testing.T, entries ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name, target, isLink := strings.Cut(e, " -> ")
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		switch {
		case isLink:
			err = os.Symlink(strings.ReplaceAll(target, "ROOT", root), path)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(path, 0o755)
		default:
			err = os.WriteFile(path, []byte("x"), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestResolve(t *testing.T) {
	root := tree(t,
		"project/src/a.go", "project/plain/", "outside/deep/secret", "outside/deep/up -> ..",
		"project/file -> src/a.go", "project/folder -> src", "project/out -> ../outside", "project/abs -> ROOT/outside/deep",
		"project/chain -> out/deep", "project/up -> out/../x", "project/linkup -> abs/../y",
		"project/dangling -> ../outside/new/file", "project/danglingchain -> dangling", "project/dots -> ././src/.",
		"project/missingup -> missing/../out", "project/throughfile -> src/a.go/x",
		"project/loop -> loop", "project/ping -> pong", "project/pong -> ping", "project/growing -> growing/x",
		"project/slashes -> ..//outside///deep/", "alias -> project",
	)
	tests := []struct{ path, want string }{
		{"project", "project"},
		{"project/src/a.go", "project/src/a.go"},
		{"project/new/deep/file", "project/new/deep/file"},
		{"project/src/a.go/below", "project/src/a.go/below"},
		{"project/file", "project/src/a.go"},
		{"project/folder/a.go", "project/src/a.go"},
		{"project/folder/new/x", "project/src/new/x"},
		{"project/out", "outside"},
		{"project/out/deep/secret", "outside/deep/secret"},
		{"project/out/not/yet", "outside/not/yet"},
		{"project/abs/secret", "outside/deep/secret"},
		{"project/chain/secret", "outside/deep/secret"},
		{"project/abs/up/deep/secret", "outside/deep/secret"},
		{"project/up", "x"}, // beside what "out" leads to, not beside "out"
		{"project/linkup", "outside/y"},
		{"project/dangling", "outside/new/file"},
		{"project/danglingchain", "outside/new/file"},
		{"project/danglingchain/below", "outside/new/file/below"},
		{"project/dots/a.go", "project/src/a.go"},
		{"project/missingup/secret", "outside/secret"},
		{"project/throughfile", "project/src/a.go/x"},
		{"project/slashes/secret", "outside/deep/secret"},
		{"alias/src/a.go", "project/src/a.go"},
		{"alias/out/x", "outside/x"},
	}
	for _, tt := range tests {
		abs := root + "/" + tt.path
		want := policy.LinkFacts{}
		if tt.path != tt.want {
			want[abs] = root + "/" + tt.want
		}
		if diff := cmp.Diff(want, Resolve([]string{abs}, runtime.GOOS)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.path, diff)
		}
	}
}

// TestUnresolvable has the paths that can lead anywhere. What they resolve to
// must lie inside no folder, resolvable or not.
func TestUnresolvable(t *testing.T) {
	root := tree(t, "loop -> loop", "ping -> pong", "pong -> ping", "growing -> growing/x")
	list := []string{
		root + "/loop", root + "/loop/x", root + "/ping/x", root + "/growing", root + "/growing/x/y",
		root + "/" + strings.Repeat("n", 300), root + strings.Repeat("/a", 1<<20),
	}
	facts := Resolve(append(list, root), runtime.GOOS)
	for _, p := range list {
		to, ok := facts[p]
		if !ok || !strings.HasPrefix(to, Unresolved) {
			t.Errorf("%.80s resolves to %.80q", p, to)
		}
		for _, base := range []string{"/", root, filepath.Dir(p), facts[root+"/loop"], facts[root+"/growing"]} {
			if _, inside := paths.Inside(to, base, false); inside && to != base {
				t.Errorf("%.80s lies inside %.80s", to, base)
			}
		}
	}
}

func TestOtherSystem(t *testing.T) {
	root := tree(t, "link -> /etc")
	if got := Resolve([]string{root + "/link", "C:/x"}, "windows"); len(got) > 0 {
		t.Errorf("paths of another system were looked up: %v", got)
	}
	if got := Resolve([]string{"relative", ""}, runtime.GOOS); len(got) > 0 {
		t.Errorf("relative paths were looked up: %v", got)
	}
}

// TestAgreesWithTheSystem draws trees of links and compares with what the
// system itself makes of every path that exists.
func TestAgreesWithTheSystem(t *testing.T) {
	names := []string{"a", "b", "c"}
	rapid.Check(t, func(rt *rapid.T) {
		base, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		base, err = filepath.EvalSymlinks(base)
		if err != nil {
			rt.Fatal(err)
		}
		part := rapid.SampledFrom(append([]string{"..", "."}, names...))
		for i := range rapid.IntRange(1, 8).Draw(rt, "entries") {
			at := filepath.Join(append([]string{base}, rapid.SliceOfN(rapid.SampledFrom(names), 1, 3).Draw(rt, fmt.Sprint("path ", i))...)...)
			if rapid.Bool().Draw(rt, fmt.Sprint("folder ", i)) {
				_ = os.MkdirAll(at, 0o755) // a link or file may stand in the way; then the tree is another one
				continue
			}
			target := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(rt, fmt.Sprint("target ", i)), "/")
			_ = os.Symlink(target, at)
		}
		var list []string
		for _, x := range names {
			for _, y := range append([]string{""}, names...) {
				for _, z := range append([]string{""}, names...) {
					list = append(list, filepath.Join(base, x, y, z))
				}
			}
		}
		facts := Resolve(list, runtime.GOOS)
		for _, p := range list {
			want, err := filepath.EvalSymlinks(p)
			if err != nil {
				continue
			}
			got, ok := facts[p]
			if !ok {
				got = p
			}
			if got != want {
				rt.Errorf("%s resolves to %s, the system says %s", p, got, want)
			}
		}
	})
}

// TestWriteLandsWhereResolved writes through links that lead to nothing yet.
func TestWriteLandsWhereResolved(t *testing.T) {
	root := tree(t, "outside/", "project/", "project/new -> ../outside/new", "project/hop -> new2", "project/new2 -> ROOT/outside/new2")
	for _, name := range []string{"new", "hop"} {
		p := root + "/project/" + name
		to := Resolve([]string{p}, runtime.GOOS)[p]
		if err := os.WriteFile(p, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
		if body, err := os.ReadFile(to); err != nil || string(body) != name {
			t.Errorf("%s was said to be %s, which holds %q (%v)", name, to, body, err)
		}
	}
}

func BenchmarkResolveWithoutLinks(b *testing.B) {
	root, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	if err := os.MkdirAll(root+"/project/src/deep", 0o755); err != nil {
		b.Fatal(err)
	}
	list := []string{root + "/project", root + "/project/src/deep/file.go", root + "/agent/settings.json", root + "/agent/extensions"}
	for b.Loop() {
		Resolve(list, runtime.GOOS)
	}
}
