package audit_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
)

// Every entry about a call shows the call, with its outcome and its policy.
func TestShowFindsTheCall(t *testing.T) {
	t.Parallel()
	j := audittest.NewJournal(t)
	const policy = `{"allow":["shell:ls"]}`
	sum := sha256.Sum256([]byte(policy))
	if err := j.Policy(t.Context(), hex.EncodeToString(sum[:]), []byte(policy)); err != nil {
		t.Fatal(err)
	}
	prompt := record(t, j, &gate.Entry{Kind: gate.KindPrompt, Time: begin, Session: "s", Call: "c", Prompt: &gate.Prompted{Tool: "bash"}})
	answer := record(t, j, &gate.Entry{Kind: gate.KindAnswer, Time: begin, Session: "s", Call: "c", Answer: &gate.Answered{Answer: gate.AnswerOnce}})
	e := decision("s", "c", "make")
	e.Decision.Policy = hex.EncodeToString(sum[:])
	seq := record(t, j, e)
	of := record(t, j, outcome("s", "c", 2))
	other := record(t, j, decision("t", "other", "make"))
	r := reader(t, j.Path())
	for _, name := range []string{fmt.Sprint(prompt), fmt.Sprint(answer), fmt.Sprint(seq), fmt.Sprint(of), "c"} {
		s, err := r.Show(t.Context(), name)
		if err != nil || s.Entry.Seq != seq || s.Entry.Outcome != "error" || !s.Link.Intact || string(s.Policy) != policy {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	// Of this one the journal does not have the policy.
	s, err := r.Show(t.Context(), fmt.Sprint(other))
	if err != nil || s.Entry.Session != "t" || string(s.Policy) != "null" {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := r.Show(t.Context(), "0"); err == nil || !strings.Contains(err.Error(), "no entry 0") {
		t.Error(err)
	}
}
