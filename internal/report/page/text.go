package page

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
)

// text is what is shown of calls that have the same judgement.
type text struct {
	what, why string
	causes    []gate.Cause
	programs  []string
	places    map[string]string // of rules, where they stood
}

// text reads the text of a judgement, once.
func (b *builder) text(ctx context.Context, judged int64) (*text, error) {
	if t := b.texts[judged]; t != nil {
		return t, nil
	}
	t, err := readText(ctx, b.journal, judged)
	if err == nil {
		b.texts[judged] = t
	}
	return t, err
}

// readAll reads the texts of all that people were asked about: in the order of
// the journal, whose pages are then read once, and on all processors.
func (b *builder) readAll(ctx context.Context) error {
	judged := slices.Sorted(maps.Keys(b.asked))
	found := make([]*text, len(judged))
	readers, ctx := errgroup.WithContext(ctx)
	readers.SetLimit(runtime.GOMAXPROCS(0))
	for i, seq := range judged {
		readers.Go(func() (err error) {
			found[i], err = readText(ctx, b.journal, seq)
			return err
		})
	}
	if err := readers.Wait(); err != nil {
		return err
	}
	for i, t := range found {
		b.texts[judged[i]] = t
	}
	return nil
}

func readText(ctx context.Context, journal Journal, judged int64) (*text, error) {
	row, err := journal.Row(ctx, judged)
	if err != nil {
		return nil, err
	}
	t := &text{what: shorten(row.What()), why: shorten(why(&row)), programs: programs(&row)}
	for _, reason := range row.Reasons {
		if !slices.Contains(t.causes, reason.Cause) {
			t.causes = append(t.causes, reason.Cause)
		}
		if reason.Cause == gate.CauseRule {
			if t.places == nil {
				t.places = map[string]string{}
			}
			t.places[reason.Rule] = reason.Where()
		}
	}
	return t, nil
}

// maxText is how much of a text a report has, in bytes; `pigate audit show` has
// all of it.
const maxText = 400

func shorten(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}

// why names the reasons of a verdict, each once.
func why(row *audit.Row) string {
	var list []string
	for _, reason := range row.Reasons {
		words := reason.Words()
		if reason.Cause == gate.CauseRule {
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
		if slices.ContainsFunc(row.Reasons, func(r gate.Reason) bool { return concerns(&r, &res) }) {
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
	for i := range list {
		list[i] = shorten(list[i])
	}
	return list
}

// concerns reports whether a reason is about a unit, or about a piece of it.
func concerns(reason *gate.Reason, unit *gate.Resource) bool {
	if reason.Cause == gate.CauseRule {
		return false // what a rule allows is not what is asked about
	}
	return reason.Resource == unit.Text || reason.End > reason.Start && unit.Start <= reason.Start && reason.End <= unit.End
}
