// Command unjournaled is the gate without its journal, so that the benchmark
// can tell what the decision costs and what its record adds. It is no gate for
// use: what it decides leaves no trace, and nobody is asked.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/links"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/wire"
	"github.com/pigate/pigate/internal/pi"
)

func main() {
	if err := serve(os.Getenv("PI_CODING_AGENT_DIR")); err != nil {
		fmt.Fprintln(os.Stderr, "unjournaled:", err)
		os.Exit(1)
	}
}

func serve(agentDir string) error {
	server := &wire.Server{
		Version:      "bench",
		Installation: policy.Installation{AgentDir: agentDir, Journal: os.DevNull},
		Log:          func(text string) { fmt.Fprintln(os.Stderr, text) },
	}
	rules := rules{config.NewReader(agentDir)}
	rules.loader.Asked = pi.NewTrust(agentDir).Asked
	server.Guard = &gate.Guard{Rules: rules, Asker: server.Asker(), Recorder: forgetful{}, Links: links.Resolve, Now: time.Now}
	return server.Serve(context.Background(), os.Stdin, os.Stdout)
}

type rules struct{ loader *config.Loader }

func (r rules) Load(root string, trust policy.Trust) (*policy.Policy, bool, []string) {
	loaded := r.loader.Load(root, trust)
	return loaded.Policy, loaded.Trusted, nil
}

func (r rules) Save(string, []string) (string, []string, error) {
	return "", nil, fmt.Errorf("nothing is saved in a benchmark")
}

// forgetful records nothing.
type forgetful struct{}

func (forgetful) Record(context.Context, *gate.Entry) (int64, error) { return 0, nil }
func (forgetful) Missed(*gate.Entry, error)                          {}
func (forgetful) Policy(context.Context, string, []byte) error       { return nil }
func (forgetful) Approved(context.Context, string, string, string) (found, same bool, err error) {
	return false, false, nil
}
