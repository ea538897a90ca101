// Package coverage compares the session files that Pi writes with the journal:
// which calls ran and never passed the gate, why as far as that can be told, and
// which ran with another input than was approved.
//
// The two are written by different programs, so each can tell on the other. An
// agent that may write files can change both.
package coverage

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/transcript"
)

// Reason says what a finding is about.
type Reason string

// The reasons. Those that Reason.Gap reports true of are gaps.
const (
	// NotLoaded is a call at a time when no gate of this session wrote to the
	// journal: Pi ran with --no-extensions, lost the extension in a reload, or used
	// another journal.
	NotLoaded Reason = "gate-not-loaded"
	// OtherAgentDir is a call of a session of which the journal knows nothing and
	// whose file stands outside Pi's folder: its Pi had another one.
	OtherAgentDir Reason = "other-agent-dir"
	// Unrecorded is a call while the journal could not be written and
	// calls ran with a warning.
	Unrecorded Reason = "journal-failed"
	// Undecided is a call while the gate was there, that it did not decide.
	Undecided Reason = "undecided"
	// Blocked is a call that the gate blocked, and that ran all the same.
	Blocked Reason = "ran-though-blocked"
	// Mismatch is a call that ran with another input than was approved, or is of
	// another tool than the one that was decided on under its id.
	Mismatch Reason = "other-input"
	// BeforeJournal is a call from before the first session of a gate, which is no
	// fault: the gate was installed later.
	BeforeJournal Reason = "before-installation"
	// MovedAway is a call from before the first entry of the files at hand, which
	// begin in the middle of a journal.
	MovedAway Reason = "older-files-moved-away"
	// OwnCommand is a command that the person ran with "!", which is not gated.
	OwnCommand Reason = "own-command"
)

// Gap reports whether something is wrong: calls from before the gate was there,
// and those of the person, are only told.
func (r Reason) Gap() bool {
	return !slices.Contains([]Reason{BeforeJournal, MovedAway, OwnCommand}, r)
}

// Finding is one call. The tags are fields of `pigate audit coverage --json`.
type Finding struct {
	Reason  Reason          `json:"reason"`
	Gap     bool            `json:"gap"`
	Time    audit.Micros    `json:"time"`
	Session string          `json:"session"`
	Project string          `json:"project"`
	Call    string          `json:"call"`
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	// File and Line are where Pi's session file tells of it, "" and 0 when none
	// does.
	File string `json:"file"`
	Line int    `json:"line"`
	// Seq is the entry in the journal, 0 for none.
	Seq int64 `json:"seq"`
}

// Result is what a comparison came to.
type Result struct {
	// Files were read; BrokenLines of them, and Unreadable files, could not be.
	Files       int `json:"files"`
	BrokenLines int `json:"broken_lines"`
	Unreadable  int `json:"unreadable"`
	// Ran counts the calls that ran, Covered those of them that the journal has as
	// decided to run. ReadOnly are calls that are not recorded, because only gated
	// ones are. NotRun were stopped, of Untold nobody knows whether they ran.
	Ran      int `json:"ran"`
	Covered  int `json:"covered"`
	ReadOnly int `json:"read_only"`
	NotRun   int `json:"not_run"`
	Untold   int `json:"untold"`
	// Gaps counts the findings that are gaps.
	Gaps     int       `json:"gaps"`
	Findings []Finding `json:"findings"`
}

// Options choose what is compared.
type Options struct {
	// Files are Pi's session files; Elsewhere reports of one that it stands outside
	// Pi's folder.
	Files     []transcript.File
	Elsewhere func(path string) bool
	// Since, Until, Session and Projects are those of an audit.Filter.
	Filter audit.Filter
	// Problem is told of each line and each file that was skipped.
	Problem func(error)
	// Progress is told how many bytes of all were read. Nil tells nobody.
	Progress func(done, total int64)
}

// Run reads the journal and then the files. The errors are those of the journal
// and of the context; files that cannot be read are problems. It holds what the
// journal knows of the calls, and the findings.
func Run(ctx context.Context, r *audit.Reader, o Options) (Result, error) {
	known, err := readJournal(ctx, r)
	if err != nil {
		return Result{}, err
	}
	c := comparison{options: o, journal: known, seen: map[sighting]bool{}, result: Result{Findings: []Finding{}}}
	var done, total int64
	for _, f := range o.Files {
		total += f.Size
	}
	for _, f := range o.Files {
		if err := c.file(ctx, f); err != nil {
			return c.result, err
		}
		if done += f.Size; o.Progress != nil {
			o.Progress(done, total)
		}
	}
	c.mismatches()
	return c.result, nil
}

// comparison goes through session files.
type comparison struct {
	options Options
	journal *journal
	seen    map[sighting]bool
	result  Result
}

func (c *comparison) file(ctx context.Context, f transcript.File) error {
	in, err := f.Open()
	if err != nil {
		c.result.Unreadable++
		c.options.Problem(err)
		return nil
	}
	defer func() { _ = in.Close() }() // it was only read
	c.result.Files++
	for call, err := range transcript.Read(ctx, in, f.Source, f.Path) {
		var broken *transcript.BrokenError
		switch {
		case err == nil:
			c.call(&call)
		case errors.As(err, &broken):
			c.result.BrokenLines++
			c.options.Problem(err)
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			c.result.Unreadable++
			c.options.Problem(err)
		}
	}
	return nil
}

// sighting tells a call from another under the same id. Pi's copies of a call
// keep its time.
type sighting struct {
	callID
	tool string
	time int64
}

// call judges one call of a file. The copies in a fork's file, and a call that
// stands in several, count once.
func (c *comparison) call(call *transcript.Call) {
	id := callID{call.Session, call.ID}
	seen := sighting{id, call.Tool, call.Time}
	if c.seen[seen] {
		return
	}
	c.seen[seen] = true
	d, decided := c.journal.take(id, call.Tool)
	if !c.chosen(call) {
		return
	}
	switch {
	case call.User:
		c.find(call, OwnCommand, 0)
		return
	case call.Result == gate.ResultRefused:
		c.result.NotRun++
		return
	case call.Result == "":
		c.result.Untold++
		return
	}
	c.result.Ran++
	switch {
	case decided && d.tool != "" && d.tool != call.Tool:
		c.find(call, Mismatch, d.seq)
	case decided && d.ran:
		c.result.Covered++
	case decided:
		c.find(call, Blocked, d.seq)
	case c.journal.readOnly(call):
		c.result.ReadOnly++
	default:
		reason, seq := c.journal.why(call)
		if reason == NotLoaded && c.options.Elsewhere(call.Place.File) && !c.journal.knows(call.Session) {
			reason = OtherAgentDir
		}
		c.find(call, reason, seq)
	}
}

// chosen applies the filter.
func (c *comparison) chosen(call *transcript.Call) bool {
	f := c.options.Filter
	return (f.Since == 0 || call.Time >= int64(f.Since)) && (f.Until == 0 || call.Time < int64(f.Until)) &&
		(f.Session == "" || f.Session == call.Session) && (len(f.Projects) == 0 || f.Within(call.Root))
}

func (c *comparison) find(call *transcript.Call, reason Reason, seq int64) {
	c.add(Finding{Reason: reason, Time: audit.Micros(call.Time), Session: call.Session, Project: call.Root, Call: call.ID, Tool: call.Tool,
		Input: call.Input, File: call.Place.File, Line: call.Place.Line, Seq: seq})
}

func (c *comparison) add(f Finding) {
	if f.Gap = f.Reason.Gap(); f.Gap {
		c.result.Gaps++
	}
	if len(f.Input) == 0 {
		f.Input = json.RawMessage("null")
	}
	c.result.Findings = append(c.result.Findings, f)
}

// mismatches adds what the journal itself tells of calls that ran otherwise than
// approved, whether or not a file tells of them too.
func (c *comparison) mismatches() {
	for _, row := range c.journal.mismatched {
		f := c.options.Filter
		if f.Since != 0 && row.Time < f.Since || f.Until != 0 && row.Time >= f.Until || f.Session != "" && f.Session != row.Session ||
			len(f.Projects) > 0 && !f.Within(row.Project) {
			continue
		}
		c.add(row)
	}
}
