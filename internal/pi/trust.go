package pi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/pigate/pigate/internal/fileid"
)

// Trust tells whether Pi's trust in a project is a person's decision. Pi also
// trusts a project that holds nothing it would ask about, and then nobody was
// asked. It may be used by several goroutines.
type Trust struct {
	agentDir string

	mu sync.Mutex
	// decisions are those of trust.json, id its identity when they were read.
	decisions map[string]bool
	id        fileid.ID
	// questions says, by root, whether Pi had something to ask about.
	questions map[string]bool
}

// NewTrust looks at the decisions that Pi keeps in its agent folder.
func NewTrust(agentDir string) *Trust {
	return &Trust{agentDir: agentDir, questions: map[string]bool{}}
}

// Asked reports that the trust which Pi has in the project with the absolute
// folder root is somebody's decision: trust.json, read again each time, names
// the folder or one above it, or the project holds what Pi asks about. The
// latter is looked up the first time only, when Pi has just asked: a file that
// the agent writes later must not pass for a question. What cannot be read, and
// a decision against the project, count as not asked.
func (t *Trust) Asked(root string) bool {
	if !filepath.IsAbs(root) {
		return false
	}
	question := t.question(root)
	folder, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false
	}
	trusted, found, err := t.nearestDecision(folder)
	switch {
	case err != nil:
		return false
	case found:
		return trusted
	}
	return question
}

// Decided reports that a person decided to trust a folder: trust.json names it or
// one above it. With silent it is also said of a folder without a decision that
// holds nothing Pi would ask about.
func (t *Trust) Decided(folder string, silent bool) bool {
	if !filepath.IsAbs(folder) {
		return false
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	trusted, found, err := t.nearestDecision(real)
	if err != nil || found {
		return err == nil && trusted
	}
	return silent && !asksTrust(folder)
}

func (t *Trust) question(root string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	asks, known := t.questions[root]
	if !known {
		asks = asksTrust(root)
		t.questions[root] = asks
	}
	return asks
}

// nearestDecision finds what trust.json says about a folder without symbolic
// links, or the nearest one above it.
func (t *Trust) nearestDecision(folder string) (trusted, found bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	file := filepath.Join(t.agentDir, "trust.json")
	if t.decisions == nil || !t.id.Same(file) {
		t.decisions, t.id = nil, fileid.Of(file, time.Now())
		if t.decisions, err = readDecisions(file); err != nil {
			return false, false, err
		}
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		if trusted, found := t.decisions[folded(dir)]; found {
			return trusted, true, nil
		}
		if dir == filepath.Dir(dir) {
			return false, false, nil
		}
	}
}

// readDecisions reads trust.json. As in Pi, one wrong value spoils the file,
// and null decides nothing.
func readDecisions(file string) (map[string]bool, error) {
	body, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]bool{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read Pi's trust: %w", err)
	}
	var entries map[string]*bool
	err = json.Unmarshal(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), &entries)
	if err == nil && entries == nil {
		err = errors.New("it is no object")
	}
	if err != nil {
		return nil, fmt.Errorf("read Pi's trust: %s: %w", file, err)
	}
	decisions := make(map[string]bool, len(entries))
	for key, value := range entries {
		key, err := filepath.Abs(key)
		if err != nil {
			return nil, fmt.Errorf("read Pi's trust: %w", err)
		}
		if value != nil {
			key = folded(key)
			// Of two spellings of one folder the one against it counts.
			before, twice := decisions[key]
			decisions[key] = *value && (before || !twice)
		}
	}
	return decisions, nil
}

// askedAbout are the names in a project's .pi for which Pi asks before it uses
// the project: those of its documentation of project trust.
var askedAbout = []string{
	"settings.json", "mcp.json", "extensions", "skills", "prompts", "themes", "SYSTEM.md", "APPEND_SYSTEM.md",
}

// asksTrust reports that a project holds something for which Pi asks: one of
// askedAbout, or .agents/skills in its folder or one above that is not the
// user's own.
func asksTrust(root string) bool {
	folder, err := filepath.EvalSymlinks(root)
	if err != nil {
		return false
	}
	for _, name := range askedAbout {
		if exists(filepath.Join(folder, ".pi", name)) {
			return true
		}
	}
	own, known := ownSkills()
	for dir := folder; known; dir = filepath.Dir(dir) {
		skills := filepath.Join(dir, ".agents", "skills")
		if folded(skills) != folded(own) && exists(skills) {
			return true
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return false
}

// ownSkills is the folder of the user's own skills, which Pi never asks about.
func ownSkills() (dir string, known bool) {
	home := os.Getenv("HOME") // Pi prefers it on every system
	if home == "" {
		var err error
		if home, err = os.UserHomeDir(); err != nil {
			return "", false
		}
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	return filepath.Join(home, ".agents", "skills"), true
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// folded is a path as Pi compares it: letter case does not count on Windows.
func folded(path string) string {
	if runtime.GOOS == "windows" {
		return strings.ToLower(path)
	}
	return path
}
