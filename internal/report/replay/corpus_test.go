package replay_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/replay"
	"github.com/pigate/pigate/internal/testcorpus"
)

// aCase is a line of a file of cases.
type aCase struct {
	Tool     string          `json:"tool"`
	Input    json.RawMessage `json:"input"`
	Command  string          `json:"command"`
	Cwd      string          `json:"cwd"`
	OS       string          `json:"os"`
	Allow    []string        `json:"allow"`
	Deny     []string        `json:"deny"`
	Settings json.RawMessage `json:"settings"`
}

func readCases(t *testing.T, path string) (cases []aCase) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := aCase{Tool: "bash", Cwd: "/home/u/proj", OS: "linux"}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if c.Input == nil {
			if c.Input, err = json.Marshal(map[string]string{"command": c.Command}); err != nil {
				t.Fatal(err)
			}
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil || len(cases) == 0 {
		t.Fatalf("%s: %d cases, %v", path, len(cases), err)
	}
	return cases
}

// policy is that of a case; one without rules gets some that match many
// commands.
func (c *aCase) policy(t *testing.T, i int) *policy.Policy {
	t.Helper()
	settings, err := config.ParseSettings(c.Settings)
	if err != nil {
		t.Fatal(err)
	}
	if c.Allow == nil {
		c.Allow, c.Deny = []string{"shell:git *", "shell:ls *", "shell:find *", "shell:docker *", "edit:out/*"}, []string{"shell:rm *", "shell:sudo *", "edit:*.log"}
	}
	if i%2 == 0 && c.Settings == nil {
		settings.Redirections = policy.RedirectionsPrecise
	}
	settings.GuardedFlags = settings.GuardedFlags && i%5 > 0
	var texts []string
	for _, text := range c.Allow {
		texts = append(texts, "+"+text)
	}
	for _, text := range c.Deny {
		texts = append(texts, "-"+text)
	}
	return policy.New(settings, rulesOf(t, texts...))
}

// Calls that try to get past the gate are decided again as they were decided:
// verdict, reasons and decision.
func TestAttacksAreReproduced(t *testing.T) {
	t.Parallel()
	var files []string
	for _, name := range []string{"reports.jsonl", "reports-2.jsonl", "attacks-2.jsonl", "escapes.jsonl"} {
		files = append(files, filepath.Join("..", "..", "..", "cmd", "pigate", "testdata", name))
	}
	reproduced(t, files...)
}

// So are real command lines.
func TestCommandsAreReproduced(t *testing.T) {
	t.Parallel()
	reproduced(t, testcorpus.Path(t, "commands.jsonl"))
}

// reproduced lets a guard decide the cases of files, and a replay again.
func reproduced(t *testing.T, files ...string) {
	t.Helper()
	o := audittest.Options()
	o.Durability = audit.Process
	s := newStageWith(t, o)
	s.linked = true
	answers := []string{gate.OptionOnce, gate.OptionSession, gate.OptionSave, gate.OptionDeny, "dismissed"}
	count := 0
	for _, file := range files {
		for i, c := range readCases(t, file) {
			s.policy = c.policy(t, i)
			s.request.Cwd, s.request.Root, s.request.OS, s.request.HasUI = c.Cwd, c.Cwd, c.OS, i%11 > 0
			s.call(c.Tool, c.Input, answers[i%len(answers)])
			if count++; i%7 == 0 { // the same again
				s.call(c.Tool, c.Input, gate.OptionOnce)
				count++
			}
			if i%13 == 0 && c.Tool == "bash" {
				s.call("powershell", c.Input, gate.OptionOnce)
				count++
			}
		}
	}
	for _, old := range []replay.Policies{nil, replay.Recorded(s.reader().Policy)} {
		result, changes := s.replay(replay.Options{Old: old}, audit.Filter{})
		for i, c := range changes {
			if i < 5 {
				t.Errorf("%s: %s\n%+v\n%+v", c.What, c.Change, c.Old, c.New)
			}
		}
		if d := result.Decided; d.Calls != count || d.Changes() != len(changes) || len(changes) > 0 || len(d.NotReplayable) > 0 || result.Decided.Prompts.Old != result.Decided.Prompts.New {
			t.Errorf("%d of %d calls, %d changes, not replayable %+v, prompts %d and %d", d.Calls, count, len(changes), d.NotReplayable, result.Decided.Prompts.Old, result.Decided.Prompts.New)
		}
	}
}
