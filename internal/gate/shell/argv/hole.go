package argv

import "strings"

// Hole stands in the text of a word for a piece that the line does not tell. No
// real argument can contain this byte. Chunks tell the same apart from the text.
const Hole = "\x00"

// Shown returns a text for people: an ellipsis in place of each hole.
func Shown(text string) string { return strings.ReplaceAll(text, Hole, "…") }

// AsVariable returns a text for a reader of shell: a variable that is not known in
// place of each hole.
func AsVariable(text string) string { return strings.ReplaceAll(text, Hole, "$_") }

// BeginsHole reports that the line does not tell how a text begins.
func BeginsHole(text string) bool { return strings.HasPrefix(text, Hole) }

// HasHole reports that the line does not tell all of a text.
func HasHole(text string) bool { return strings.Contains(text, Hole) }

// OnlyHoles reports a text of which the line tells nothing. One without any piece
// is such a text, too.
func OnlyHoles(text string) bool { return strings.Trim(text, Hole) == "" }
