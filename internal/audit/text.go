package audit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
)

// texts remembers of which calls the text matches a filter: each is looked at
// once, however often the call was made.
type texts struct {
	seen, chosen bits
	plain        string // what must stand in a text that matches
}

func newTexts(m *matcher) *texts {
	return &texts{plain: plainPiece(m.textPattern.LongestLiteral())}
}

// match reports whether the text of an entry matches.
func (t *texts) match(ctx context.Context, r *Reader, m *matcher, seq int64) (bool, error) {
	if t.seen.get(seq) {
		return t.chosen.get(seq), nil
	}
	s, err := r.text(ctx, seq)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil // the index says what is not so
	}
	if err != nil {
		return false, err
	}
	yes := false
	if s.Erased || t.possible(s.Body.String) {
		row := Row{Erased: s.Erased, Input: json.RawMessage("null")}
		// An entry that cannot be read is unclear, and not looked at here.
		_ = json.Unmarshal([]byte(s.Body.String), &struct {
			Input     *json.RawMessage   `json:"input"`
			Resources *[]policy.Resource `json:"resources"`
		}{&row.Input, &row.Resources})
		yes = m.texts(&row)
	}
	t.seen.set(seq)
	if yes {
		t.chosen.set(seq)
	}
	return yes, nil
}

// possible reports whether a private part may hold what must stand in a text
// that matches, without taking it apart.
func (t *texts) possible(body string) bool {
	return strings.Contains(body, t.plain) || strings.Contains(body, `\u`) || strings.Contains(body, `\/`)
}

// bits is a set of numbers that are not negative.
type bits []uint64

func (b bits) get(n int64) bool {
	return n >= 0 && n/64 < int64(len(b)) && b[n/64]&(1<<(n%64)) != 0
}

func (b *bits) set(n int64) {
	if n < 0 {
		return
	}
	for int64(len(*b)) <= n/64 {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}
