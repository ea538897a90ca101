//go:build linux || darwin

package fileid

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestStampSeesEveryChange(t *testing.T) {
	later := func() time.Time { return time.Now().Add(2 * quiet) } // the file has been left alone by then
	changes := map[string]func(path string) error{
		"other size": func(path string) error { return os.WriteFile(path, []byte("longer text"), 0o600) },
		"same size, time set back": func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte("TEXT"), 0o600); err != nil {
				return err
			}
			return os.Chtimes(path, info.ModTime(), info.ModTime())
		},
		"replaced": func(path string) error {
			if err := os.WriteFile(path+".new", []byte("TEXT"), 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
		"removed": os.Remove,
	}
	for name, change := range changes {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
		if Of(path, time.Now()).Same(path) {
			t.Errorf("%s: a file just written counts as settled", name)
		}
		s := Of(path, later())
		if !s.Same(path) {
			t.Errorf("%s: the unchanged file does not count as the same", name)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		if s.Same(path) {
			t.Errorf("%s: the change is not seen", name)
		}
	}
}
