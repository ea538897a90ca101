package page

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
)

// wording is what is shown of calls that have the same judgement.
type wording struct {
	what, why string
	places    map[string]string // of rules, where they stood
}

// text reads the text of a judgement, once.
func (b *builder) text(ctx context.Context, judged int64) (*wording, error) {
	if t := b.texts[judged]; t != nil {
		return t, nil
	}
	row, err := b.journal.Row(ctx, judged)
	if err != nil {
		return nil, err
	}
	t := &wording{what: shorten(row.What()), why: shorten(why(&row)), places: map[string]string{}}
	for _, reason := range row.Reasons {
		if reason.Cause == policy.CauseRule {
			t.places[reason.Rule] = reason.Where()
		}
	}
	b.texts[judged] = t
	return t, nil
}

// gist is what is counted of the text of calls that have the same judgement:
// why people were asked, and about which programs.
type gist struct {
	causes   []policy.Cause
	programs []string
}

// gists reads the gist of all that is looked at for a list, shown or not: in the
// order of the journal, whose pages are then read once, and on all processors.
func (b *builder) gists(ctx context.Context) error {
	wanted := map[int64]bool{}
	for judged := range b.asked {
		wanted[judged] = true
	}
	for _, s := range b.approvals {
		wanted[s.newest.Judged] = true
	}
	judged := slices.Sorted(maps.Keys(wanted))
	found := make([]gist, len(judged))
	readers, ctx := errgroup.WithContext(ctx)
	readers.SetLimit(runtime.GOMAXPROCS(0))
	for i, seq := range judged {
		readers.Go(func() error {
			row, err := b.journal.Row(ctx, seq)
			if err == nil {
				found[i] = gistOf(&row)
			}
			return err
		})
	}
	if err := readers.Wait(); err != nil {
		return err
	}
	for i, g := range found {
		b.known[judged[i]] = g
	}
	return nil
}

func gistOf(row *audit.Row) (g gist) {
	for _, reason := range row.Reasons {
		if !slices.Contains(g.causes, reason.Cause) {
			g.causes = append(g.causes, reason.Cause)
		}
	}
	for _, name := range programs(row) {
		g.programs = append(g.programs, shorten(name))
	}
	return g
}

// maxText is how much of a text a report has, in bytes; `pigate audit show` has
// all of it.
const maxText = 400

// shorten returns the beginning of a text, apart from the text itself: that may
// be part of an entry of any length, which would be held with it.
func shorten(s string) string {
	if len(s) <= maxText {
		return strings.Clone(s)
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}

// why names the reasons of a verdict, each once.
func why(row *audit.Row) string {
	var list []string
	for _, reason := range row.Reasons {
		words := reason.Words()
		if reason.Cause == policy.CauseRule {
			words = "rule " + reason.Rule
		}
		if !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return strings.Join(list, "; ")
}

// programs are what a call asked about: the programs of the commands that its
// reasons name, or else of all of them; of another tool its name in
// parentheses.
func programs(row *audit.Row) []string {
	concerned := audit.Row{}
	for _, res := range row.Resources {
		if slices.ContainsFunc(row.Reasons, func(r policy.Reason) bool { return concerns(&r, &res) }) {
			concerned.Resources = append(concerned.Resources, res)
		}
	}
	list := concerned.Programs()
	if len(list) == 0 {
		list = row.Programs()
	}
	if len(list) == 0 {
		list = []string{"(" + row.Tool + ")"}
	}
	return list
}

// concerns reports whether a reason is about a unit, or about a piece of it.
func concerns(reason *policy.Reason, unit *policy.Resource) bool {
	if reason.Cause == policy.CauseRule {
		return false // what a rule allows is not what is asked about
	}
	return reason.Resource == unit.Text || reason.End > reason.Start && unit.Start <= reason.Start && reason.End <= unit.End
}
