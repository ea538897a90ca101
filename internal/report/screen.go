package report

import "time"

// Screen is where people read what is printed.
type Screen struct {
	// Zone is the one of the times that are shown.
	Zone *time.Location
	// Colour marks what should stand out. Without it nothing that is printed holds
	// an escape sequence.
	Colour bool
	// Width is how many characters a line has; 0 is no bound. Tables shorten one
	// of their columns to fit, as far as there is anything left to read of it.
	Width int
}

// A screen of fewer characters than roomy is narrow, one of fewer than small has
// no room for all the columns.
const roomy, small = 120, 100

// Columns names the columns that a table of calls has on the screen, unless the
// person chose others.
func (s Screen) Columns() string {
	if s.Width > 0 && s.Width < small {
		return narrowColumns
	}
	return DefaultColumns
}

func (s Screen) narrow() bool { return s.Width > 0 && s.Width < roomy }

// shade is a colour as a terminal is told of it; "" is the terminal's own.
type shade string

const (
	plain   shade = ""
	heading shade = "1"
	warning shade = "33" // yellow
	alarm   shade = "31" // red
)

// Reset ends whatever shade a terminal is in.
const Reset = "\x1b[0m"

// paint adds a shade around text, which is harmless already.
func (s Screen) paint(text string, as shade) string {
	if !s.Colour || as == plain || text == "" {
		return text
	}
	return "\x1b[" + string(as) + "m" + text + Reset
}
