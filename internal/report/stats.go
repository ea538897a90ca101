package report

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Group counts the calls that have something in common. The tags are the fields
// of `pigate audit stats --json`.
type Group struct {
	// Name is what they have in common.
	Name string `json:"name"`
	// Calls are decided ones, Imported those that were imported; they count in
	// nothing else.
	Calls    int `json:"calls"`
	Imported int `json:"imported,omitempty"`
	// Prompts are the calls about which a person was asked, Silent those that ran
	// without, Blocked those that did not run.
	Prompts int `json:"prompts"`
	Silent  int `json:"silent"`
	Blocked int `json:"blocked"`
	// SilentShare is Silent in Calls, from 0 to 1.
	SilentShare float64 `json:"silent_share"`
	// WaitedMedian and WaitedP90 are how long the person took, in microseconds: at
	// most so long in half, and in nine of ten, of the prompts. 0 without any.
	WaitedMedian int64 `json:"waited_median_us"`
	WaitedP90    int64 `json:"waited_p90_us"`

	waited []int64
}

// Stats are counts of decisions, by one of StatsBy.
type Stats struct {
	By    string `json:"by"`
	Total Group  `json:"total"`
	// Groups are in the order of their names for days and hours, else those with
	// most prompts first. A call with several programs or rules is in a group for
	// each, so that the groups may add up to more than Total.
	Groups []Group `json:"groups"`
	// Days are the days on which something was decided, as in a report and a
	// replay; PromptsPerDay are the prompts of Total by that.
	Days          int     `json:"days"`
	PromptsPerDay float64 `json:"prompts_per_day"`
	// Denials count why calls were blocked, the most frequent first.
	Denials []NamedCount `json:"denials"`
	// Rules are those of the one project that is counted that should be looked at;
	// nil when that is not known, or several are counted. NewStats leaves it nil.
	Rules *RuleHealth `json:"rules"`
}

// StatsBy are what calls can be grouped by.
var StatsBy = []string{"tool", "program", "rule", "project", "session", "day", "hour", "answer"}

// NewStats counts the decisions among calls, and the imported calls apart; days
// and hours of the day are those of the zone. It holds a number for each prompt and counts for each group.
func NewStats(calls iter.Seq2[audit.Call, error], by string, zone *time.Location) (Stats, error) {
	if !slices.Contains(StatsBy, by) {
		return Stats{}, fmt.Errorf("by is %q, must be one of %s", by, strings.Join(StatsBy, ", "))
	}
	s := Stats{By: by, Total: Group{Name: "all"}, Groups: []Group{}}
	groups := map[string]*Group{}
	blocked := denials{}
	on := activeDays{zone: zone}
	for call, err := range calls {
		if err != nil {
			return s, err
		}
		if call.Kind == gate.KindDecision {
			on.add(call.Time)
			if call.Decision != policy.Run {
				blocked.count(&call)
			}
		}
		s.Total.count(&call)
		for _, name := range names(&call, by, zone) {
			if groups[name] == nil {
				groups[name] = &Group{Name: name}
			}
			groups[name].count(&call)
		}
	}
	s.Total.finish()
	s.Denials = blocked.list()
	if s.Days = len(on.days); s.Days > 0 {
		s.PromptsPerDay = float64(s.Total.Prompts) / float64(s.Days)
	}
	for _, g := range groups {
		g.finish()
		s.Groups = append(s.Groups, *g)
	}
	slices.SortFunc(s.Groups, func(a, b Group) int {
		if by == "day" || by == "hour" {
			return cmp.Compare(a.Name, b.Name)
		}
		return cmp.Or(cmp.Compare(b.Prompts, a.Prompts), cmp.Compare(b.Calls, a.Calls), cmp.Compare(b.Imported, a.Imported), cmp.Compare(a.Name, b.Name))
	})
	return s, nil
}

func (g *Group) count(c *audit.Call) {
	if c.Kind == gate.KindImport {
		g.Imported++
		return
	}
	g.Calls++
	asked := c.Answer != "" && c.Answer != gate.AnswerNoUI
	if asked {
		g.Prompts++
	}
	switch {
	case c.Decision != policy.Run:
		g.Blocked++
	case !asked:
		g.Silent++
	}
	if asked && c.Waited > 0 {
		g.waited = append(g.waited, c.Waited)
	}
}

func (g *Group) finish() {
	if g.Calls > 0 {
		g.SilentShare = float64(g.Silent) / float64(g.Calls)
	}
	slices.Sort(g.waited)
	g.WaitedMedian, g.WaitedP90 = Percentile(g.waited, 0.5), Percentile(g.waited, 0.9)
}

// Percentile is the smallest of the sorted values that so large a share of them
// does not exceed.
func Percentile(sorted []int64, share float64) int64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

// names are the groups that a decision belongs to.
func names(c *audit.Call, by string, zone *time.Location) []string {
	some := func(list []string, missing string) []string {
		if len(list) == 0 {
			return []string{missing}
		}
		return list
	}
	if c.Kind == gate.KindImport && (by == "answer" || by == "rule") {
		return []string{"(imported)"}
	}
	switch by {
	case "tool":
		return []string{c.Tool}
	case "project":
		return []string{c.Project}
	case "session":
		return []string{c.Session}
	case "day":
		return []string{c.Time.Time().In(zone).Format("2006-01-02")}
	case "hour":
		return []string{c.Time.Time().In(zone).Format("15")}
	case "answer":
		return []string{cmp.Or(string(c.Answer), "(not asked)")}
	case "rule":
		return some(c.Rules, "(no rule)")
	case "program":
		return some(c.Programs, "("+c.Tool+")")
	}
	return nil
}

// widestBar is how many characters the bar of the largest group has.
const widestBar = 24

// The widths of the other columns together, with the gaps; that of a name, and
// the least that there is to read of one and to see of a bar.
const (
	countsWidth   = 50
	importedWidth = 10
	widestName    = 40
	leastName     = 16
	leastBar      = 6
)

// fit is how wide names and bars may be on a screen.
func (s *Stats) fit(screen Screen) (name, bar int) {
	for _, g := range s.Groups {
		name = max(name, len([]rune(cell(g.Name, widestName))))
	}
	if screen.Width == 0 {
		return widestName, widestBar
	}
	room := screen.Width - countsWidth
	if s.Total.Imported > 0 {
		room -= importedWidth
	}
	name = max(leastName, min(name, room))
	if bar = min(widestBar, room-name-2); bar < leastBar {
		bar = 0
	}
	return name, bar
}

// WriteStats writes counts as a table with bars for people.
func WriteStats(w io.Writer, s Stats, screen Screen) error {
	names, bars := s.fit(screen)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	heads := []string{strings.ToUpper(s.By), "CALLS", "PROMPTS", "BLOCKED", "SILENT", "MEDIAN", "P90"}
	imported := s.Total.Imported > 0
	if imported {
		heads = append(heads, "IMPORTED")
	}
	if err := line(t, append(heads, "")); err != nil {
		return err
	}
	most := 1
	for _, g := range s.Groups {
		most = max(most, g.Calls+g.Imported)
	}
	for _, g := range s.Groups {
		bar := ""
		if bars > 0 {
			bar = strings.Repeat("█", max(1, (g.Calls+g.Imported)*bars/most))
		}
		if err := line(t, append(g.cells(names, imported), bar)); err != nil {
			return err
		}
	}
	if err := line(t, s.Total.cells(names, imported)); err != nil {
		return err
	}
	if err := t.Flush(); err != nil || s.Total.Calls == 0 {
		return err
	}
	return s.writeRest(w)
}

func (g *Group) cells(names int, imported bool) []string {
	wait := func(us int64) string {
		if us == 0 {
			return "-"
		}
		return Took(us)
	}
	cells := []string{cell(cmp.Or(g.Name, "-"), names), strconv.Itoa(g.Calls), strconv.Itoa(g.Prompts), strconv.Itoa(g.Blocked),
		silentShare(g), wait(g.WaitedMedian), wait(g.WaitedP90)}
	if imported {
		cells = append(cells, strconv.Itoa(g.Imported))
	}
	return cells
}

// silentShare is the share of a group that ran silently; imported calls alone
// have none, for nothing tells whether somebody was asked about them.
func silentShare(g *Group) string {
	if g.Calls == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", math.Floor(g.SilentShare*100))
}
