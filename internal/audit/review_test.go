package audit_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
)

// A review covers the decisions it was made of and no other, and says who had
// what to say of them only in private.
func TestReview(t *testing.T) {
	t.Parallel()
	j := open(t, t.TempDir()+"/journal.db")
	var all []int64
	for i := range 12 {
		seq := record(t, j, decision("s", string(rune('a'+i)), "ls"))
		all = append(all, seq)
		if i%3 == 0 {
			record(t, j, outcome("s", string(rune('a'+i)), 0))
		}
	}
	chosen := []int64{all[3], all[0], all[1], all[11], all[3]}
	spans, seq, err := audit.Review(t.Context(), j.Path(), chosen, audit.ReviewOptions{Note: "looked fine", User: "eve", Host: "h"}, audittest.Options())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][2]int64{{all[0], all[1]}, {all[3], all[3]}, {all[11], all[11]}}, spans); diff != "" {
		t.Error(diff)
	}
	r := reader(t, j.Path())
	left := rows(t, r, audit.Filter{Unreviewed: true})
	var got []int64
	for _, row := range left {
		got = append(got, row.Seq)
	}
	want := slices.DeleteFunc(slices.Clone(all), func(n int64) bool { return slices.Contains(chosen, n) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unreviewed: %s", diff)
	}
	row, err := r.Row(t.Context(), seq)
	if err != nil {
		t.Fatal(err)
	}
	var body map[string]any
	if err := json.Unmarshal(row.Body, &body); err != nil || row.Kind != gate.KindReview || body["note"] != "looked fine" || body["user"] != "eve" {
		t.Errorf("the review is %s, %v", row.Body, err)
	}
	if _, _, err := audit.Review(t.Context(), j.Path(), []int64{seq}, audit.ReviewOptions{}, audittest.Options()); err == nil {
		t.Error("a review of what is no decision is recorded")
	}
	if v, err := audit.Verify(t.Context(), audit.VerifyOptions{}, j.Path()); err != nil || !v.Whole {
		t.Errorf("%+v, %v", v, err)
	}
}

// Ranges that were merged hold the numbers they held before.
func TestSpans(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var list [][2]int64
		held := map[int64]bool{}
		for range rapid.IntRange(0, 8).Draw(rt, "ranges") {
			from := rapid.Int64Range(0, 30).Draw(rt, "from")
			to := from + rapid.Int64Range(0, 6).Draw(rt, "more")
			list = append(list, [2]int64{from, to})
			for n := from; n <= to; n++ {
				held[n] = true
			}
		}
		have := audit.Spans(list)
		for n := int64(-1); n < 40; n++ {
			if have(n) != held[n] {
				rt.Fatalf("%v has %d: %v", list, n, have(n))
			}
		}
	})
}
