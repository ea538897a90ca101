package policy

import (
	"fmt"

	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/text"
)

// Effect is the outcome of a policy on a call.
type Effect string

// The four effects of a verdict.
const (
	// Allow runs the call silently.
	Allow Effect = "allow"
	// Deny blocks it without a question.
	Deny Effect = "deny"
	// Ask puts it to the person.
	Ask Effect = "ask"
	// Pass is a call the gate does not touch: a read-only tool, or a gate that
	// is switched off.
	Pass Effect = "pass"
)

// Cause says what kind of reason a Reason is.
type Cause string

// The causes. CauseRule, CauseAskRule and the two that could be carry a rule of
// the configuration.
const (
	// CauseRule is an allow or deny rule that matched.
	CauseRule Cause = "rule"
	// CauseAskRule is an ask rule that matched.
	CauseAskRule Cause = "ask-rule"
	// CauseCouldBeAsked is a command of which not all is known and which an ask
	// rule could match.
	CauseCouldBeAsked Cause = "could-be-asked"
	// CauseNoRule is a resource that no allow rule covers.
	CauseNoRule Cause = "no-rule"
	// CauseRedirection is an output redirection.
	CauseRedirection Cause = "redirection"
	// CauseOutside is a target outside the project.
	CauseOutside Cause = "outside-project"
	// CauseCeiling is a call beyond what an organisation lets run unasked.
	CauseCeiling Cause = "beyond-ceiling"
	// CauseUnparsed is command text that could not be read.
	CauseUnparsed Cause = "unparsed"
	// CauseCouldBeDenied is a command of which not all is known and which a deny
	// rule could match.
	CauseCouldBeDenied Cause = "could-be-denied"
	// CauseOpaque is a command whose program, or whose inner command, is not
	// literal.
	CauseOpaque Cause = "opaque"
	// CauseGuardedFlag is an option by which a program does more than its name
	// says.
	CauseGuardedFlag Cause = "guarded-flag"
	// CauseSelfProtection is a file that the gate or Pi depends on.
	CauseSelfProtection Cause = "self-protection"
	// CauseBrokenFile is a command while a file about programs is broken: what it
	// would say of the command is not known.
	CauseBrokenFile Cause = "broken-file"
	// CauseBadInput is an argument that is missing or of the wrong type.
	CauseBadInput Cause = "bad-input"
	// CauseNoResource is a call from which no resource could be derived.
	CauseNoResource Cause = "no-resource"
	// CauseReadOnly is a tool that passes.
	CauseReadOnly Cause = "read-only"
	// CauseDisabled is a gate that is switched off.
	CauseDisabled Cause = "disabled"
)

// Reason is one cause of a verdict with the piece of the call that triggered
// it.
type Reason struct {
	Cause Cause `json:"cause"`
	// Rule, File and Line name the rule; empty for built-in causes. File is ""
	// for a built-in default and "-" for a rule handed in without a file.
	Rule string `json:"rule,omitempty"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// RuleReason is what the rule's author says for it; not safe to show.
	RuleReason string `json:"rule_reason,omitempty"`
	// Resource is the text of the resource or piece, Start and End its span in
	// the command line (bytes; both 0 where there is none).
	Resource string `json:"resource,omitempty"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	// Via says how the resource is reached ("sudo", "$(…)"), Detail explains the
	// cause in a few words.
	Via    string `json:"via,omitempty"`
	Detail string `json:"detail,omitempty"`
}

func ruleReason(r *rule.Rule, res Resource) Reason {
	return Reason{Cause: CauseRule, Rule: r.Text, File: r.File, Line: r.Line, RuleReason: r.Reason,
		Resource: res.Text, Start: res.Start, End: res.End, Via: res.Via}
}

// Where returns "file:line" of the reason's rule, or "built-in default" when it
// stands in no file.
func (r Reason) Where() string {
	switch {
	case r.File == "":
		return "built-in default"
	case r.Line == 0:
		return r.File
	}
	return fmt.Sprintf("%s:%d", r.File, r.Line)
}

// ruleWords names the rule, with what its author says for it.
func (r Reason) ruleWords() string {
	words := fmt.Sprintf("rule %q (%s)", r.Rule, r.Where())
	if r.RuleReason != "" {
		words += ": " + text.Clip(text.Visible(r.RuleReason), maxRuleReason)
	}
	return words
}

// maxRuleReason is how much of a rule's reason, in columns, is shown.
const maxRuleReason = 200

// Words says the reason in a short phrase without its resource.
func (r Reason) Words() string {
	switch r.Cause {
	case CauseRule:
		return r.ruleWords()
	case CauseAskRule:
		return "asked about by " + r.ruleWords()
	case CauseCouldBeDenied:
		return fmt.Sprintf("%s, and %s would deny it", r.Detail, r.ruleWords())
	case CauseCouldBeAsked:
		return fmt.Sprintf("%s, and %s asks about it", r.Detail, r.ruleWords())
	case CauseNoRule:
		return "no rule allows it"
	case CauseCeiling:
		if r.File == "" {
			return r.Detail
		}
		return fmt.Sprintf("%s (%s)", r.Detail, r.File)
	case CauseReadOnly:
		return "read-only tools pass"
	case CauseDisabled:
		return "the gate is switched off"
	default:
		if r.Detail != "" {
			return r.Detail
		}
		return string(r.Cause)
	}
}

// Verdict is what the policy says of a call, with every reason: nothing is cut
// short, so the reasons are complete.
type Verdict struct {
	Effect  Effect   `json:"verdict"`
	Reasons []Reason `json:"reasons"`
	// Fixed reports of an ask that no allow rule could change it, so that saving
	// one would be of no use.
	Fixed bool `json:"-"`
	// Beyond reports of an ask that an organisation wants each such call asked about:
	// no approval for the session covers it.
	Beyond bool `json:"-"`
}
