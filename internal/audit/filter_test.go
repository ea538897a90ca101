package audit_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// begin is the time of the first entry of a variety; each is a second later.
const begin = 1_767_323_045_000_000

// various is an entry of any kind, and perhaps an outcome of its call.
func various(random *rand.Rand, i int) []*gate.Entry {
	commands := []string{"git status", "git push origin main", "rm -rf build", "echo a*b", "touch /etc/x", "git"}
	session := fmt.Sprint("s", random.IntN(4))
	root := []string{"/p", "/p/sub", "/pq", "/q"}[session[1]-'0']
	call := fmt.Sprint("c", i)
	e := decision(session, call, commands[random.IntN(len(commands))])
	d := e.Decision
	d.Root, d.Cwd = root, root
	switch random.IntN(7) {
	case 0:
		d.Verdict, d.Action, d.Basis, d.Answer = policy.Deny, policy.Block, policy.BasisRule, ""
		d.Reasons = []policy.Reason{{Cause: policy.CauseRule, Rule: "shell:rm *", File: "f", Line: 1}}
	case 1:
		d.Verdict, d.Action, d.Basis, d.Answer = policy.Allow, policy.Run, policy.BasisRule, ""
		d.Reasons = []policy.Reason{{Cause: policy.CauseRule, Rule: "shell:git *", File: "f", Line: 2}}
	case 2:
		d.Answer, d.Action, d.Basis = gate.AnswerNoUI, policy.Block, policy.BasisNoUI
	case 3:
		d.Tool, d.Resources = "edit", []policy.Resource{{Kind: policy.EditPath, Text: "/etc/x", Path: "/etc/x"}}
	case 4:
		e = &gate.Entry{Kind: gate.KindPrompt, Session: session, Call: call,
			Prompt: &gate.Prompted{Tool: "bash", Input: d.Input, Cwd: root, Root: root, Reasons: []policy.Reason{{Cause: policy.CauseOutside}}}}
	case 5:
		e = &gate.Entry{Kind: gate.KindAnswer, Session: session, Call: call, Answer: &gate.Answered{Answer: gate.AnswerOnce}}
	case 6:
		e = &gate.Entry{Kind: gate.KindSessionStart, Session: session, Start: &gate.SessionStart{Cwd: root, Root: root}}
	}
	e.Time = begin + int64(i)*1_000_000
	list := []*gate.Entry{e}
	if random.IntN(2) == 0 && e.Kind != gate.KindAnswer {
		o := outcome(session, call, random.IntN(2))
		o.Time = e.Time
		list = append(list, o)
	}
	return list
}

// variety records entries of most kinds in two files, decisions and outcomes of
// all sorts among them, and returns a reader of both.
func variety(t *testing.T) *audit.Reader {
	t.Helper()
	j := audittest.NewJournal(t)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 160 {
		for _, e := range various(random, i) {
			record(t, j, e)
		}
		if i == 80 {
			if _, err := audit.Rotate(t.Context(), j.Path(), audittest.Options()); err != nil {
				t.Fatal(err)
			}
		}
	}
	review(t, j.Path(), 40, 90)
	review(t, j.Path(), 120, 125)
	files, err := audit.Files(j.Path())
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 {
		t.Fatalf("files are %q", files)
	}
	r, err := audit.OpenReader(t.Context(), files...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() }) // it only read
	return r
}

// review says that the decisions from one number to another were looked at.
func review(t *testing.T, path string, from, to int64) {
	t.Helper()
	files, err := audit.Files(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := audit.OpenReader(t.Context(), files...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }() // it only read
	seqs, err := r.Decisions(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := audit.Review(t.Context(), path, seqs, audit.ReviewOptions{}, audittest.Options()); err != nil {
		t.Fatal(err)
	}
}

func rows(t testing.TB, r *audit.Reader, f audit.Filter) []audit.Row {
	t.Helper()
	var list []audit.Row
	for row, err := range r.List(t.Context(), f) {
		if err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
		list = append(list, row)
	}
	return list
}

// naive chooses rows by reading the filter's fields one by one.
func naive(all []audit.Row, f audit.Filter) (seqs []int64) {
	started := map[string]bool{}
	last := ""
	inside := func(folder string) bool {
		return slices.ContainsFunc(f.Projects, func(p string) bool { return folder == p || strings.HasPrefix(folder, p+"/") })
	}
	for _, r := range all {
		if r.Kind == gate.KindSessionStart && inside(r.Project) {
			started[r.Session] = true
		}
	}
	here := func(r audit.Row) bool {
		return len(f.Projects) == 0 || inside(r.Project) || r.Project == "" && started[r.Session]
	}
	for _, r := range all {
		if here(r) && r.Session != "" {
			last = r.Session
		}
	}
	for _, r := range all {
		call := r.Kind == gate.KindDecision || r.Kind == gate.KindPrompt || r.Kind == gate.KindOutcome
		texts := []string{r.What()}
		outside := false
		for _, res := range r.Resources {
			texts = append(texts, res.Text)
			outside = outside || res.Kind == policy.EditPath && strings.HasPrefix(res.Text, "/")
		}
		ruled := false
		for _, reason := range r.Reasons {
			outside = outside || reason.Cause == policy.CauseOutside
			ruled = ruled || reason.Rule != "" && matches(f.Rule, reason.Rule)
		}
		bad := []bool{
			f.Since != 0 && r.Time < f.Since, f.Until != 0 && r.Time >= f.Until,
			f.Session == audit.LastSession && r.Session != last, f.Session != audit.LastSession && f.Session != "" && r.Session != f.Session,
			!here(r), f.Tool != "" && r.Tool != f.Tool, f.Verdict != "" && r.Verdict != f.Verdict, f.Decision != "" && r.Decision != f.Decision,
			f.Basis != "" && r.Basis != f.Basis, f.Answer != "" && r.Answer != f.Answer, f.Kind != "" && r.Kind != f.Kind,
			f.Rule != "" && (!ruled || r.Kind != gate.KindDecision), f.Outside && (!outside || !call),
			f.After != 0 && r.Seq <= f.After, f.Unreviewed && (r.Kind != gate.KindDecision || r.Seq >= 40 && r.Seq <= 90 || r.Seq >= 120 && r.Seq <= 125),
			f.Outcome == audit.OutcomeNone && (r.Outcome != "" || r.Kind != gate.KindDecision),
			f.Outcome != "" && f.Outcome != audit.OutcomeNone && r.Outcome != f.Outcome,
			f.Match != "" && (!call || !slices.ContainsFunc(texts, func(s string) bool { return matches(f.Match, s) })),
			f.Regex != nil && (!call || !slices.ContainsFunc(texts, f.Regex.MatchString)),
		}
		if !slices.Contains(bad, true) {
			seqs = append(seqs, r.Seq)
		}
	}
	if f.Limit > 0 && len(seqs) > f.Limit {
		seqs = seqs[len(seqs)-f.Limit:]
	}
	if f.Reverse {
		slices.Reverse(seqs)
	}
	return seqs
}

// matches is a second judge of the filters' patterns.
func matches(pattern, text string) bool {
	flat := strings.NewReplacer("/", "_")
	for _, p := range []string{pattern, strings.TrimSuffix(pattern, " *")} {
		if ok, err := path.Match(flat.Replace(p), flat.Replace(text)); err == nil && ok {
			return true
		}
	}
	return false
}

// draw returns a value in one of three filters, so that several together still
// find something.
func draw[T any](rt *rapid.T, name string, values ...T) (value T) {
	if rapid.IntRange(0, 3).Draw(rt, "use "+name) == 0 {
		value = rapid.SampledFrom(values).Draw(rt, name)
	}
	return value
}

func drawFilter(rt *rapid.T) audit.Filter {
	return audit.Filter{
		Since:      draw(rt, "since", audit.Micros(begin), begin+20_000_000, begin+90_000_000),
		Until:      draw(rt, "until", audit.Micros(begin+1), begin+30_000_000, begin+120_000_000),
		Session:    draw(rt, "session", "s0", "s3", "none", audit.LastSession),
		Projects:   draw(rt, "projects", []string{"/p"}, []string{"/q", "/p/sub"}, []string{"/none"}),
		Tool:       draw(rt, "tool", "bash", "edit", "ba"),
		Verdict:    draw(rt, "verdict", policy.Ask, policy.Allow, policy.Deny),
		Decision:   draw(rt, "decision", policy.Run, policy.Block),
		Basis:      draw(rt, "basis", policy.BasisUser, policy.BasisRule),
		Answer:     draw(rt, "answer", gate.AnswerOnce, gate.AnswerNoUI),
		Rule:       draw(rt, "rule", "shell:rm *", "shell:*", "shell:rm"),
		Outcome:    draw(rt, "outcome", audit.OutcomeOK, audit.OutcomeError, audit.OutcomeNone),
		Kind:       draw(rt, "kind", gate.KindDecision, gate.KindPrompt, gate.KindAnswer, gate.KindOutcome),
		Match:      draw(rt, "match", "git *", "*a\\*b", "rm -rf buil?", "/etc/*", "git"),
		Regex:      draw(rt, "regex", regexp.MustCompile(`^git`), regexp.MustCompile(`x$`)),
		Outside:    draw(rt, "outside", true),
		After:      draw(rt, "after", int64(1), 50, 130),
		Limit:      draw(rt, "limit", 1, 3, 50, 1000),
		Unreviewed: draw(rt, "unreviewed", true),
		Reverse:    draw(rt, "reverse", true),
	}
}

// Whatever the filter, the list is what a look at each row finds.
func TestFilterEqualsNaiveLoop(t *testing.T) {
	t.Parallel()
	r := variety(t)
	all := rows(t, r, audit.Filter{})
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFilter(rt)
		if err := f.Check(); err != nil {
			if found := naive(all, f); len(found) > 0 {
				rt.Fatalf("%+v is refused (%v), but finds %v", f, err, found)
			}
			return
		}
		var got []int64
		for row, err := range r.List(t.Context(), f) {
			if err != nil {
				rt.Fatal(err)
			}
			got = append(got, row.Seq)
		}
		if diff := cmp.Diff(naive(all, f), got); diff != "" {
			rt.Fatalf("%+v: %s", f, diff)
		}
	})
}

func TestFilterContradictions(t *testing.T) {
	t.Parallel()
	r := variety(t)
	for _, c := range []struct {
		filter audit.Filter
		want   string
	}{
		{audit.Filter{Since: 5, Until: 5}, "contradict"},
		{audit.Filter{Verdict: policy.Allow, Answer: gate.AnswerOnce}, "verdict allow and answer once contradict each other"},
		{audit.Filter{Verdict: policy.Deny, Basis: policy.BasisGrant}, "verdict deny and basis grant contradict each other"},
		{audit.Filter{Kind: gate.KindPrompt, Verdict: policy.Ask}, "kind prompt and verdict ask contradict each other"},
		{audit.Filter{Kind: gate.KindPolicy, Tool: "bash"}, "kind policy and a filter on calls contradict each other"},
		{audit.Filter{Kind: gate.KindAnswer, Outcome: "ok"}, "kind answer and outcome ok contradict each other"},
		{audit.Filter{Verdict: "maybe"}, `verdict is "maybe", must be one of allow, deny, ask, pass`},
		{audit.Filter{Outcome: "good"}, `outcome is "good", must be one of ok, error, none`},
		{audit.Filter{Limit: -1}, "limit is -1"},
	} {
		var errs []error
		for _, err := range r.List(t.Context(), c.filter) {
			errs = append(errs, err)
		}
		if len(errs) != 1 || errs[0] == nil || !strings.Contains(errs[0].Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.filter, errs, c.want)
		}
	}
}

// Erased entries stay with their project, though its name is gone from them.
func TestFilterErasedInProject(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	start := &gate.Entry{Kind: gate.KindSessionStart, Time: begin, Session: "s", Start: &gate.SessionStart{Cwd: "/p", Root: "/p"}}
	record(t, j, start)
	seq := record(t, j, decision("s", "c", "leak"))
	if _, err := audit.Erase(t.Context(), j.Path(), audit.EraseOptions{Seqs: []int64{seq}}, audittest.Options()); err != nil {
		t.Fatal(err)
	}
	got := rows(t, reader(t, j.Path()), audit.Filter{Projects: []string{"/p"}, Kind: gate.KindDecision})
	if len(got) != 1 || !got[0].Erased {
		t.Errorf("rows are %+v", got)
	}
}
