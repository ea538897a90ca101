package page

import (
	"fmt"
	"io"

	"github.com/pigate/pigate/internal/text"
)

// WriteJSON writes a report as one JSON object, a field a line. Its texts are as
// they stand in the journal.
func WriteJSON(w io.Writer, r *Report) error {
	e := text.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}
