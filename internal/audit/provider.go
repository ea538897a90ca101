package audit

import (
	"context"
	"regexp"
)

// providerID are the ids that the providers of models give to calls, as seen
// from Anthropic and OpenAI, with the number that Pi adds for a call of a script.
// They are random, so that one in some hundred looks like a token, and every one
// is new to what remembers clean texts.
var providerID = regexp.MustCompile(`^(toolu_(bdrk_|vrtx_)?01[0-9A-Za-z]{22}|call_[0-9A-Za-z]{24}(\|fc_[0-9a-f]{40,64})?)(/[0-9]{1,6})*$`)

// callID is the id of a call for the public part: without secrets.
func (n *encoder) callID(ctx context.Context, id string) string {
	if providerID.MatchString(id) {
		return id
	}
	return n.veil.name(ctx, id)
}
