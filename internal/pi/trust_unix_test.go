//go:build unix

package pi

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAskedThroughALink(t *testing.T) {
	l := newLand(t)
	link := filepath.Join(l.home, "link")
	if err := os.Symlink(l.project, link); err != nil {
		t.Fatal(err)
	}
	l.trust(map[string]any{link: true})
	if l.asked(link) {
		t.Error("Pi keeps real folders; the name of a link decides nothing")
	}
	l.trust(map[string]any{l.work: true})
	if !l.asked(link) {
		t.Error("the folder above the real one is trusted")
	}
}

func TestALinkToNothingIsNoQuestion(t *testing.T) {
	l := newLand(t)
	l.folder(filepath.Join(l.project, ".pi"))
	if err := os.Symlink("nowhere", filepath.Join(l.project, ".pi", "settings.json")); err != nil {
		t.Fatal(err)
	}
	if l.asked(l.project) {
		t.Error("Pi does not see a link that leads nowhere")
	}
}
