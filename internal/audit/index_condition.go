package audit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/pigate/pigate/internal/gate"
)

func (c *chooser) add(holds func(b *block, i int) bool, columns ...column) {
	c.tests = append(c.tests, test{columns, holds})
}

// is wants a column to have a value, unless that is "".
func is[T ~string](c *chooser, col column, list []T, value T) {
	if value == "" {
		return
	}
	want, _ := code(list, value) // the filter was looked at
	c.add(func(b *block, i int) bool { return b.get(col, i) == want }, col)
}

// ofKinds wants an entry to be of one of several kinds.
func (c *chooser) ofKinds(some ...gate.Kind) {
	chosen := make([]bool, len(kinds)+1)
	for _, kind := range some {
		n, _ := code(kinds, kind)
		chosen[n] = true
	}
	c.add(func(b *block, i int) bool { return have(chosen, b.get(colKind, i)) }, colKind)
}

func (c *chooser) when() {
	if c.Since == 0 && c.Until == 0 {
		return
	}
	since, until := int64(c.Since), int64(c.Until)
	if until == 0 {
		until = math.MaxInt64
	}
	c.add(func(b *block, i int) bool {
		at := b.get(colTime, i)
		return at >= since && at < until
	}, colTime)
}

// exactly are the filters on a session and a tool.
func (c *chooser) exactly(ctx context.Context) error {
	for _, n := range []struct {
		col  column
		text string
	}{{colSession, c.Session}, {colTool, c.Tool}} {
		if n.text == "" {
			continue
		}
		id := int64(-1) // no row's
		err := c.index.db.GetContext(ctx, &id, `SELECT id FROM name WHERE kind = ? AND text = ?`, int(nameColumns[n.col]), n.text)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		c.add(func(b *block, i int) bool { return b.get(n.col, i) == id }, n.col)
	}
	return nil
}

// projects are the rows that belong to the projects of the filter, as matcher
// tells.
func (c *chooser) projects(ctx context.Context) error {
	if len(c.Projects) == 0 {
		return nil
	}
	folders, err := c.names(ctx, nameProject)
	if err != nil {
		return err
	}
	sessions, err := c.names(ctx, nameSession)
	if err != nil {
		return err
	}
	inside, marked, here := make([]bool, len(folders)), make([]bool, len(folders)), make([]bool, len(sessions))
	for id, folder := range folders {
		inside[id], marked[id] = id > 0 && c.Within(folder), c.home.digests[folder]
	}
	for id, session := range sessions {
		here[id] = session != "" && c.home.sessions[session]
	}
	c.add(func(b *block, i int) bool {
		project := b.get(colProject, i)
		switch {
		case project == 0:
			return have(here, b.get(colSession, i))
		case b.get(colFlags, i)&flagErased != 0:
			return have(marked, project)
		}
		return have(inside, project)
	}, colProject, colSession)
	return nil
}

func have(list []bool, n int64) bool { return n < int64(len(list)) && list[n] }

// outcomes takes those into account that came after the index was made.
func (c *chooser) outcomes(ctx context.Context) error {
	if c.Outcome == "" {
		return nil
	}
	if err := c.lateOutcomes(ctx); err != nil {
		return err
	}
	want, _ := code(outcomes, c.Outcome)
	decision, _ := code(kinds, gate.KindDecision)
	imported, _ := code(kinds, gate.KindImport)
	c.add(func(b *block, i int) bool {
		got := b.get(colOutcome, i)
		if late := c.late[b.get(colSeq, i)]; late != nil && got == 0 {
			got, _ = outcomeOf(late)
		}
		if c.Outcome == OutcomeNone {
			kind := b.get(colKind, i)
			return got == 0 && (kind == decision || kind == imported)
		}
		return got == want
	}, colOutcome, colKind, colSeq)
	return nil
}

// sqlLate finds the outcomes after an entry of decisions up to it. The plus keeps
// SQLite from reading all outcomes there ever were.
const sqlLate = `
SELECT pub FROM entry WHERE seq > ? AND pub GLOB '{"kind":"outcome"*' AND typeof(json_extract(pub, '$.of')) = 'integer' AND +json_extract(pub, '$.of') <= ?
ORDER BY seq`

func (c *chooser) lateOutcomes(ctx context.Context) error {
	if c.late != nil {
		return nil
	}
	c.late = map[int64]*outcomeFields{}
	for _, file := range c.reader.files {
		var list []string
		if err := sqlx.SelectContext(ctx, file.db, &list, sqlLate, c.Seq, c.Seq); err != nil {
			return err
		}
		for _, pub := range list {
			var o struct {
				Of int64 `json:"of"`
				outcomeFields
			}
			if json.Unmarshal([]byte(pub), &o) == nil && c.late[o.Of] == nil {
				c.late[o.Of] = &o.outcomeFields
			}
		}
	}
	return nil
}

func (c *chooser) rules(ctx context.Context) error {
	if c.Rule == "" {
		return nil
	}
	texts, err := c.names(ctx, nameRules)
	if err != nil {
		return err
	}
	sets, err := lists(texts)
	if err != nil {
		return err
	}
	chosen := make([]bool, len(sets))
	for id, set := range sets {
		chosen[id] = slices.ContainsFunc(set, func(rule string) bool { return c.rulePattern.Match(rule, false) })
	}
	decision, _ := code(kinds, gate.KindDecision)
	c.add(func(b *block, i int) bool { return have(chosen, b.get(colRules, i)) && b.get(colKind, i) == decision }, colRules, colKind)
	return nil
}

// calls are the filters on what the call was. They come last: each text is looked
// at once, and only if nothing else rules it out.
func (c *chooser) calls(ctx context.Context) {
	if c.Match == "" && c.Regex == nil && !c.Outside {
		return
	}
	c.ofKinds(callKinds...)
	if c.Outside {
		c.add(func(b *block, i int) bool { return b.get(colFlags, i)&flagOutside != 0 })
	}
	if c.Match == "" && c.Regex == nil {
		return
	}
	c.add(func(b *block, i int) bool {
		if c.err != nil {
			return false
		}
		yes, err := c.texts.match(ctx, c.reader, c.matcher, b.get(colSubject, i))
		c.err = err
		return yes
	}, colSubject)
}
