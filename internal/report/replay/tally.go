package replay

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

const (
	groupExamples  = 3
	unseenExamples = 20
)

// tally counts what a replay finds.
type tally struct {
	zone     *time.Location
	decided  *partTally
	imported *partTally // nil when not asked for
}

func newTally(zone *time.Location, imported bool) *tally {
	t := &tally{zone: zone, decided: newPartTally()}
	if imported {
		t.imported = newPartTally()
	}
	return t
}

// partTally counts one kind of calls.
type partTally struct {
	Part
	matrix    map[[2]policy.Effect]int
	obstacles map[audit.Obstacle]int
	groups    map[groupKey]*Group
	unseen    map[key]*unseen
	days      map[int64]*Day // by minute
}

type groupKey struct {
	shape                string
	old, new             policy.Effect
	oldAction, newAction policy.Action
}

// unseen is a call that would newly run, as long as nobody is found to have
// been asked about it.
type unseen struct {
	Example
	calls int
}

func newPartTally() *partTally {
	return &partTally{matrix: map[[2]policy.Effect]int{}, obstacles: map[audit.Obstacle]int{}, groups: map[groupKey]*Group{}, unseen: map[key]*unseen{},
		days: map[int64]*Day{}}
}

// count adds a call and returns how it changes, "" when it does not.
func (t *tally) count(c *audit.Call, j *judgement, old, new decision) change {
	p := t.decided
	if c.Kind == gate.KindImport {
		p = t.imported
	}
	p.Calls++
	p.prompts(c, old, new, t.zone)
	p.matrix[[2]policy.Effect{label(c, old, j.old.obstacle), label(c, new, j.new.obstacle)}]++
	if obstacle := cmp.Or(j.new.obstacle, j.old.obstacle); obstacle != "" {
		p.obstacles[obstacle]++
	}
	if j.linkless {
		p.LinksUnknown++
	}
	if j.otherPrograms {
		p.OtherPrograms++
	}
	if newlyRuns(c, old, new) {
		p.newlyRun(c, j)
	}
	ch := compare(c, j, old, new)
	if ch.kind == "" {
		return ch
	}
	p.add(c, j, ch)
	return ch
}

// label is where a side of a call belongs in the matrix.
func label(c *audit.Call, d decision, obstacle audit.Obstacle) policy.Effect {
	switch {
	case d.verdict != "":
		return d.verdict
	case obstacle == "" && c.Kind == gate.KindImport:
		return SideUndecided
	}
	return SideNone
}

// newlyRuns reports that a call would run without a question and did not. One
// that only reads is no news.
func newlyRuns(c *audit.Call, old, new decision) bool {
	return new.silent() && new.basis != policy.BasisPass && !old.silent() && (old.verdict != "" || c.Kind == gate.KindImport)
}

func (p *partTally) newlyRun(c *audit.Call, j *judgement) {
	u := p.unseen[j.target]
	if u == nil {
		u = &unseen{Example: Example{c.Seq, c.Tool, j.what}}
		p.unseen[j.target] = u
	}
	u.calls++
}

const microsPerMinute = 60 * 1_000_000

// prompts counts the questions of the day. Finding out which day that is takes
// longer than all else, so it is done once a minute of the calls' time.
func (p *partTally) prompts(c *audit.Call, old, new decision, zone *time.Location) {
	minute := int64(c.Time) / microsPerMinute
	day := p.days[minute]
	if day == nil {
		day = &Day{Day: c.Time.Time().In(zone).Format(time.DateOnly)}
		p.days[minute] = day
	}
	if old.prompt {
		day.Old++
	}
	if new.prompt {
		day.New++
	}
}

func (t *tally) result() *Result {
	r := &Result{Decided: t.decided.result()}
	if t.imported != nil {
		part := t.imported.result()
		r.Imported = &part
	}
	return r
}

func (p *partTally) promptsResult() Prompts {
	days := map[string]*Day{}
	for _, d := range p.days {
		if days[d.Day] == nil {
			days[d.Day] = &Day{Day: d.Day}
		}
		days[d.Day].Old += d.Old
		days[d.Day].New += d.New
	}
	r := Prompts{Days: []Day{}}
	for _, name := range slices.Sorted(maps.Keys(days)) {
		d := days[name]
		r.Days = append(r.Days, *d)
		r.Old += d.Old
		r.New += d.New
	}
	if n := float64(len(days)); n > 0 {
		r.OldPerDay, r.NewPerDay = float64(r.Old)/n, float64(r.New)/n
	}
	return r
}

func (p *partTally) result() Part {
	part := p.Part
	part.Matrix, part.NotReplayable, part.Groups = []Cell{}, []NotReplayable{}, []Group{}
	for k, n := range p.matrix {
		part.Matrix = append(part.Matrix, Cell{k[0], k[1], n})
	}
	order := func(e policy.Effect) int { return slices.Index(matrixOrder, e) }
	slices.SortFunc(part.Matrix, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(order(a.Old), order(b.Old)), cmp.Compare(order(a.New), order(b.New)))
	})
	for o, n := range p.obstacles {
		part.NotReplayable = append(part.NotReplayable, NotReplayable{o, n})
	}
	slices.SortFunc(part.NotReplayable, func(a, b NotReplayable) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Obstacle, b.Obstacle))
	})
	for _, g := range p.groups {
		part.Groups = append(part.Groups, *g)
	}
	slices.SortFunc(part.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Shape, b.Shape), cmp.Compare(a.Examples[0].Seq, b.Examples[0].Seq))
	})
	part.Unseen, part.Prompts = p.unseenResult(), p.promptsResult()
	return part
}

// matrixOrder is the order of the rows and columns of the matrix.
var matrixOrder = []policy.Effect{policy.Allow, policy.Ask, policy.Deny, policy.Pass, SideUndecided, SideNone}

func (p *partTally) unseenResult() Unseen {
	u := Unseen{Different: len(p.unseen), Examples: []Example{}}
	for _, one := range p.unseen {
		u.Calls += one.calls
		u.Examples = append(u.Examples, one.Example)
	}
	slices.SortFunc(u.Examples, func(a, b Example) int { return cmp.Compare(a.Seq, b.Seq) })
	if len(u.Examples) > unseenExamples {
		u.Examples = slices.Clone(u.Examples[:unseenExamples])
	}
	return u
}
