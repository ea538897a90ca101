//go:build unix

package shell_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/shell/shelltest"
)

// reported is how many lines of findings are shown.
const reported = 40

// disagreement is a command line that passed though a shell runs the marker.
type disagreement struct {
	Shell   string   `json:"shell"`
	Kind    string   `json:"kind"`
	Command string   `json:"command"`
	Rules   []string `json:"rules"`
	Ran     []string `json:"ran"`
}

// counts are how many command lines got how far.
type counts struct {
	generated int
	passed    int // of these, the gate allowed so many
	marked    int // of these, so many hold the marker
	judged    int // of passed, a shell was given so many: the others are unfit
	ran       int // in so many of these a program other than the marker ran
	hung      int // so many of these had to be ended
}

func (c *counts) add(d counts) {
	c.generated += d.generated
	c.passed += d.passed
	c.marked += d.marked
	c.judged += d.judged
	c.ran += d.ran
	c.hung += d.hung
}

func (c counts) String() string {
	return fmt.Sprintf("%d generated, %d passed (%d hold the marker), %d judged, a program ran in %d, %d never ended",
		c.generated, c.passed, c.marked, c.judged, c.ran, c.hung)
}

// tally is what became of the command lines.
type tally struct {
	contexts map[string]*counts
	sources  map[shelltest.Source]*counts
	kinds    map[shelltest.Kind]int // how many ran the marker
	found    []disagreement         // an example or two of each of these kinds
	endless  []string               // those that had to be ended
}

func newTally() tally {
	return tally{contexts: map[string]*counts{}, sources: map[shelltest.Source]*counts{}, kinds: map[shelltest.Kind]int{}}
}

func (a *tally) count(s shelltest.Sample, n counts) {
	merge(a.sources, map[shelltest.Source]*counts{s.Source: &n})
	if s.Source == shelltest.Construct {
		merge(a.contexts, map[string]*counts{s.Kind.Context: &n})
	}
}

func merge[K comparable](into, from map[K]*counts) {
	for key, n := range from {
		if into[key] == nil {
			into[key] = &counts{}
		}
		into[key].add(*n)
	}
}

func (a *tally) add(b tally) {
	merge(a.sources, b.sources)
	merge(a.contexts, b.contexts)
	for k, n := range b.kinds {
		a.kinds[k] += n
	}
	a.found = append(a.found, b.found...)
	a.endless = append(a.endless, b.endless...)
}

func (a tally) total() (sum counts) {
	for _, c := range a.sources {
		sum.add(*c)
	}
	return sum
}

// shares are the least parts of the command lines that must get so far for a
// verdict to mean anything.
type shares struct{ passed, marked, judged, ran float64 }

// fewLines are too few for a share of them to mean anything.
const fewLines = 50

// require fails the test when too few command lines of any source passed, held
// the marker, were judged or ran a program. A share of few lines is asked for
// in a whole run alone, which has enough of each.
func (a tally) require(t *testing.T, least map[shelltest.Source]shares, whole bool) {
	t.Helper()
	for _, source := range shelltest.Sources {
		c, want := a.sources[source], least[source]
		t.Logf("%s: %s", source, c)
		for _, s := range []struct {
			what      string
			part, all int
			least     float64
		}{
			{"passed", c.passed, c.generated, want.passed},
			{"of those that passed hold the marker", c.marked, c.passed, want.marked},
			{"of those that passed were judged", c.judged, c.passed, want.judged},
			{"of those judged ran a program", c.ran, c.judged, want.ran},
		} {
			if s.all < fewLines && !whole {
				continue
			}
			if share := float64(s.part) / float64(max(s.all, 1)); share < s.least {
				t.Errorf("%s: only %.0f %% %s, want %.0f %%", source, 100*share, s.what, 100*s.least)
			}
		}
	}
}

// report fails the test if the marker ran, and shows where: shrunk examples of
// each family, the most frequent first.
func (a tally) report(t *testing.T, name string) {
	t.Helper()
	if testing.Verbose() {
		for _, context := range slices.Sorted(maps.Keys(a.contexts)) {
			c := a.contexts[context]
			t.Logf("%-30s %5d generated, %4d passed, %4d judged, %4d ran", context, c.generated, c.passed, c.judged, c.ran)
		}
		for _, text := range a.endless {
			t.Logf("had to be ended: %q", text)
		}
	}
	ran := 0
	for _, n := range a.kinds {
		ran += n
	}
	if ran == 0 {
		return
	}
	t.Errorf("%s ran %s in %d command lines that passed", name, shelltest.Marker, ran)
	list := families(a.found)
	for i, f := range list {
		if i == reported {
			t.Logf("… and %d families more", len(list)-i)
			break
		}
		t.Logf("%4d %-40q %s", f.size, f.example.Command, f.example.Kind)
	}
}

// family are findings of one shell that hold the same line, but for names.
type family struct {
	example disagreement // the shortest
	shape   string
	size    int
}

func families(found []disagreement) (list []family) {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b disagreement) int { return len(a.Command) - len(b.Command) })
	for _, d := range found {
		shape := shelltest.Shape(d.Command)
		i := slices.IndexFunc(list, func(f family) bool { return f.example.Shell == d.Shell && strings.Contains(shape, f.shape) })
		if i < 0 {
			i = len(list)
			list = append(list, family{example: d, shape: shape})
		}
		list[i].size++
	}
	slices.SortStableFunc(list, func(a, b family) int { return b.size - a.size })
	return list
}
