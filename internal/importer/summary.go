package importer

import (
	"fmt"
	"strings"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/transcript"
)

// Summary counts what an import met. The tags are the fields of `pigate import
// --json`.
type Summary struct {
	// Files were read, Bytes of them; Unreadable could not be, or not to their
	// end.
	Files      int   `json:"files"`
	Bytes      int64 `json:"bytes"`
	Unreadable int   `json:"unreadable"`
	// Unrecognised are files of another kind than they were named as.
	Unrecognised int `json:"unrecognised"`
	// Calls are those that the files tell of: each is added (or would be),
	// already there from an earlier import or another file, or was decided by the
	// gate itself and so is in the journal.
	Calls        int `json:"calls"`
	Added        int `json:"added"`
	AlreadyThere int `json:"already_there"`
	Decided      int `json:"decided"`
	// OK, Failed, Refused and Untold count the calls by what became of them.
	OK      int `json:"ok"`
	Failed  int `json:"failed"`
	Refused int `json:"refused"`
	Untold  int `json:"untold"`
	// OwnCommands are those that the person ran, which are no calls.
	OwnCommands int `json:"own_commands"`
	// BrokenLines were skipped.
	BrokenLines int  `json:"broken_lines"`
	DryRun      bool `json:"dry_run"`
}

func (s *Summary) count(call *transcript.Call) {
	s.Calls++
	switch call.Result {
	case gate.ResultOK:
		s.OK++
	case gate.ResultError:
		s.Failed++
	case gate.ResultRefused:
		s.Refused++
	default:
		s.Untold++
	}
}

// Text is the summary for a person.
func (s *Summary) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	added := "added"
	if s.DryRun {
		added = "would add"
	}
	line("%-12s %d (%s)", "files", s.Files, size(s.Bytes))
	line("%-12s %d: %d ok, %d failed, %d refused, %d not told", "calls", s.Calls, s.OK, s.Failed, s.Refused, s.Untold)
	line("%-12s %d", added, s.Added)
	if s.AlreadyThere > 0 {
		line("%-12s %d were there already", "", s.AlreadyThere)
	}
	if s.Decided > 0 {
		line("%-12s %d had been decided by the gate", "", s.Decided)
	}
	if s.OwnCommands > 0 {
		line("%-12s %d of your own commands left out: they are no calls", "", s.OwnCommands)
	}
	if s.Unrecognised > 0 {
		line("%-12s %d: nothing in them is a session of the program they were named for", "unrecognised", s.Unrecognised)
	}
	if s.BrokenLines > 0 {
		line("%-12s %d", "broken lines", s.BrokenLines)
	}
	return b.String()
}

// size is a number of bytes for a person.
func size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
