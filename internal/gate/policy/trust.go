package policy

// Trust is whose word there is that a project may bring rules of its own.
type Trust int

// The words, from the weakest.
const (
	// Untrusted is nobody's: a file of the project is not read.
	Untrusted Trust = iota
	// TrustedByHost is the host's, which Pi gives without asking anybody when a
	// project holds none of the files it asks about.
	TrustedByHost
	// TrustedByPerson is the person's, for this run.
	TrustedByPerson
)

// TrustOf tells what a host says of a project: whether it trusts it, and
// whether the person has approved its files for this run. Approval adds to the
// host's word and does not replace it.
func TrustOf(trusted, approved bool) Trust {
	switch {
	case trusted && approved:
		return TrustedByPerson
	case trusted:
		return TrustedByHost
	}
	return Untrusted
}
