package shell

import "github.com/pigate/pigate/internal/gate/shell/argv"

// Words returns the words of the unit after its leading assignments, the
// program first, with quotes removed. The slice must not be changed.
func (u *Unit) Words() []argv.Arg { return u.words }
