package main

import (
	"fmt"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/pi"
)

// asTrusted reads the configuration as in a project that the person trusts, or
// that is not trusted at all, and says so when a trusted one would not get its
// allow rules inside Pi.
func asTrusted(env environment, agentDir, root string, trusted bool) config.Result {
	reader := config.NewReader(agentDir)
	reader.Asked = pi.NewTrust(agentDir).Asked
	if trusted && reader.Look(root, gate.TrustedByHost).Project.DenyOnly {
		fmt.Fprintln(env.stderr, "pigate: note: here the project is taken as trusted; in Pi its file's allow rules do not count, "+
			"because nobody said there that the project is trusted; "+config.TrustHint)
	}
	return reader.Load(root, gate.TrustOf(trusted, true))
}
