package dialog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/text"
)

// fear is one thing that a person may fear of a call: in words that are safe to
// show, and how grave it is beside others.
type fear struct {
	words string
	grave int
}

// How grave the causes are, from 0 to 100. The person's own rules come before
// what the catalogue says; what cannot be told comes before what is known.
var causes = map[policy.Cause]int{
	policy.CauseSelfProtection: 100, policy.CauseAskRule: 95, policy.CauseCouldBeAsked: 91, policy.CauseCouldBeDenied: 90,
	policy.CauseUnparsed: 88, policy.CauseOpaque: 86, policy.CauseOutside: 78, policy.CauseBadInput: 75, policy.CauseGuardedFlag: 70,
	policy.CauseBrokenFile: 60, policy.CauseNoResource: 50,
}

// classes say for each class of the catalogue what there is to fear.
var classes = map[catalog.Class]fear{
	catalog.ClassDestroys:  {"deletes or overwrites for good", 84},
	catalog.ClassPublishes: {"publishes: others will see it", 82},
	catalog.ClassReaches:   {"reaches the network", 65},
	"":                     {"pigate does not know what it does", graveUnknown},
	catalog.ClassLocal:     {"changes files here", 40},
	catalog.ClassBuilds:    {"runs the project's own code", 35},
	catalog.ClassShapes:    {"changes small things", 30},
	catalog.ClassLooks:     {"only looks", 10},
}

// How grave it is that a command deletes a file, that it runs a file that is not
// known, that its program may do anything or is not known, that it writes a file,
// and that it only runs another command, which counts by itself.
const (
	graveDelete  = 85
	graveFile    = 67
	graveHarm    = 60
	graveUnknown = 55
	graveWrite   = 45
	graveNothing = 5
)

// fearOf says what a reason makes a person fear. Unit is the unit that it is
// about, -1 where there is none.
func (q *question) fearOf(r policy.Reason, unit int) fear {
	if grave, known := causes[r.Cause]; known {
		return fear{text.Visible(r.Words()), grave}
	}
	switch {
	case r.Cause == policy.CauseRedirection && r.Resource != ">":
		return fear{text.Visible(r.Words()), graveWrite}
	case unit >= 0 && (r.Cause == policy.CauseNoRule || r.Cause == policy.CauseCeiling):
		return q.unitFear(unit)
	case r.Cause == policy.CauseCeiling:
		return fear{text.Visible(r.Words()), graveNothing}
	}
	return fear{}
}

// unitFear says what there is to fear of a unit: the files that it deletes, else
// its class, else that nothing is known of it.
func (q *question) unitFear(i int) fear {
	u, changes := &q.call.Analysis.Units[i], q.changes[i]
	if len(changes.Deletes) > 0 {
		return fear{"deletes " + quoted(changes.Deletes), graveDelete}
	}
	f := classFear(u)
	if f.grave == graveUnknown && len(u.Words) > 0 && strings.Contains(u.Words[0].Text, "/") {
		f = fear{"runs " + quoted([]string{u.Words[0].Text}) + ", which pigate does not know", graveFile}
	}
	if len(changes.Writes) > 0 && (f.grave < graveWrite || f.grave == graveHarm) {
		return fear{"writes " + quoted(changes.Writes), max(f.grave, graveWrite)}
	}
	return f
}

// classFear is what there is to fear by the class of a command. A program of which
// no rule is ever drafted has the gravest class for that alone: it may do
// anything, or only runs another command.
func classFear(u *shell.Unit) fear {
	class, p := classOf(u)
	switch {
	case p == nil || class != catalog.ClassDestroys || p.Draft != catalog.DraftNever || p.Class != class:
	case u.Wrapper || p.Check == "declaration":
		return fear{"", graveNothing}
	default:
		return fear{"can do lasting harm", graveHarm}
	}
	if class == catalog.ClassReaches && len(u.Words) > 1 && sends(u) {
		class = catalog.ClassPublishes
	}
	return classes[class]
}

// sends reports a subcommand that brings to another machine what is here: habit
// makes it a lesser risk to a rule, yet others see it.
func sends(u *shell.Unit) bool {
	return slices.ContainsFunc(u.Views, func(view string) bool {
		words := strings.Fields(view)
		return len(words) > 1 && words[1] == "push"
	})
}

// quoted names files in backquotes: three at most, and how many more there are.
func quoted(names []string) string {
	const most, columns = 3, 30
	var b strings.Builder
	for i, name := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("`" + text.Clip(strings.ReplaceAll(text.Visible(name), "`", "'"), columns) + "`")
	}
	return b.String()
}

// classOf is the gravest class that the catalogue gives a command, by each of the
// ways in which it can be spelled, and the program that it gives it for; "" when
// it gives none.
func classOf(u *shell.Unit) (worst catalog.Class, of *catalog.Program) {
	if u.Known == nil {
		return "", nil
	}
	for _, name := range u.Names() {
		p := u.Known.Lookup(name)
		if p == nil {
			continue
		}
		for _, words := range spellings(u) {
			if c := classBy(p, words); worst == "" || c != "" && classes[c].grave > classes[worst].grave {
				worst, of = c, p
			}
		}
	}
	return worst, of
}

// spellings are the words of a command behind its program: all of them, and those
// that are no options; each also without the options before a subcommand.
func spellings(u *shell.Unit) (list [][]string) {
	add := func(words []string) {
		list = append(list, words, slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.HasPrefix(w, "-") }))
	}
	if len(u.Words) > 0 {
		var words []string
		for _, w := range u.Words[1:] {
			words = append(words, w.Text)
		}
		add(words)
	}
	for _, view := range u.Views {
		if words := strings.Fields(view); len(words) > 1 {
			add(words[1:])
		}
	}
	return list
}

// classBy is the class of a program with these words: that of the longest
// subcommand that they begin with.
func classBy(p *catalog.Program, words []string) catalog.Class {
	const most = 3
	for n := min(most, len(words)); n > 0; n-- {
		if c, told := p.Classes[strings.Join(words[:n], " ")]; told {
			return c
		}
	}
	return p.Class
}
