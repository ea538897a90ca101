package pi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// land is a home with an agent folder, and a project two folders below it.
type land struct {
	t                          *testing.T
	home, agent, work, project string
}

func newLand(t *testing.T) land {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l := land{t: t, home: home, agent: filepath.Join(home, "agent"), work: filepath.Join(home, "work"), project: filepath.Join(home, "work", "project")}
	l.folder(l.agent)
	l.folder(l.project)
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	return l
}

func (l land) folder(path string) {
	l.t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		l.t.Fatal(err)
	}
}

func (l land) write(path, text string) {
	l.t.Helper()
	l.folder(filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		l.t.Fatal(err)
	}
}

// trust writes trust.json.
func (l land) trust(entries map[string]any) {
	l.t.Helper()
	body, err := json.Marshal(entries)
	if err != nil {
		l.t.Fatal(err)
	}
	l.write(filepath.Join(l.agent, "trust.json"), string(body))
}

func (l land) asked(root string) bool { return NewTrust(l.agent).Asked(root) }

func TestAskedByDecision(t *testing.T) {
	l := newLand(t)
	tests := []struct {
		name    string
		entries map[string]any
		want    bool
	}{
		{"no decision", map[string]any{}, false},
		{"the folder", map[string]any{l.project: true}, true},
		{"a folder above", map[string]any{l.work: true}, true},
		{"the root", map[string]any{filepath.VolumeName(l.home) + string(filepath.Separator): true}, true},
		{"spelled with more", map[string]any{l.work + string(filepath.Separator) + "project" + string(filepath.Separator): true}, true},
		{"against it", map[string]any{l.project: false}, false},
		{"the nearest counts, against", map[string]any{l.work: true, l.project: false}, false},
		{"the nearest counts, for", map[string]any{l.work: false, l.project: true}, true},
		{"null decides nothing", map[string]any{l.work: true, l.project: nil}, true},
		{"twice, for and against", map[string]any{l.project: true, l.project + string(filepath.Separator): false}, false},
		{"another folder", map[string]any{l.project + "2": true, filepath.Join(l.project, "below"): true}, false},
		{"a wrong value spoils it all", map[string]any{l.project: true, "/x": "yes"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l.trust(tt.entries)
			if got := l.asked(l.project); got != tt.want {
				t.Errorf("asked: %t, want %t", got, tt.want)
			}
		})
	}
}

func TestAskedByWhatTheProjectHolds(t *testing.T) {
	tests := []struct {
		name string
		put  []string // below the home; the project is work/project
		want bool
	}{
		{"nothing", nil, false},
		{"pigate's own file", []string{"work/project/.pi/allowlist-gate.json"}, false},
		{"a file that means nothing to Pi", []string{"work/project/.pi/other.json", "work/project/SYSTEM.md", "work/project/.agents/other"}, false},
		{"settings", []string{"work/project/.pi/settings.json"}, true},
		{"MCP servers", []string{"work/project/.pi/mcp.json"}, true},
		{"extensions", []string{"work/project/.pi/extensions/x.ts"}, true},
		{"skills", []string{"work/project/.pi/skills/x.md"}, true},
		{"prompts", []string{"work/project/.pi/prompts/x.md"}, true},
		{"themes", []string{"work/project/.pi/themes/x.json"}, true},
		{"a system prompt", []string{"work/project/.pi/SYSTEM.md"}, true},
		{"more of a system prompt", []string{"work/project/.pi/APPEND_SYSTEM.md"}, true},
		{"skills of agents", []string{"work/project/.agents/skills/x.md"}, true},
		{"skills of agents above", []string{"work/.agents/skills/x.md"}, true},
		{"the user's own skills", []string{".agents/skills/x.md"}, false},
		{"settings above", []string{"work/.pi/settings.json"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := newLand(t)
			for _, name := range tt.put {
				l.write(filepath.Join(l.home, filepath.FromSlash(name)), "{}")
			}
			if got := l.asked(l.project); got != tt.want {
				t.Errorf("asked: %t, want %t", got, tt.want)
			}
			l.trust(map[string]any{l.project: false})
			if l.asked(l.project) {
				t.Error("a decision against the project counts as trust")
			}
			l.write(filepath.Join(l.agent, "trust.json"), "{")
			if l.asked(l.project) {
				t.Error("with a broken trust.json it counts as asked")
			}
		})
	}
}

func TestTheHomeFolderAsAProject(t *testing.T) {
	l := newLand(t)
	l.write(filepath.Join(l.home, ".agents", "skills", "x.md"), "")
	if l.asked(l.home) {
		t.Error("the user's own skills pass for a question about their home")
	}
}

// TestAFileWrittenLaterIsNoQuestion is a project that the agent gives what Pi
// would have asked about, had it been there when the session began.
func TestAFileWrittenLaterIsNoQuestion(t *testing.T) {
	l := newLand(t)
	trust := NewTrust(l.agent)
	if trust.Asked(l.project) {
		t.Fatal("an empty project was asked about")
	}
	l.write(filepath.Join(l.project, ".agents", "skills", "x.md"), "")
	if trust.Asked(l.project) {
		t.Error("skills written in mid-session pass for a question")
	}
	l.trust(map[string]any{l.project: true})
	if !trust.Asked(l.project) {
		t.Error("a decision does not count at once")
	}
	l.trust(map[string]any{})
	if trust.Asked(l.project) {
		t.Error("a decision that was taken back still counts")
	}
}

func TestAQuestionStaysAsked(t *testing.T) {
	l := newLand(t)
	settings := filepath.Join(l.project, ".pi", "settings.json")
	l.write(settings, "{}")
	trust := NewTrust(l.agent)
	if !trust.Asked(l.project) {
		t.Fatal("Pi asks about settings")
	}
	if err := os.Remove(settings); err != nil {
		t.Fatal(err)
	}
	if !trust.Asked(l.project) {
		t.Error("what Pi asked about is gone, and the answer with it")
	}
}

func TestAskedOfWhatCannotBeRead(t *testing.T) {
	l := newLand(t)
	l.trust(map[string]any{l.work: true})
	t.Chdir(l.project)
	for _, root := range []string{filepath.Join(l.work, "missing"), "", "."} {
		if l.asked(root) {
			t.Errorf("%q, which is no folder, was asked about", root)
		}
	}
	l.write(filepath.Join(l.project, ".pi", "settings.json"), "{}")
	for _, text := range []string{"", "null", "null and void", "[]", "true", `{"x":1}`} {
		l.write(filepath.Join(l.agent, "trust.json"), text)
		if l.asked(l.project) {
			t.Errorf("trust.json %q trusts the project", text)
		}
	}
	l.write(filepath.Join(l.agent, "trust.json"), "\xef\xbb\xbf{"+quote(l.project)+":true}")
	if !l.asked(l.project) {
		t.Error("a byte order mark is in the way")
	}
}

func quote(s string) string {
	body, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(body)
}
