package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pigate/pigate/internal/gate/links"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

type checkOptions struct {
	command   string // which one it is
	tool      string
	cwd       string
	untrusted bool
	asJSON    bool
	batch     bool
}

func newCheck(env environment) *cobra.Command {
	o := checkOptions{command: "check"}
	cmd := &cobra.Command{
		Use:   "check [flags] [--] TEXT",
		Short: "Say what would happen to a call, and why",
		Long: `Examples:
  pigate check "git add . && git push"        a shell command
  pigate check --tool edit src/app.ts         a file edit
  pigate check --tool mcp__github__get_issue  an MCP tool
  pigate check --tool my_tool '{"n": 1}'      a tool with its arguments
  pigate check --batch < requests.jsonl       one JSON request a line

Decides the call with the gate's own code and the rules of this project, as in a
project that you trust, and prints the verdict with its reasons. When Pi would
decide otherwise now, because nobody was asked about the project, it says so. Nothing is run and nothing is recorded. Approvals
"for this session" live in the gate's memory and play no part.

Exit code 0: it runs, 10: it asks, 20: it is denied.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.batch {
				for _, name := range []string{"tool", "cwd", "untrusted", "json"} {
					if cmd.Flags().Changed(name) {
						return usage("--batch and --%s exclude each other: each request says it", name)
					}
				}
				if len(args) > 0 {
					return usage("--batch reads requests from standard input and takes no TEXT")
				}
				return checkBatch(env, o)
			}
			return checkOne(env, o, args)
		},
	}
	f := cmd.Flags()
	o.addCall(f)
	f.BoolVar(&o.asJSON, "json", false, "print one JSON object")
	f.BoolVar(&o.batch, "batch", false, "read one JSON request a line, answer one JSON line each")
	return cmd
}

// addCall adds the flags that say what the call is.
func (o *checkOptions) addCall(f *pflag.FlagSet) {
	f.StringVar(&o.tool, "tool", "bash", "the tool: bash, powershell, edit, write, an MCP tool, …")
	f.StringVar(&o.cwd, "cwd", "", "the project's folder (default: where you are)")
	f.BoolVar(&o.untrusted, "untrusted", false, "as in a project that Pi does not trust")
}

func checkOne(env environment, o checkOptions, args []string) error {
	req, err := checkRequest(env, o, args)
	if err != nil {
		return err
	}
	c, err := checked(env, req)
	if err != nil {
		return err
	}
	if o.asJSON {
		err = printJSON(env.stdout, c.reply)
	} else {
		err = writeVerdict(env.stdout, c.call, c.verdict, c.reply.InPi)
	}
	if err != nil {
		return fmt.Errorf("write verdict: %w", err)
	}
	return verdictExit(c.verdict)
}

// checkResult is a call with its verdict, and the answer that says both.
type checkResult struct {
	call    *policy.Call
	verdict policy.Verdict
	reply   batchAnswer
}

// checked decides a call by the rules of its project, and tells the person what
// is the matter with them.
func checked(env environment, req policy.Request) (c checkResult, err error) {
	if req.Installation, err = env.installation(""); err != nil {
		return c, err
	}
	req.Checkout = checkoutOf(req.Root)
	seen := look(env, req.Installation.AgentDir, req.Root, req.Trusted)
	for _, w := range seen.Asked.Warnings {
		fmt.Fprintf(env.stderr, "pigate: warning: %s\n", text.Visible(w.String()))
	}
	c.call, c.verdict = decide(seen.Asked.Policy, req)
	c.reply = answer("", c.call, c.verdict)
	if _, now := decide(seen.InPi.Policy, req); now.Effect != c.verdict.Effect {
		c.reply.InPi = now.Effect
		seen.noteTrust(env)
	}
	return c, nil
}

// decide is the one way from a request to a verdict: the gate's own.
func decide(p *policy.Policy, req policy.Request) (*policy.Call, policy.Verdict) {
	call := p.Derive(req)
	var facts policy.LinkFacts
	if list := call.Paths(); list != nil && req.OS == runtime.GOOS {
		facts = links.Resolve(list, req.OS)
	}
	return call, policy.Evaluate(p, call, facts)
}

func verdictExit(v policy.Verdict) error {
	switch v.Effect {
	case policy.Deny:
		return &exitError{code: exitDeny}
	case policy.Ask:
		return &exitError{code: exitAsk}
	case policy.Allow, policy.Pass:
	}
	return nil
}

// checkRequest turns TEXT into the input that the tool would get.
func checkRequest(env environment, o checkOptions, args []string) (policy.Request, error) {
	cwd := env.cwd
	if o.cwd != "" {
		cwd = o.cwd
	}
	cwd, err := filepath.Abs(cwd)
	if err != nil {
		return policy.Request{}, fmt.Errorf("find the project: %w", err)
	}
	if info, err := os.Stat(cwd); err != nil || !info.IsDir() {
		return policy.Request{}, usage("--cwd names no folder: %s", cwd)
	}
	input := map[string]string{}
	switch {
	case o.tool == "":
		return policy.Request{}, usage("--tool is empty")
	case o.tool == "bash" || o.tool == "powershell" || o.tool == "edit" || o.tool == "write":
		if len(args) != 1 {
			return policy.Request{}, usage("%s takes one TEXT, got %d: put the command in quotes", o.command, len(args))
		}
		field := "command"
		if o.tool == "edit" || o.tool == "write" {
			field = "path"
		}
		input[field] = args[0]
	case len(args) > 0:
		if lower := strings.ToLower(o.tool); lower == "bash" || lower == "powershell" || lower == "edit" || lower == "write" {
			return policy.Request{}, usage("the names of tools are exact: %q is not %q", o.tool, lower)
		}
		if !isObject(args) {
			return policy.Request{}, usage("the tool %q takes its arguments as one JSON object, such as '{\"path\": \"docs/a.md\"}'", o.tool)
		}
	}
	raw, err := encode(input)
	if len(args) == 1 && isObject(args) && len(input) == 0 {
		raw = []byte(args[0])
	}
	if err != nil {
		return policy.Request{}, fmt.Errorf("encode input: %w", err)
	}
	return policy.Request{Tool: o.tool, Input: raw, Cwd: cwd, Root: cwd, Trusted: !o.untrusted, HasUI: true,
		OS: runtime.GOOS, Home: env.home}, nil
}

// isObject reports one argument that is a JSON object.
func isObject(args []string) bool {
	return len(args) == 1 && strings.HasPrefix(strings.TrimSpace(args[0]), "{") && json.Valid([]byte(args[0]))
}

// encode is json.Marshal without the escapes for HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := text.NewEncoder(&b)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
