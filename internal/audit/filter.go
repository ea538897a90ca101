package audit

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

const (
	// LastSession as Filter.Session is the session of the newest entry that
	// belongs to any, among those of the filter's projects.
	LastSession = "last"
	// OutcomeNone as Filter.Outcome is a call of which nothing was reported.
	OutcomeNone = "none"
)

// Filter chooses entries: those that satisfy all fields that are set. Its zero
// value chooses all, oldest first. A filter on what only calls have (Tool,
// Match and the like) leaves out the entries that are about none.
type Filter struct {
	// Since and Until bound the time: from Since on, and before Until; 0 is no
	// bound.
	Since, Until Micros
	// Session is the id of a session of Pi, or LastSession.
	Session string
	// Projects are absolute folders: what happened in a project that is one of
	// them or lies beneath one. Entries that name no project belong to that in
	// which their session began.
	Projects []string
	Tool     string
	Verdict  policy.Effect
	Decision policy.Action
	Basis    policy.Basis
	Answer   gate.Answer
	// Rule is a pattern, read as glob.CompileRule does, for the text of a rule that
	// decided the call.
	Rule string
	// Outcome is OutcomeOK, OutcomeError or OutcomeNone.
	Outcome string
	Kind    gate.Kind
	// Match is such a pattern for the whole of what the call was, or of one of its
	// resources; Regex matches anywhere in them.
	Match string
	Regex *regexp.Regexp
	// Outside chooses calls that reach outside the project.
	Outside bool
	// Unreviewed chooses decisions that no review covers.
	Unreviewed bool
	// After chooses what the entries with higher numbers say; 0 is no bound.
	After int64
	// Imported adds imported calls, which are left out otherwise unless Kind asks
	// for them.
	Imported bool
	// Calls leaves out what is neither a decision nor an imported call.
	Calls bool
	// Scan reads every entry of the journal, and not the index beside it.
	Scan bool
	// Limit keeps only the newest so many rows; 0 keeps all.
	Limit int
	// Reverse yields the newest first.
	Reverse bool
}

// The values that filters take, in the order in which they are named to the
// person.
var (
	verdicts  = []policy.Effect{policy.Allow, policy.Deny, policy.Ask, policy.Pass}
	actions   = []policy.Action{policy.Run, policy.Block}
	bases     = []policy.Basis{policy.BasisRule, policy.BasisGrant, policy.BasisUser, policy.BasisPass, policy.BasisDisabled, policy.BasisNoUI, policy.BasisJournal, policy.BasisError}
	answers   = []gate.Answer{gate.AnswerOnce, gate.AnswerSession, gate.AnswerSave, gate.AnswerDeny, gate.AnswerDismissed, gate.AnswerNoUI, gate.AnswerAborted}
	outcomes  = []string{OutcomeOK, OutcomeError, OutcomeNone}
	kinds     = []gate.Kind{gate.KindDecision, gate.KindPrompt, gate.KindAnswer, gate.KindOutcome, gate.KindSessionStart, gate.KindSessionEnd, gate.KindRulesSaved, gate.KindWarning, gate.KindImport, gate.KindDraft, gate.KindReview, gate.KindPolicy, gate.KindGap, gate.KindErase, gate.KindRotation, gate.KindCheckpoint}
	callKinds = []gate.Kind{gate.KindDecision, gate.KindPrompt, gate.KindOutcome, gate.KindImport}
)

// FilterValues are the values that a field of Filter takes, by the name that
// errors have for it: verdict, decision, basis, answer, outcome, kind. Of
// another it is nil.
func FilterValues(name string) []string {
	switch name {
	case "verdict":
		return textsOf(verdicts)
	case "decision":
		return textsOf(actions)
	case "basis":
		return textsOf(bases)
	case "answer":
		return textsOf(answers)
	case "outcome":
		return textsOf(outcomes)
	case "kind":
		return textsOf(kinds)
	}
	return nil
}

func textsOf[T ~string](all []T) (list []string) {
	for _, v := range all {
		list = append(list, string(v))
	}
	return list
}

// Check returns an error when a field has a value that it cannot have, or when
// two fields contradict each other, so that no entry could satisfy both.
func (f Filter) Check() error {
	if f.Limit < 0 {
		return fmt.Errorf("limit is %d, must be 0 or more", f.Limit)
	}
	err := errors.Join(oneOf("verdict", f.Verdict, verdicts), oneOf("decision", f.Decision, actions), oneOf("basis", f.Basis, bases),
		oneOf("answer", f.Answer, answers), oneOf("outcome", f.Outcome, outcomes), oneOf("kind", f.Kind, kinds))
	if err != nil {
		return err
	}
	if f.Since != 0 && f.Until != 0 && f.Since >= f.Until {
		return fmt.Errorf("since %s and until %s contradict each other: there is no time between them", f.Since, f.Until)
	}
	return f.contradiction()
}

func oneOf[T ~string](name string, value T, all []T) error {
	if value == "" || slices.Contains(all, value) {
		return nil
	}
	return fmt.Errorf("%s is %q, must be one of %s", name, string(value), strings.Join(textsOf(all), ", "))
}

// contradiction names two fields that no entry satisfies both.
func (f Filter) contradiction() error {
	clash := func(a string, va any, b string, vb any) error {
		return fmt.Errorf("%s %v and %s %v contradict each other", a, va, b, vb)
	}
	if f.Kind != "" && f.Kind != gate.KindDecision {
		for _, c := range []struct{ name, value string }{{"verdict", string(f.Verdict)}, {"decision", string(f.Decision)}, {"basis", string(f.Basis)}, {"rule", f.Rule}} {
			if c.value != "" {
				return clash("kind", f.Kind, c.name, c.value)
			}
		}
		if f.Answer != "" && f.Kind != gate.KindAnswer {
			return clash("kind", f.Kind, "answer", f.Answer)
		}
		if f.Outcome != "" && f.Kind != gate.KindImport && (f.Kind != gate.KindOutcome || f.Outcome == OutcomeNone) {
			return clash("kind", f.Kind, "outcome", f.Outcome)
		}
		if f.Unreviewed {
			return fmt.Errorf("kind %s and unreviewed contradict each other: decisions are reviewed", f.Kind)
		}
		if (f.Tool != "" || f.Match != "" || f.Regex != nil || f.Outside) && !slices.Contains(callKinds, f.Kind) {
			return fmt.Errorf("kind %s and a filter on calls contradict each other", f.Kind)
		}
	}
	asked := []policy.Basis{policy.BasisGrant, policy.BasisUser, policy.BasisNoUI}
	switch {
	case f.Verdict == "" || f.Verdict == policy.Ask:
		return nil
	case f.Answer != "":
		return clash("verdict", f.Verdict, "answer", f.Answer)
	case slices.Contains(asked, f.Basis):
		return clash("verdict", f.Verdict, "basis", f.Basis)
	}
	return nil
}
