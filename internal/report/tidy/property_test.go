package tidy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/report/tidy"
)

// TestNothingRecordedAsksAnew draws rules and calls, and replays the calls under
// all findings together: none asks anew but those that are told, none runs that
// was refused, and every rule that stays or comes is one that a person wrote, or
// narrower than it, or the pattern of a finding.
func TestNothingRecordedAsksAnew(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 12))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	found := map[tidy.Kind]int{}
	for range 12 {
		var rules []rule.Rule
		for n := range 3 + random.IntN(10) {
			text := "shell:" + pick("git", "cargo", "npm run") + " " + pick("log", "test", "status", "push") + pick("", " *", " -v", " --stat", " main", " -3")
			if random.IntN(3) == 0 {
				text = pick("shell:git *", "shell:cargo *", "shell:cargo *", "shell:git log *")
			}
			r, err := rule.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			r.Effect, r.File, r.Line = rule.Allow, "rules.json", n+1
			if random.IntN(8) == 0 {
				r.Effect = rule.Deny
			}
			rules = append(rules, r)
		}
		w := newWorld(t, rules)
		for range 15 + random.IntN(20) {
			command := pick("git", "cargo", "npm run") + " " + pick("log", "test", "status") + pick("", " -v", " --stat", " main", " -3")
			if random.IntN(4) == 0 {
				command += " && git status"
			}
			w.ran(random.IntN(190), command, []gate.Answer{gate.AnswerOnce, gate.AnswerDeny}[random.IntN(2)])
		}
		list := w.look()
		for _, f := range list {
			found[f.Kind]++
		}
		w.prove(list)
		if t.Failed() {
			for _, r := range rules {
				t.Log(r.Effect, r.Text)
			}
			t.Fatalf("%+v", list)
		}
	}
	for _, k := range []tidy.Kind{tidy.Shadowed, tidy.Unused, tidy.Wider} {
		if found[k] == 0 {
			t.Errorf("no finding was %s, so nothing was tried", k)
		}
	}
}
