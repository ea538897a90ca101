package gate

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// maxPiece is how much of a call, in columns, a reason for the model repeats.
const maxPiece = 200

// maxWhy is how much of what a person says for a denial, in columns, the model is
// told.
const maxWhy = 2000

// blockReason tells the model in one line why the call did not run.
func blockReason(c *policy.Call, r Ruling, note string) string {
	switch r.Basis {
	case policy.BasisJournal:
		return "pigate: the call is blocked because its decision could not be recorded in the journal: " + text.Visible(note)
	case policy.BasisError:
		return "pigate: the call is blocked because the question about it got no answer: " + text.Visible(note)
	case policy.BasisNoUI:
		where := "here"
		if note != "" {
			where = "here (" + text.Visible(note) + ")"
		}
		return "pigate: the call needs a person's approval and nobody can be asked " + where + ": " + cause(r.Verdict)
	case policy.BasisRule:
		return "pigate: denied by " + cause(r.Verdict)
	default: // a person's answer: the other bases do not block
		if why := strings.TrimSpace(note); r.Answer == AnswerDeny && why != "" {
			return refusal(r.Answer) + ", who says: " + text.Clip(text.Visible(why), maxWhy)
		}
		return refusal(r.Answer)
	}
}

func refusal(a Answer) string {
	switch a {
	case AnswerDeny:
		return "pigate: the user denied this call"
	case AnswerAborted:
		return "pigate: the call was aborted before it was approved"
	default:
		return "pigate: the user did not approve this call"
	}
}

// cause says the first reason of a verdict with the piece that triggered it.
func cause(v policy.Verdict) string {
	if len(v.Reasons) == 0 {
		return string(v.Effect)
	}
	r := v.Reasons[0]
	words := text.Visible(r.Words())
	if r.Resource != "" && r.Cause != policy.CauseRedirection {
		words += ": " + text.Clip(text.Visible(strings.TrimSpace(r.Resource)), maxPiece)
	}
	return words
}
