package suggest

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
)

// Accepted is the entry that says that a person took a draft: saved is the rule
// as they left it, file the configuration it went to, root the project ("" for
// all), now microseconds since the Unix epoch.
func Accepted(d *Draft, saved, file, root string, now int64) *gate.Entry {
	return entry(d, saved, file, root, now)
}

// Rejected is the entry that says that a person does not want a draft. It is not
// drafted again until its evidence has doubled.
func Rejected(d *Draft, file, root string, now int64) *gate.Entry {
	return entry(d, "", file, root, now)
}

func entry(d *Draft, saved, file, root string, now int64) *gate.Entry {
	return &gate.Entry{Kind: gate.KindDraft, Time: now, Draft: &gate.Drafted{Rule: d.Rule, Effect: d.Effect, Saved: saved, File: file, Root: root,
		Accepted: saved != "", Evidence: d.Calls()}}
}

// Rejections are the drafts of the projects (all projects, when none is named)
// that people rejected and did not accept afterwards.
func Rejections(ctx context.Context, r *audit.Reader, projects []string) ([]Rejection, error) {
	var list []Rejection
	at := map[Rejection]int{} // by rule and effect
	for row, err := range r.List(ctx, audit.Filter{Kind: gate.KindDraft, Projects: projects}) {
		if err != nil && row.Seq == 0 {
			return nil, err
		}
		var d gate.Drafted
		if err != nil || row.Erased || json.Unmarshal(row.Body, &d) != nil {
			continue // what cannot be read rejects nothing
		}
		key := Rejection{Rule: d.Rule, Effect: d.Effect}
		i, known := at[key]
		if !known {
			i = len(list)
			at[key] = i
			list = append(list, key)
		}
		list[i].Evidence = d.Evidence
		if d.Accepted {
			list[i].Evidence = 0
		}
	}
	kept := list[:0]
	for _, r := range list {
		if r.Evidence > 0 {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

// String is the rejected rule with its effect.
func (r Rejection) String() string { return fmt.Sprintf("%s %s", r.Effect, r.Rule) }
