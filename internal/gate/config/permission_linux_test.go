package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// forNobody is newFixture in folders that everyone may look into.
func forNobody(t *testing.T) *fixture {
	f := newFixture(t)
	if err := os.Chmod(filepath.Dir(filepath.Dir(f.root)), 0o755); err != nil {
		t.Fatal(err)
	}
	return f
}

// asNobody runs body without the right of root to open everything. What body
// does on the file system it must do on its own goroutine.
func asNobody(t *testing.T, body func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		body()
		return
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
	body()
}

func TestForbiddenFile(t *testing.T) {
	f := forNobody(t).global(`{"allow":["shell:a"]}`).project(`{"allow":["shell:b"],"deny":["shell:d"]}`)
	f.load()
	if err := os.Chmod(f.files.Project, 0); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		r := f.load()
		if r.Global.Invalid {
			t.Errorf("the other file: %+v", r.Global)
		}
		if !r.Project.Invalid || !strings.Contains(r.Project.Err, "permission denied") {
			t.Errorf("state: %+v", r.Project)
		}
		if len(allowed(r)) > 0 || !contains(denied(r), "shell:d") {
			t.Errorf("it allows %q and denies %q", allowed(r), denied(r))
		}
	})
}

func TestSeedingThatFails(t *testing.T) {
	f := forNobody(t)
	dir := filepath.Dir(f.files.Global)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		r := f.load()
		if got := f.warnings(r.New); len(got) != 1 || got[0] != "GLOBAL: the file could not be created with the defaults: permission denied" {
			t.Errorf("warnings: %q", got)
		}
		if len(allowed(r)) != len(defaultAllow) || r.Global.Found || r.Global.Invalid {
			t.Errorf("it allows %q; state %+v", allowed(r), r.Global)
		}
		if again := f.load(); len(again.New) > 0 || again.Policy != r.Policy {
			t.Errorf("the second time: new %q", f.warnings(again.New))
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestSaveThatFails(t *testing.T) {
	f := forNobody(t).global(`{"allow":[]}`).project(`{"allow":[]}`)
	dir := filepath.Dir(f.files.Project)
	if err := os.MkdirAll(filepath.Join(f.agent, "pigate", "locks"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(f.agent, "pigate", "locks"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	asNobody(t, func() {
		if r := f.load(); r.Project.Invalid || r.Global.Invalid {
			t.Errorf("states: %+v %+v", r.Global, r.Project)
		}
		if saved, err := f.loader.Save(f.root, []string{"shell:new"}); err == nil || len(saved) > 0 ||
			!strings.Contains(err.Error(), "permission denied") {
			t.Errorf("saved %q, error %v", saved, err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := f.read(f.files.Project); got != `{"allow":[]}` {
		t.Errorf("the file holds %s", got)
	}
	f.onlyFiles(dir, "allowlist-gate.json")
}
