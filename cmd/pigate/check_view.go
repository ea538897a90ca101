package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// meanings say in words what each verdict does.
var meanings = map[policy.Effect]string{
	policy.Allow: "runs without a question",
	policy.Deny:  "is blocked without a question",
	policy.Ask:   "a person is asked",
	policy.Pass:  "is not touched by the gate",
}

// writeVerdict prints a verdict for a person: for each reason the piece of the
// call it is about, underlined, and what it says; and the verdict in Pi when it
// is another one.
func writeVerdict(w io.Writer, c *policy.Call, v policy.Verdict, inPi policy.Effect) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: %s\n", v.Effect, meanings[v.Effect])
	if inPi != "" {
		fmt.Fprintf(out, "in Pi now: %s, until you trust the project there\n", inPi)
	}
	for _, r := range v.Reasons {
		fmt.Fprintln(out)
		writePiece(out, c, r)
	}
	if c.Analysis != nil && c.Analysis.Unparsed == "" {
		fmt.Fprintln(out, "\nunits:")
		for _, res := range c.Resources {
			via := ""
			if res.Via != "" {
				via = "  (by " + text.Visible(res.Via) + ")"
			}
			fmt.Fprintf(out, "  %s%s\n", text.Visible(res.Text), via)
		}
	}
	return out.Flush()
}

// writePiece shows the line of the command that a reason is about with the
// piece underlined, as a compiler would.
func writePiece(w io.Writer, c *policy.Call, r policy.Reason) {
	label := r.Words()
	if r.Via != "" {
		label += " (reached by " + r.Via + ")"
	}
	label = text.Visible(label)
	if r.End <= r.Start || r.End > len(c.Command) {
		if r.Resource != "" {
			fmt.Fprintf(w, "  %s\n", text.Visible(r.Resource))
		}
		fmt.Fprintf(w, "  %s\n", label)
		return
	}
	start := strings.LastIndexByte(c.Command[:r.Start], '\n') + 1
	end := len(c.Command)
	if i := strings.IndexByte(c.Command[r.Start:], '\n'); i >= 0 {
		end = r.Start + i
	}
	before := text.Visible(c.Command[start:r.Start])
	piece := text.Visible(c.Command[r.Start:min(r.End, end)])
	after := text.Visible(c.Command[min(r.End, end):end])
	fmt.Fprintf(w, "  %s%s%s\n", before, piece, after)
	fmt.Fprintf(w, "  %s%s %s\n", strings.Repeat(" ", utf8.RuneCountInString(before)),
		strings.Repeat("^", max(1, utf8.RuneCountInString(piece))), label)
}
