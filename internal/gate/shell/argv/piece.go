package argv

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/possible"
)

// WorkFolder is the home chunk that stands for the working directory: what bash
// writes ~+ and $PWD for.
const WorkFolder = "~+"

// Pieces are the chunks of the word where a text in which nothing is a pattern is
// plain, and what is found below a folder stands behind a slash.
func (a *Arg) Pieces() Text {
	if a.Literal && a.Detail == nil && !a.Tilde() {
		return PlainText(a.Text)
	}
	chunks := a.Chunks()
	list := make(Text, 0, len(chunks))
	for k, c := range chunks {
		if a.Tail && k > 0 && c.Kind == Unknown && !strings.HasSuffix(chunks[k-1].Text, "/") {
			list = append(list, Chunk{Text: "/"})
		}
		switch {
		case c.Kind == Glob && !chunks[k:].Active():
			c.Kind = Plain
		case c.Kind == Unknown:
			c.Text = ""
		}
		list = append(list, c)
	}
	return list
}

// Matches adds the texts that a pattern may match to t. Start tells that a name
// begins here; wide that a pattern may match names that begin with a dot. It
// reports whether a name may begin behind the chunk.
func (c Chunk) Matches(t *possible.Text, wide, start bool) bool {
	return c.pattern(t, wide, start, possible.Every, possible.Every)
}
