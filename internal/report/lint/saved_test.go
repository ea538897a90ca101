package lint_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/lint"
	"github.com/pigate/pigate/internal/testcorpus"
)

// saved reads the rules that people saved in other agents, as rules of pigate.
func saved(t *testing.T) (list []string) {
	t.Helper()
	f, err := os.Open(testcorpus.Path(t, "saved-rules-elsewhere.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var line struct {
			Decision string
			Rule     json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		sign := "+ "
		if line.Decision == "deny" {
			sign = "- "
		}
		var text string
		var words []string
		if json.Unmarshal(line.Rule, &words) == nil {
			text = "shell:" + strings.Join(words, " ") + " *"
		} else if err := json.Unmarshal(line.Rule, &text); err != nil {
			t.Fatal(err)
		}
		if command, is := strings.CutPrefix(text, "Bash("); is {
			pattern, open := strings.CutSuffix(strings.TrimSuffix(command, ")"), ":*")
			if text = "shell:" + pattern; open {
				text += " *"
			}
		}
		list = append(list, sign+text)
	}
	if err := lines.Err(); err != nil || len(list) == 0 {
		t.Fatalf("%d rules, %v", len(list), err)
	}
	return list
}

// TestSavedRules looks at each rule that people saved elsewhere by itself: what
// begins with a word of the grammar is a fragment, what is written otherwise
// foreign, and what is said to be better is a rule of which nothing of the kind
// is said.
func TestSavedRules(t *testing.T) {
	for _, text := range saved(t) {
		if _, err := rule.Parse(text[2:]); err != nil {
			continue
		}
		kinds := map[lint.Kind]bool{}
		for _, f := range lint.Rules(policyFor(t, text), place) {
			kinds[f.Kind] = true
			if f.Instead == "" {
				continue
			}
			for _, again := range lint.Rules(policyFor(t, text[:2]+f.Instead), place) {
				if again.Kind == f.Kind || again.Kind == lint.NeverMatches {
					t.Errorf("%s: %q in place of it is %s", text, f.Instead, again.Kind)
				}
			}
		}
		word, _, _ := strings.Cut(strings.TrimPrefix(text[2:], "shell:"), " ")
		switch {
		case strings.Contains(" do done for then while if fi else ", " "+word+" "):
			if !kinds[lint.Fragment] {
				t.Errorf("%s is no fragment: %v", text, kinds)
			}
		case strings.HasSuffix(text, ")") && !strings.HasPrefix(text[2:], "shell:"):
			if !kinds[lint.Foreign] {
				t.Errorf("%s is not foreign: %v", text, kinds)
			}
		}
	}
}

// TestDefaultsAreClean holds that the rules a new user gets are found fault with
// nowhere.
func TestDefaultsAreClean(t *testing.T) {
	for _, f := range lint.Rules(policy.New(policy.DefaultSettings(), policyFor(t, "+ shell:git status *", "+ shell:git diff *", "+ shell:ls *", "+ shell:cat *",
		"+ shell:pwd *", "+ shell:echo *", "+ shell:wc *", "+ shell:grep *", "+ shell:tail *", "+ shell:rg -n *", "+ shell:find *", "+ shell:head -n *",
		"+ shell:pi mcp list *", "+ mcp:docs-mcp-server").Rules), place) {
		t.Errorf("%+v", f)
	}
}
