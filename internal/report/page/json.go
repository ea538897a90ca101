package page

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes a report as one JSON object, a field a line. Its texts are as
// they stand in the journal.
func WriteJSON(w io.Writer, r *Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}
