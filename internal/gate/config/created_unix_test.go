//go:build unix

package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAProjectIsRememberedByItsRealFolder(t *testing.T) {
	f := newFixture(t).global(`{"allow":["shell:a"]}`)
	link := filepath.Join(filepath.Dir(f.root), "link")
	if err := os.Symlink(f.root, link); err != nil {
		t.Fatal(err)
	}
	if _, err := f.loader.Save(link, []string{"shell:b"}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(createdPath(f.agent))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want the file to be the person's alone", info.Mode())
	}
	for _, root := range []string{f.root, link} {
		if got := f.fresh(root); !cmp.Equal(got, []string{"shell:a", "shell:b"}) {
			t.Errorf("%s allows %q", filepath.Base(root), got)
		}
	}
	// The link then leads to a project that brings a file of its own.
	other := t.TempDir()
	f.write(FilesOf(f.agent, other).Project, `{"allow":["shell"]}`)
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	if got := f.fresh(link); !cmp.Equal(got, []string{"shell:a"}) {
		t.Errorf("the link, elsewhere now, allows %q", got)
	}
}

func TestADanglingLinkIsAFileToo(t *testing.T) {
	f := newFixture(t).asked(false).global(`{"allow":["shell:a"]}`)
	if err := os.Mkdir(filepath.Dir(f.files.Project), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("later.json", f.files.Project); err != nil {
		t.Fatal(err)
	}
	if r := f.host(); r.Trusted || len(allowed(r)) > 0 {
		t.Errorf("trusted %t, allow %q", r.Trusted, allowed(r))
	}
	if saved, err := f.loader.Save(f.root, []string{"shell:b"}); err == nil {
		t.Errorf("saved %q", saved)
	}
	f.write(filepath.Join(filepath.Dir(f.files.Project), "later.json"), `{"allow":["shell"]}`)
	if r := f.host(); r.Trusted || !cmp.Equal(allowed(r), []string{"shell:a"}) {
		t.Errorf("trusted %t, allow %q", r.Trusted, allowed(r))
	}
}
