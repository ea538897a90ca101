package shell

// Words returns the words of the unit after its leading assignments, the
// program first, with quotes removed. The slice must not be changed.
func (u *Unit) Words() []Arg { return u.words }
