// Package page makes the report of a period: one Report, which is its JSON, and
// from it a page of HTML and a page of Markdown. It is for the people who answer
// for what agents do: how much was asked, what was let through, what deserves a
// second look, which rules work.
//
// All text of the journal is hostile. A Report holds it as it is; what is
// written as HTML or Markdown shows it and does nothing else.
package page

import (
	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/report/lint"
)

// Report is what happened in a period. The tags are the fields of
// `pigate report --format json`.
type Report struct {
	// Made is when the report was made, Zone the time zone of its days and hours.
	Made audit.Micros `json:"made"`
	Zone string       `json:"zone"`
	// Journals are the files that were read, Projects the folders that were chosen
	// (empty for all), Filters what else the calls had to satisfy, as flags.
	Journals []string `json:"journals"`
	Projects []string `json:"projects"`
	Filters  []string `json:"filters"`
	Period   Period   `json:"period"`
	Total    Figures  `json:"total"`
	// Before are the figures of the period of the same length before this one;
	// null when this one has no given beginning.
	Before *Figures `json:"before"`
	Notes  []Note   `json:"notes"`
	Slots  []Slot   `json:"slots"`
	Hours  []Hour   `json:"hours"`
	// Waits say how many prompts were answered how quickly.
	Waits     []Wait         `json:"waits"`
	Programs  List[Program]  `json:"programs"`
	Denials   List[Denial]   `json:"denials"`
	Approvals List[Approval] `json:"approvals"`
	Rules     List[RuleUse]  `json:"rules"`
	// Findings are what is the matter with the rules in force in the folder
	// RulesOf, "" when nobody looked.
	RulesOf   string             `json:"rules_of"`
	Findings  List[lint.Finding] `json:"findings"`
	Sessions  List[Session]      `json:"sessions"`
	Timelines []Timeline         `json:"timelines"`
}

// List is the first rows of a list, and how many more there are.
type List[T any] struct {
	Rows []T `json:"rows"`
	More int `json:"more"`
}

// How many rows of each list a report has, so that one of a million calls can
// still be read, and sent by mail.
const (
	maxPrograms  = 12
	maxDenials   = 150
	maxApprovals = 150
	maxRules     = 200
	maxFindings  = 100
	maxSessions  = 100
	maxTimelines = 20
	maxMoments   = 40
)

func listOf[T any](all []T, most int) List[T] {
	if all == nil {
		all = []T{}
	}
	if len(all) <= most {
		return List[T]{Rows: all}
	}
	return List[T]{Rows: all[:most:most], More: len(all) - most}
}

// Period is a stretch of time and how it is cut into slots.
type Period struct {
	// Since and Until bound it; Until itself is outside. Both are 0 when there was
	// nothing to bound.
	Since audit.Micros `json:"since"`
	Until audit.Micros `json:"until"`
	// Step is how long a slot is: StepDay and so on.
	Step string `json:"step"`
}

// Figures count the calls of a period.
type Figures struct {
	Calls int `json:"calls"`
	// Silent are the calls that ran without a question, Prompts those a person was
	// asked about, Approved the prompts that let the call run.
	Silent   int `json:"silent"`
	Prompts  int `json:"prompts"`
	Approved int `json:"approved"`
	// Blocked are the calls that did not run: Denied by a rule, Unattended because
	// nobody could be asked, the rest by the person or for want of a journal.
	Blocked    int `json:"blocked"`
	Denied     int `json:"denied"`
	Unattended int `json:"unattended"`
	// Mismatched ran with another input than was approved.
	Mismatched int `json:"mismatched"`
	// SilentShare is Silent in Calls, from 0 to 1.
	SilentShare float64 `json:"silent_share"`
	// ActiveDays are the days with a call.
	ActiveDays int `json:"active_days"`
	Sessions   int `json:"sessions"`
	Projects   int `json:"projects"`
	// WaitedMedian and WaitedP90 are how long the person took, in microseconds: at
	// most so long in half, and in nine of ten, of the prompts. 0 without any.
	WaitedMedian int64 `json:"waited_median_us"`
	WaitedP90    int64 `json:"waited_p90_us"`
}

// Slot is a part of the period: a day, or where there are many a week, a month
// or a year.
type Slot struct {
	// Start is its first day.
	Start  string `json:"start"`
	Calls  int    `json:"calls"`
	Silent int    `json:"silent"`
	// Verdicts and Answers count the calls with each; every verdict and every
	// answer of a person is there.
	Verdicts map[policy.Effect]int `json:"verdicts"`
	Answers  map[gate.Answer]int   `json:"answers"`
}

// Hour counts the calls of one hour of the day, over all days.
type Hour struct {
	Hour    int `json:"hour"`
	Calls   int `json:"calls"`
	Prompts int `json:"prompts"`
}

// Wait counts prompts by how long the person took.
type Wait struct {
	// Under is the bound, in microseconds; 0 in the last, which has none.
	Under   int64 `json:"under_us"`
	Prompts int   `json:"prompts"`
}

// Program counts the prompts that a program caused.
type Program struct {
	// Name is the program, or a tool in parentheses.
	Name    string `json:"name"`
	Prompts int    `json:"prompts"`
	// Approved are those that let the call run, Example is the call most often
	// asked about.
	Approved int    `json:"approved"`
	Example  string `json:"example"`
}

// About is what the rows of several lists say of a call.
type About struct {
	// Seq is the number of the newest entry, Time when that was.
	Seq     int64        `json:"seq"`
	Time    audit.Micros `json:"time"`
	Session string       `json:"session"`
	Project string       `json:"project"`
	Tool    string       `json:"tool"`
	// What is the call in one line, shortened; Why are the reasons in words.
	What string `json:"what"`
	Why  string `json:"why"`
	// Times is how often it happened.
	Times int `json:"times"`
}

// Denial is a call that did not run.
type Denial struct {
	About
	Basis  policy.Basis `json:"basis"`
	Answer gate.Answer  `json:"answer"`
}

// Approval is a call that ran and is worth a second look.
type Approval struct {
	About
	Basis  policy.Basis `json:"basis"`
	Answer gate.Answer  `json:"answer"`
	// Flags say why: FlagMismatch and so on, the gravest first.
	Flags []string `json:"flags"`
}

// RuleUse is a rule that decided calls.
type RuleUse struct {
	Rule   string        `json:"rule"`
	Effect policy.Effect `json:"effect"`
	// Where is "file:line", as of its newest use.
	Where string       `json:"where"`
	Calls int          `json:"calls"`
	Last  audit.Micros `json:"last"`
}
