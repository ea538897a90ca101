package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Column is one thing that is shown of a row.
type Column struct {
	// Name is what the column is chosen by; in capitals it is its heading.
	Name string
	// text is hostile and of any length.
	text func(r *audit.Row) string
	// width is how many characters of it a table shows, narrow how many it does
	// where the screen is; 0 for all.
	width, narrow int
}

var columns = []Column{
	{"seq", func(r *audit.Row) string { return strconv.FormatInt(r.Seq, 10) }, 0, 0},
	{"time", func(r *audit.Row) string { return r.Time.String() }, 0, 0},
	{"kind", func(r *audit.Row) string { return string(r.Kind) }, 0, 0},
	{"session", func(r *audit.Row) string { return r.Session }, 40, 40},
	{"project", func(r *audit.Row) string { return r.Project }, 40, 40},
	{"tool", func(r *audit.Row) string { return r.Tool }, 24, 10},
	{"what", what, 56, 56},
	{"verdict", func(r *audit.Row) string { return string(r.Verdict) }, 0, 0},
	{"decision", func(r *audit.Row) string { return string(r.Decision) }, 0, 0},
	{"basis", plainBasis, 0, 10},
	{"answer", func(r *audit.Row) string { return string(r.Answer) }, 0, 0},
	{"rule", rules, 40, 40},
	{"reason", reasons, 72, 72},
	{"outcome", outcome, 0, 0},
	{"duration", duration, 0, 0},
}

// DefaultColumns are shown in a table, WideColumns in the formats that a program
// or a spreadsheet reads. What was decided can be told from the verdict and the
// basis, so that a narrow screen does without.
const (
	DefaultColumns = "seq,time,tool,what,verdict,decision,basis,outcome"
	narrowColumns  = "seq,time,tool,what,verdict,basis,outcome"
	WideColumns    = "seq,time,project,tool,what,verdict,decision,basis,answer,rule,outcome"
)

// ColumnNames are the names of all columns, with commas.
func ColumnNames() string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return strings.Join(names, ",")
}

// ParseColumns finds columns by their names, which commas separate. In the
// column of the basis the person's answer is named too, unless it has a column
// of its own.
func ParseColumns(names string) ([]Column, error) {
	var list []Column
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == strings.TrimSpace(name) })
		if i < 0 {
			return nil, fmt.Errorf("there is no column %q; the columns are %s", name, ColumnNames())
		}
		list = append(list, columns[i])
	}
	if slices.ContainsFunc(list, func(c Column) bool { return c.Name == "answer" }) {
		return list, nil
	}
	for i := range list {
		if list[i].Name == "basis" {
			list[i].text = basis
		}
	}
	return list, nil
}

// what is the call, or for an entry that is about none what it says.
func what(r *audit.Row) string {
	switch r.Kind {
	case gate.KindDecision, gate.KindPrompt, gate.KindOutcome, gate.KindImport:
		return r.What()
	case gate.KindAnswer:
		return string(r.Answer)
	case gate.KindSessionStart, gate.KindSessionEnd, gate.KindRulesSaved, gate.KindWarning, gate.KindPolicy, gate.KindGap, gate.KindErase,
		gate.KindRotation, gate.KindCheckpoint, gate.KindDraft, gate.KindReview:
	}
	return string(r.Detail())
}

// basis says by what the decision was made; the person's answer says more than
// that it was the person's.
func basis(r *audit.Row) string {
	if r.Answer != "" && r.Basis == policy.BasisUser {
		return string(r.Basis) + ": " + string(r.Answer)
	}
	return plainBasis(r)
}

// plainBasis tells imported calls from decided ones, in whose place they stand.
func plainBasis(r *audit.Row) string {
	if r.Kind == gate.KindImport {
		return "import: " + r.Imported().Source
	}
	return string(r.Basis)
}

// rules names the rules that decided, each once.
func rules(r *audit.Row) string {
	var list []string
	for _, reason := range r.Reasons {
		if reason.Cause == policy.CauseRule && !slices.Contains(list, reason.Rule) {
			list = append(list, reason.Rule)
		}
	}
	return strings.Join(list, ", ")
}

func reasons(r *audit.Row) string {
	var list []string
	for _, reason := range r.Reasons {
		if words := reason.Words(); !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return strings.Join(list, "; ")
}

func outcome(r *audit.Row) string {
	text := r.Outcome
	if r.Kind == gate.KindImport && text == "" {
		text = string(r.Imported().Result)
	}
	if r.ExitCode != nil && *r.ExitCode != 0 {
		text += " " + strconv.Itoa(*r.ExitCode)
	}
	if r.Mismatch {
		text += " (other input ran)"
	}
	return text
}

func duration(r *audit.Row) string {
	if r.Duration == 0 {
		return ""
	}
	return Took(r.Duration)
}

// Took is a number of microseconds as a person reads it.
func Took(us int64) string {
	d := time.Duration(us) * time.Microsecond
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond / 10).String()
	case d < time.Minute:
		return d.Round(time.Second / 10).String()
	}
	return d.Round(time.Second).String()
}
