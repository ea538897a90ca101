package links

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestLinksOfAProcess: below /proc a link means something else to each process
// that follows it.
func TestLinksOfAProcess(t *testing.T) {
	root := tree(t, "project/cwd -> /proc/self/cwd", "project/fd -> /dev/fd/7", "project/file")
	for _, p := range []string{root + "/project/cwd/x", root + "/project/fd", "/proc/self/cwd/x"} {
		if to := Resolve([]string{p}, runtime.GOOS)[p]; !strings.HasPrefix(to, Unresolved) {
			t.Errorf("%s resolves to %q", p, to)
		}
	}
}

func TestForbiddenFolder(t *testing.T) {
	root := tree(t, "closed/link -> /etc", "project/in -> ../closed/link")
	if err := os.Chmod(root+"/closed", 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Chmod(root+"/closed", 0o755); err != nil {
			t.Error(err)
		}
	})
	if os.Geteuid() == 0 {
		// Root may look into every folder; nobody may not.
		if err := os.Chmod(filepath.Dir(root), 0o755); err != nil {
			t.Fatal(err)
		}
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := syscall.Setfsuid(0); err != nil {
				t.Fatal(err)
			}
		}()
	}
	open := root + "/project/x"
	closed := root + "/project/in"
	facts := Resolve([]string{open, closed}, runtime.GOOS)
	if to, ok := facts[open]; ok {
		t.Errorf("%s resolves to %s", open, to)
	}
	if to := facts[closed]; !strings.HasPrefix(to, Unresolved) {
		t.Errorf("%s resolves to %q", closed, to)
	}
}
