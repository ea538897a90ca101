package dialog

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/pigate/pigate/internal/gate/policy"
)

// span is a place in a command line, in bytes.
type span struct{ start, end int }

// piece is a part of a command that needs approval: a whole pipeline, so that
// what feeds a program stands beside it.
type piece struct {
	span
	fear fear
}

// question is a call that asks, taken apart.
type question struct {
	call    *policy.Call
	verdict policy.Verdict
	changes []policy.Changes
	// lines are the pipelines of a command, in their order.
	lines []span
	// pieces are what of a command needs approval, the gravest first; none where
	// the reasons name no place in it.
	pieces []piece
	// gravest is what there is to fear most.
	gravest fear
	// always reports that it asks for a ">" which writes no file.
	always bool
}

func newQuestion(c *policy.Call, v policy.Verdict) *question {
	q := &question{call: c, verdict: v, changes: c.Changes(), lines: pipelines(c)}
	found := map[span]fear{}
	add := func(start, end int, f fear) {
		if f.grave > q.gravest.grave {
			q.gravest = f
		}
		if c.Analysis == nil || end <= start || end > len(c.Command) {
			return
		}
		at := q.pipeline(start, end)
		if old, known := found[at]; !known || f.grave > old.grave {
			found[at] = f
		}
	}
	units := q.units()
	for _, r := range v.Reasons {
		if r.Cause == policy.CauseRedirection && r.Resource == ">" {
			q.redirections(r, add)
			continue
		}
		unit, known := units[place{r.Resource, span{r.Start, r.End}}]
		if !known {
			unit = -1
		}
		add(r.Start, r.End, q.fearOf(r, unit))
	}
	for at, f := range found {
		q.pieces = append(q.pieces, piece{at, f})
	}
	slices.SortFunc(q.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(b.fear.grave, a.fear.grave), cmp.Compare(a.start, b.start))
	})
	return q
}

// place is the text of a unit and where it stands, which is how a reason names it.
type place struct {
	text string
	span span
}

// units finds units by their places.
func (q *question) units() map[place]int {
	if q.call.Analysis == nil {
		return nil
	}
	list := q.call.Analysis.Units
	found := make(map[place]int, len(list))
	for i := range list {
		found[place{list[i].Text, span{list[i].Start, list[i].End}}] = i
	}
	return found
}

// redirections adds what the redirections of a line write, where every ">" asks.
// The reason names the first ">", which need not be one that writes.
func (q *question) redirections(r policy.Reason, add func(start, end int, f fear)) {
	before := q.gravest
	for _, w := range q.call.Analysis.Redirections {
		if !w.Harmless {
			add(w.Start, w.End, fear{"writes " + quoted([]string{w.Target}), graveWrite})
			q.always = true
		}
	}
	if q.always = !q.always; q.always && before == q.gravest {
		add(r.Start, r.End, fear{})
	}
}

// pipe is what joins the commands of a pipeline.
var pipe = regexp.MustCompile(`^(\s|\\\n)*\|&?(\s|\\\n)*$`)

// pipelines are the places of the commands of a line, those within others and
// those that a pipe joins taken together.
func pipelines(c *policy.Call) (list []span) {
	if c.Analysis == nil {
		return nil
	}
	var units []span
	for i := range c.Analysis.Units {
		if u := &c.Analysis.Units[i]; u.End > u.Start && u.Start >= 0 && u.End <= len(c.Command) {
			units = append(units, span{u.Start, u.End})
		}
	}
	slices.SortFunc(units, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	for _, u := range units {
		last := len(list) - 1
		if last >= 0 && (u.start < list[last].end || pipe.MatchString(c.Command[list[last].end:u.start])) {
			list[last].end = max(list[last].end, u.end)
			continue
		}
		list = append(list, u)
	}
	return list
}

// pipeline is the pipeline that a place lies in, or the place itself where it lies
// in none.
func (q *question) pipeline(start, end int) span {
	at, _ := slices.BinarySearchFunc(q.lines, start, func(s span, start int) int {
		if s.end <= start {
			return -1
		}
		return 1
	})
	if at < len(q.lines) && q.lines[at].start <= start {
		return q.lines[at]
	}
	return span{start, end}
}

// whole reports that every command of the line needs approval.
func (q *question) whole() bool {
	return len(q.pieces) == 0 || !slices.ContainsFunc(q.lines, func(s span) bool {
		return !slices.ContainsFunc(q.pieces, func(p piece) bool { return p.span == s })
	})
}
