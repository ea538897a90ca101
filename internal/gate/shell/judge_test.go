//go:build unix

package shell_test

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/shelltest"
	"github.com/pigate/pigate/internal/testcorpus"
)

// everything are the rules of the widest allowlist beside one deny rule.
var everything = []string{"+shell:*", "+edit:*", "-shell:" + shelltest.Marker, "-shell:" + shelltest.Marker + " *"}

// policyOf makes a policy of rules that are prefixed "+" (allow) or "-" (deny).
func policyOf(rules []string) *policy.Policy {
	settings := policy.DefaultSettings()
	settings.Redirections = policy.RedirectionsPrecise
	var parsed []rule.Rule
	for _, text := range rules {
		r, err := rule.Parse(text[1:])
		if err != nil {
			continue // a program with a name that no rule can say
		}
		r.Effect = rule.Allow
		if text[0] == '-' {
			r.Effect = rule.Deny
		}
		parsed = append(parsed, r)
	}
	return policy.New(settings, parsed)
}

func callOf(command string) *policy.Call {
	input, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		panic(err) // a string always encodes
	}
	return policy.Derive(policy.Request{Tool: "bash", Input: input, Cwd: "/home/u/proj", Root: "/home/u/proj", Trusted: true, OS: "linux", Home: "/home/u"})
}

// allowlist is what a person allows who means every program and every variable
// of the line, but not the marker. It is nil where the marker is a unit, which
// an allowlist for others must not cover.
func allowlist(a *shell.Analysis) []string {
	rules := []string{"+edit:*"}
	for _, u := range a.Units {
		if u.Program == shelltest.Marker {
			return nil
		}
		start := u.Program + " "
		if u.Program == "" {
			name, _, assigned := strings.Cut(u.Text, "=")
			if !assigned || strings.ContainsAny(name, " \n$`") {
				continue
			}
			start = name + "="
		}
		if wild := "+shell:" + start + "*"; !slices.Contains(rules, wild) {
			rules = append(rules, wild, "+shell:"+strings.TrimSuffix(start, " "))
		}
	}
	return rules
}

// gateway decides command lines as the gate does. It keeps the policies it
// made, and is not safe for use by several goroutines.
type gateway map[string]*policy.Policy

func (g gateway) allows(rules []string, c *policy.Call) bool {
	key := strings.Join(rules, "\n")
	if g[key] == nil {
		if len(g) > 5000 {
			clear(g)
		}
		g[key] = policyOf(rules)
	}
	return policy.Evaluate(g[key], c, nil).Effect == policy.Allow
}

// passes returns the rules under which the command line passes, nil if there
// are none: an allowlist of its own, or everything.
func (g gateway) passes(text string) []string {
	c := callOf(text)
	if own := allowlist(c.Analysis); own != nil && g.allows(own, c) {
		return own
	}
	if g.allows(everything, c) {
		return everything
	}
	return nil
}

// realCommands are what mutations start from: the command lines of the corpora
// and of recorded sessions where they are at hand, beside ordinary ones.
func realCommands(t testing.TB) []string {
	t.Helper()
	list := slices.Clone(shelltest.Ordinary)
	for _, name := range []string{"commands.jsonl", "harmless.jsonl"} {
		if path, there := testcorpus.Find(t, name); there {
			eachLine(t, path, func(line []byte) {
				var c struct{ Command string }
				if err := json.Unmarshal(line, &c); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				list = append(list, c.Command)
			})
		}
	}
	if dir, there := testcorpus.Find(t, "sessions"); there {
		list = append(list, recordedCommands(t, dir)...)
	}
	return shelltest.Tamed(list)
}

func recordedCommands(t testing.TB, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		eachLine(t, path, func(line []byte) {
			var entry struct {
				Message struct {
					Content []struct{ Arguments struct{ Command string } }
				}
			}
			if json.Unmarshal(line, &entry) != nil {
				return // an entry of another shape
			}
			for _, part := range entry.Message.Content {
				if part.Arguments.Command != "" {
					list = append(list, part.Arguments.Command)
				}
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func eachLine(t testing.TB, path string, do func([]byte)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		do(lines.Bytes())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
