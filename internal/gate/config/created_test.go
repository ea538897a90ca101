package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/rule"

	"github.com/pigate/pigate/internal/gate/policy"
)

// fresh is what another process allows by the host's word.
func (f *fixture) fresh(root string) []string {
	return allowed(NewLoader(f.agent).Load(root, policy.TrustedByHost))
}

func TestAFileMadeBySavingCounts(t *testing.T) {
	f := newFixture(t).asked(false).global(`{"allow":["shell:a"]}`)
	if r := f.host(); !r.Trusted {
		t.Fatal("saving would not be offered")
	}
	for _, rule := range []string{"shell:one", "shell:two"} {
		if _, err := f.loader.Save(f.root, []string{rule}); err != nil {
			t.Fatal(err)
		}
		if r := f.host(); !contains(allowed(r), rule) || !r.Trusted || len(r.Warnings) > 0 {
			t.Errorf("after saving %q: allow %q, trusted %t, warnings %q", rule, allowed(r), r.Trusted, f.warnings(r.Warnings))
		}
	}
	if diff := cmp.Diff([]string{"shell:a", "shell:one", "shell:two"}, f.fresh(f.root)); diff != "" {
		t.Errorf("another process allows (-want +got):\n%s", diff)
	}
	// What the person then changes by hand counts as well.
	f.project(`{"allow":["shell:three"]}`)
	if diff := cmp.Diff([]string{"shell:three"}, f.fresh(f.root)); diff != "" {
		t.Errorf("edited, it allows (-want +got):\n%s", diff)
	}
	f.onlyFiles(filepath.Join(f.agent, "pigate"), "locks", "projects.json")
}

func TestAnotherFileDoesNot(t *testing.T) {
	f := newFixture(t).asked(false).global(`{"allow":["shell:a"]}`)
	if _, err := f.loader.Save(f.root, []string{"shell:one"}); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	f.write(FilesOf(f.agent, other).Project, `{"allow":["shell:b"]}`)
	below := filepath.Join(f.root, "below")
	f.write(FilesOf(f.agent, below).Project, `{"allow":["shell:b"]}`)
	for _, root := range []string{other, below} {
		if got := f.fresh(root); !cmp.Equal(got, []string{"shell:a"}) {
			t.Errorf("%s allows %q", root, got)
		}
	}
	// Saving into a file that was there does not vouch for the rest of it.
	if _, err := f.loader.Save(other, []string{"shell:one"}); err != nil {
		t.Fatal(err)
	}
	if got := f.fresh(other); !cmp.Equal(got, []string{"shell:a"}) {
		t.Errorf("after saving into a file that was there: %q", got)
	}
}

func TestSavingThatFailsIsNotRemembered(t *testing.T) {
	f := newFixture(t).global(`{"allow":["shell:a"]}`)
	fail := func() {
		t.Helper()
		c, err := f.loader.newFile(filepath.Join(f.root, "missing", "file.json"), rule.Allow, []rule.Rule{{Text: "shell:b"}})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.loader.write(c, f.root); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("error %v", err)
		}
	}
	fail()
	f.project(`{"allow":["shell:c"]}`)
	if got := f.fresh(f.root); !cmp.Equal(got, []string{"shell:a"}) {
		t.Errorf("a file that was not saved counts: %q", got)
	}

	if err := os.Remove(f.files.Project); err != nil {
		t.Fatal(err)
	}
	if _, err := f.loader.Save(f.root, []string{"shell:d"}); err != nil {
		t.Fatal(err)
	}
	fail()
	if got := f.fresh(f.root); !cmp.Equal(got, []string{"shell:a", "shell:d"}) {
		t.Errorf("a failure made it forget what was saved before: %q", got)
	}
}

func TestSavingWhereNothingCanBeRemembered(t *testing.T) {
	for _, text := range []string{"", "{", `{"created":"x"}`, `[]`} {
		f := newFixture(t)
		f.write(createdPath(f.agent), text)
		saved, err := f.loader.Save(f.root, []string{"shell:b"})
		if err == nil || len(saved) > 0 || !strings.Contains(err.Error(), "projects.json") {
			t.Errorf("%q: saved %q, error %v", text, saved, err)
		}
		f.onlyFiles(filepath.Dir(f.files.Project))
		if got := f.read(createdPath(f.agent)); got != text {
			t.Errorf("%q became %q", text, got)
		}
		f.global(`{"allow":[]}`).project(`{"allow":["shell:c"]}`)
		if got := f.fresh(f.root); len(got) > 0 {
			t.Errorf("%q: it allows %q", text, got)
		}
	}
}

func TestProcessesRememberAtOnce(t *testing.T) {
	f := newFixture(t).global(`{"allow":[]}`)
	var args [][]string
	for i := range 6 {
		root := filepath.Join(f.root, fmt.Sprintf("project%d", i))
		if err := os.Mkdir(root, 0o755); err != nil {
			t.Fatal(err)
		}
		args = append(args, []string{f.agent, root, "shell:b"}, []string{f.agent, root, "shell:c"})
	}
	crowd(t, "save", args)
	for _, a := range args {
		if got := f.fresh(a[1]); !contains(got, a[2]) {
			t.Errorf("%s allows %q, want %s", filepath.Base(a[1]), got, a[2])
		}
	}
}
