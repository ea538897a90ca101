package main

import (
	"fmt"

	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/pi"
)

// views are the two ways in which a project's configuration can count.
type views struct {
	// Asked is as in a project that the person trusts (or, if so wished, that is
	// not trusted at all).
	Asked config.Result
	// InPi is what would count in Pi at this moment; DenyOnly of its project says
	// that the two differ.
	InPi config.Result
}

// look reads the configuration of a project for somebody who asks what would
// happen.
func look(env environment, agentDir, root string, trusted bool) views {
	reader := config.NewReader(agentDir)
	person := pi.NewTrust(agentDir)
	reader.Asked, reader.Decided = person.Asked, person.Decided
	v := views{InPi: reader.Look(root, policy.TrustOf(trusted, false))}
	v.Asked = reader.Look(root, policy.TrustOf(trusted, true))
	return v
}

// noteTrust says so when the project's allow rules would not count in Pi.
func (v views) noteTrust(env environment) {
	if v.InPi.Project.DenyOnly {
		fmt.Fprintln(env.stderr, "pigate: note: this is as in a project that you trust; in Pi only its deny and ask rules count until you do")
		fmt.Fprintln(env.stderr, "hint: "+config.TrustHint)
	}
}
