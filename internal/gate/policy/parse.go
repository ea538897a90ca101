package policy

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pigate/pigate/internal/gate/rule"
)

// policyText is the canonical form of a policy. The order of the fields is part
// of it.
type policyText struct {
	Version      int      `json:"v"`
	Enabled      bool     `json:"enabled"`
	Allow        []string `json:"allow"`
	Deny         []string `json:"deny"`
	Redirections string   `json:"redirections"`
	GuardedFlags bool     `json:"guardedFlags"`
	// Outside is absent for OutsideAsk, for the same reason as SessionApprovals.
	Outside string `json:"outside,omitempty"`
	// Worktrees is absent for WorktreesOutside.
	Worktrees string `json:"worktrees,omitempty"`
	// SessionApprovals is absent for CoverTarget: the key is younger than the form,
	// and the policies from before it keep their digests.
	SessionApprovals Coverage `json:"sessionApprovals,omitempty"`
	// Ask and Reasons, what the authors say for their rules by reasonKey, are
	// absent where there are none, for the same reason.
	Ask     []string          `json:"ask,omitempty"`
	Reasons map[string]string `json:"reasons,omitempty"`
	// Ceiling is absent where there is none; an empty one is there.
	Ceiling *[]string `json:"ceiling,omitempty"`
	// Programs is the digest of the files about programs, Broken says that one of
	// them was broken. Both are absent where there were no such files.
	Programs string `json:"programs,omitempty"`
	Broken   bool   `json:"brokenPrograms,omitempty"`
}

// reasonKey names a rule in the canonical form.
func reasonKey(r rule.Rule) string { return string(r.Effect) + " " + r.Text }

// policyVersion is the version of the canonical form.
const policyVersion = 1

// Parse reads back what Policy.Canonical wrote: the policy that it returns
// has the very same canonical form, and so the same digest. Any other text is an
// error. Where a rule stood is not in that form: its File is "" and its Line 0. Nor
// is what files said about programs: it reads commands by what this binary knows.
// Knowing returns one that knows more.
func Parse(body []byte) (*Policy, error) {
	var text policyText
	if err := json.Unmarshal(body, &text); err != nil {
		return nil, fmt.Errorf("read policy: %w", err)
	}
	if text.Version != policyVersion {
		return nil, fmt.Errorf("read policy: it is of version %d, and this program reads version %d", text.Version, policyVersion)
	}
	rules := make([]rule.Rule, 0, len(text.Allow)+len(text.Deny)+len(text.Ask))
	for _, list := range []struct {
		effect rule.Effect
		texts  []string
	}{{rule.Allow, text.Allow}, {rule.Deny, text.Deny}, {rule.Ask, text.Ask}} {
		for _, line := range list.texts {
			r, err := parseRecorded(line)
			if err != nil {
				return nil, fmt.Errorf("read policy: %s rule %q: %w", list.effect, line, err)
			}
			r.Effect = list.effect
			r.Reason = text.Reasons[reasonKey(r)]
			rules = append(rules, r)
		}
	}
	var ceiling *Ceiling
	if text.Ceiling != nil {
		ceiling = &Ceiling{}
		for _, line := range *text.Ceiling {
			r, err := parseRecorded(line)
			if err != nil {
				return nil, fmt.Errorf("read policy: rule %q of the ceiling: %w", line, err)
			}
			r.Effect = rule.Allow
			ceiling.Rules = append(ceiling.Rules, r)
		}
	}
	broken := ""
	if text.Broken {
		broken = "a file about programs was broken"
	}
	p := read(Settings{Enabled: text.Enabled, Redirections: text.Redirections, GuardedFlags: text.GuardedFlags,
		Outside:          cmp.Or(text.Outside, OutsideAsk),
		InsideWorktrees:  text.Worktrees == WorktreesInside,
		SessionApprovals: cmp.Or(text.SessionApprovals, CoverTarget), Ceiling: ceiling, Broken: broken}, rules, text.Programs)
	if !bytes.Equal(p.Canonical(), body) {
		return nil, errors.New("read policy: its text is not in canonical form")
	}
	return p, nil
}

// parseRecorded reads a rule of a recorded policy. Parentheses were no grammar
// once: what was taken for the name of a tool then, and is refused now, matches
// nothing, as it did.
func parseRecorded(line string) (rule.Rule, error) {
	r, err := rule.Parse(line)
	if errors.Is(err, rule.ErrArgs) {
		return rule.Rule{Text: line, Scope: line}, nil
	}
	return r, err
}
