package gate

import "time"

// Keys are what a host tells of the keys that were pressed around a dialog.
type Keys struct {
	// Before is how long before the dialog's opening the last key came, negative
	// when none did.
	Before time.Duration
	// Pause is the longest time without a key while the dialog was open, up to the
	// key that answered it.
	Pause time.Duration
}

// An approval can come from keys that were meant for something else: the dialog
// takes the focus while the person types. One that comes within reflex of the
// opening is taken for that, and one without a pause of quiet after keys that came
// within typing of the opening. A host that tells nothing of keys gets quiet in
// place of reflex. The dialog then opens again, at most reopenings times: a key
// that is still held down after that approves nothing.
const (
	reflex     = 300 * time.Millisecond
	quiet      = time.Second
	typing     = 3 * time.Second
	reopenings = 3
)

// tooSoon reports that an approval came while the person was still typing, in a
// dialog that was open for so long.
func tooSoon(open time.Duration, keys *Keys) bool {
	if keys == nil {
		return open < quiet
	}
	return open < reflex || keys.Before >= 0 && keys.Before < typing && keys.Pause < quiet
}
