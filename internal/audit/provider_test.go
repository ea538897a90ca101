package audit_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// TestCallIDs wants the ids that providers make at random to stay as they are,
// whatever they look like, and secrets in any other id to be masked.
func TestCallIDs(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	j := audit.NewJournal(path, audit.Options{})
	kept := []string{"toolu_01SJSu8T4PHMWRfZFzNVE2NT", "call_IiXhFJgIzYHLX3w8sJ6Jkz1p", "call_ukAPuSHxgPrsKEXqXP4hmg3O|fc_0863e0f83977765e0169d3e37ba60c8191af0368ee82ec40d9",
		"toolu_01BS8haUR7vvdo6SxvBMqaaJ/12", "call_1"}
	const secret = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	for _, id := range append(kept, "call_"+secret, "toolu_01 "+secret) {
		request := policy.Request{Session: "s", Call: id, Tool: "bash", Input: json.RawMessage(`{"command":"ls"}`), Cwd: "/home/u/shop"}
		e := &gate.Entry{Kind: gate.KindImport, Time: 1, Session: "s", Call: id, Import: gate.NewImported(request)}
		e.Import.Source = "pi"
		if _, err := j.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := audit.OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	i := 0
	for row, err := range r.List(t.Context(), audit.Filter{Kind: gate.KindImport}) {
		if err != nil {
			t.Fatal(err)
		}
		var e struct{ Call string }
		if err := json.Unmarshal(row.Body, &e); err != nil {
			t.Fatal(err)
		}
		switch {
		case i < len(kept) && e.Call != kept[i]:
			t.Errorf("the id %q is kept as %q", kept[i], e.Call)
		case i >= len(kept) && (strings.Contains(e.Call, secret) || !strings.Contains(e.Call, "[secret:")):
			t.Errorf("an id with a secret is kept as %q", e.Call)
		}
		i++
	}
	if i != len(kept)+2 {
		t.Errorf("%d entries, want %d", i, len(kept)+2)
	}
}
