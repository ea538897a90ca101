package replay

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
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
	days     map[int64]*Day
}

func newTally(zone *time.Location, imported bool) *tally {
	t := &tally{zone: zone, decided: newPartTally(), days: map[int64]*Day{}}
	if imported {
		t.imported = newPartTally()
	}
	return t
}

// partTally counts one kind of calls.
type partTally struct {
	Part
	matrix    map[[2]gate.Effect]int
	obstacles map[audit.Obstacle]int
	groups    map[groupKey]*Group
	unseen    map[key]*unseen
}

type groupKey struct {
	shape    string
	old, new decided
}

// unseen is a call that would newly run, as long as nobody is found to have
// been asked about it.
type unseen struct {
	Example
	calls int
}

func newPartTally() *partTally {
	return &partTally{matrix: map[[2]gate.Effect]int{}, obstacles: map[audit.Obstacle]int{}, groups: map[groupKey]*Group{}, unseen: map[key]*unseen{}}
}

// count adds a call and returns its change, or nil.
func (t *tally) count(c *audit.Call, j *judged, old, new decided) *Change {
	p := t.decided
	if c.Kind == gate.KindImport {
		p = t.imported
	} else {
		t.prompts(c, old, new)
	}
	p.Calls++
	p.matrix[[2]gate.Effect{label(c, old, j.old.obstacle), label(c, new, j.new.obstacle)}]++
	if obstacle := cmp.Or(j.new.obstacle, j.old.obstacle); obstacle != "" {
		p.obstacles[obstacle]++
	}
	if j.linkless {
		p.LinksUnknown++
	}
	if new.silent() && !old.silent() && (old.verdict != "" || c.Kind == gate.KindImport) {
		p.newlyRuns(c, j)
	}
	switch {
	case new.verdict == "":
		return nil
	case old.verdict != "":
		return p.change(c, j, old, new)
	case c.Refused && new.silent():
		// Nobody decided it here, but elsewhere somebody said no.
		return p.change(c, j, decided{verdict: SideUndecided, action: gate.Block}, new)
	}
	return nil
}

// label is where a side of a call belongs in the matrix.
func label(c *audit.Call, d decided, obstacle audit.Obstacle) gate.Effect {
	switch {
	case d.verdict != "":
		return d.verdict
	case obstacle == "" && c.Kind == gate.KindImport:
		return SideUndecided
	}
	return SideNone
}

func (p *partTally) newlyRuns(c *audit.Call, j *judged) {
	u := p.unseen[j.target]
	if u == nil {
		u = &unseen{Example: Example{c.Seq, j.what}}
		p.unseen[j.target] = u
	}
	u.calls++
}

func (p *partTally) change(c *audit.Call, j *judged, old, new decided) *Change {
	change := Change{Seq: c.Seq, Time: c.Time, Kind: c.Kind, Session: c.Session, Project: c.Project, Tool: c.Tool, What: j.what, Shape: j.shape,
		Old: Side{old.verdict, old.action, old.basis, reasonsOf(j.old)}, New: Side{new.verdict, new.action, new.basis, reasonsOf(j.new)}, Answer: c.Answer}
	switch d := direction(old, new); {
	case d < 0:
		p.Looser++
		change.Change = ChangeLooser
		denied := old.verdict == gate.Deny || refused(c)
		if change.DeniedAllowed = denied && new.silent() && old.action != gate.Run; change.DeniedAllowed {
			p.DeniedAllowed++
		}
	case d > 0:
		p.Stricter++
		change.Change = ChangeStricter
	case j.otherReasons:
		p.OtherReasons++
		change.Change = ChangeReasons
	default:
		return nil
	}
	old.basis, old.prompt, new.basis, new.prompt = "", false, "", false
	k := groupKey{j.shape, old, new}
	g := p.groups[k]
	if g == nil {
		g = &Group{Shape: j.shape, Old: old.verdict, New: new.verdict, OldDecision: old.action, NewDecision: new.action}
		p.groups[k] = g
	}
	g.Calls++
	if len(g.Examples) < groupExamples && !slices.ContainsFunc(g.Examples, func(e Example) bool { return e.What == j.what }) {
		g.Examples = append(g.Examples, Example{c.Seq, j.what})
	}
	return &change
}

func reasonsOf(v verdict) []gate.Reason {
	if v.reasons == nil {
		return []gate.Reason{}
	}
	return v.reasons
}

const microsPerMinute = 60 * 1_000_000

// prompts counts the questions of the day. Finding out which day that is takes
// longer than all else, so it is done once a minute of the calls' time.
func (t *tally) prompts(c *audit.Call, old, new decided) {
	minute := int64(c.Time) / microsPerMinute
	day := t.days[minute]
	if day == nil {
		day = &Day{Day: c.Time.Time().In(t.zone).Format(time.DateOnly)}
		t.days[minute] = day
	}
	if old.prompt {
		day.Old++
	}
	if new.prompt {
		day.New++
	}
}

func (t *tally) result() *Result {
	r := &Result{Decided: t.decided.result(), Prompts: Prompts{Days: []Day{}}}
	if t.imported != nil {
		part := t.imported.result()
		r.Imported = &part
	}
	days := map[string]*Day{}
	for _, d := range t.days {
		if days[d.Day] == nil {
			days[d.Day] = &Day{Day: d.Day}
		}
		days[d.Day].Old += d.Old
		days[d.Day].New += d.New
	}
	for _, name := range slices.Sorted(maps.Keys(days)) {
		d := days[name]
		r.Prompts.Days = append(r.Prompts.Days, *d)
		r.Prompts.Old += d.Old
		r.Prompts.New += d.New
	}
	if n := float64(len(days)); n > 0 {
		r.Prompts.OldPerDay, r.Prompts.NewPerDay = float64(r.Prompts.Old)/n, float64(r.Prompts.New)/n
	}
	return r
}

func (p *partTally) result() Part {
	part := p.Part
	part.Matrix, part.NotReplayable, part.Groups = []Cell{}, []NotReplayable{}, []Group{}
	for k, n := range p.matrix {
		part.Matrix = append(part.Matrix, Cell{k[0], k[1], n})
	}
	order := func(e gate.Effect) int { return slices.Index(matrixOrder, e) }
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
	part.Unseen = p.unseenResult()
	return part
}

// matrixOrder is the order of the rows and columns of the matrix.
var matrixOrder = []gate.Effect{gate.Allow, gate.Ask, gate.Deny, gate.Pass, SideUndecided, SideNone}

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
