package audit

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// History is what became of the very same call so far.
type History struct {
	// Ran counts how often it ran, whoever let it; Approved how often of these
	// because a person said so at a prompt; Denied how often a person said no.
	Ran, Approved, Denied int
	// LastRan and LastDenied are when that was last; 0 for never.
	LastRan, LastDenied Micros
}

// ErrBehind is the error of History when the index is missing or too far behind
// the journal's end; Refresh mends that.
var ErrBehind = errors.New("the index is too far behind the journal")

// maxTail is how many entries that no index covers are looked at on the way of a
// dialog.
const maxTail = 4096

// sqlRecent finds the decisions that may be about a text: those that hold it, and
// those of which that cannot be told, because characters are spelled in another
// way than we would.
const sqlRecent = `
SELECT seq, pub, body, commitment IS NOT NULL AND salt IS NULL AS erased FROM entry
WHERE seq > ? AND pub GLOB '{"kind":"decision"*' AND (instr(body, ?) > 0 OR instr(body, '\u') > 0 OR instr(body, '\/') > 0)`

// History looks up what was decided about a call in a project's folder (the
// working directory of a call outside any): the same tool with the same command,
// path or other input, as gate.Target says. Entries that were erased, and calls
// of which a secret was masked, are not found, and imported ones are left out. It
// never waits for another who brings the index up to date; when the answer would
// take long, the error is ErrBehind.
func (r *Reader) History(ctx context.Context, project, tool string, input json.RawMessage) (History, error) {
	h := historian{project: project, tool: tool, target: policy.Target(tool, input)}
	after := int64(0)
	if s := r.snapshot(ctx); s != nil {
		var err error
		if h.History, err = s.history(ctx, historyOf(project, tool, h.target)); err != nil {
			return History{}, r.fail(err)
		}
		after = s.Seq
	}
	if err := h.tail(ctx, r, after); err != nil {
		if errors.Is(err, ErrBehind) {
			return History{}, err
		}
		return History{}, r.fail(err)
	}
	return h.History, nil
}

// historian gathers the history of one call.
type historian struct {
	History
	project, tool, target string
}

// tail adds the entries after one.
func (h *historian) tail(ctx context.Context, r *Reader, after int64) error {
	for _, file := range r.files {
		var last int64
		if err := file.db.GetContext(ctx, &last, sqlNumber); err != nil {
			return err
		}
		if last <= after {
			continue
		}
		if last-max(after, file.first-1) > maxTail {
			return ErrBehind
		}
		if err := h.file(ctx, file, after); err != nil {
			return err
		}
	}
	return nil
}

const sqlNumber = `SELECT coalesce(max(seq), 0) FROM entry`

func (h *historian) file(ctx context.Context, f *file, after int64) error {
	var list []storedEntry
	if err := sqlx.SelectContext(ctx, f.db, &list, sqlRecent, after, plainPiece(h.target)); err != nil {
		return err
	}
	for _, s := range list {
		row, err := s.row()
		if err != nil || row.Erased || row.Project != h.project || row.Tool != h.tool || policy.Target(row.Tool, row.Input) != h.target {
			continue // one that cannot be read tells nothing
		}
		h.count(row.Time, row.Decision == policy.Run, row.Answer == gate.AnswerDeny, row.Basis)
	}
	return nil
}

// count adds a decision.
func (h *History) count(at Micros, ran, denied bool, basis policy.Basis) {
	switch {
	case ran:
		h.Ran++
		h.LastRan = max(h.LastRan, at)
		if basis == policy.BasisUser {
			h.Approved++
		}
	case denied:
		h.Denied++
		h.LastDenied = max(h.LastDenied, at)
	}
}

// plainPiece is the longest piece of a text that stands in JSON as it is,
// whoever wrote the JSON, unless characters are spelled as \u or \/.
func plainPiece(text string) (longest string) {
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError || r == '\u2028' || r == '\u2029'
	}) {
		if len(piece) > len(longest) {
			longest = piece
		}
	}
	return longest
}
