package transcript

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/pigate/pigate/internal/gate"
)

func exitResult(code int) gate.Result { return successResult(code == 0) }

func successResult(ok bool) gate.Result {
	if ok {
		return gate.ResultOK
	}
	return gate.ResultError
}

// outputResult says what became of a call by its output, "" when that does not
// tell.
func outputResult(raw json.RawMessage) gate.Result {
	o := outputOf(raw)
	switch {
	case o.Metadata.ExitCode != nil:
		return exitResult(*o.Metadata.ExitCode)
	case o.Success != nil && *o.Success:
		return gate.ResultOK
	case notRun(o.Output):
		return gate.ResultRefused
	case o.Success != nil:
		return gate.ResultError
	}
	if code, ok := exitCode(o.Output); ok {
		return exitResult(code)
	}
	head, _, _ := strings.Cut(o.Output, "\nOutput:")
	switch {
	case strings.Contains(head, "Process running with session ID "):
		return gate.ResultOK // it began, and was left running
	case strings.HasPrefix(o.Output, "execution error:"), strings.HasPrefix(o.Output, "exec_command failed"), strings.HasPrefix(o.Output, "write_stdin failed"),
		strings.HasPrefix(o.Output, "err: "):
		return gate.ResultError
	case strings.HasPrefix(o.Output, "aborted"), o.Output == "":
		return "" // the turn was aborted before the end was known
	}
	return gate.ResultOK // no failure is told; some tools report no code
}

// exitCode finds the code in the lines that stand before the output itself.
func exitCode(text string) (code int, ok bool) {
	head, _, _ := strings.Cut(text, "\nOutput:")
	for line := range strings.Lines(head) {
		for _, words := range []string{"Exit code: ", "Process exited with code "} {
			if rest, found := strings.CutPrefix(line, words); found {
				code, err := strconv.Atoi(strings.TrimSpace(rest))
				return code, err == nil
			}
		}
	}
	return 0, false
}

// notRuns are how the outputs begin of calls that Codex did not run: the person
// or the policy said no, or the call could not be understood.
var notRuns = []string{
	"rejected by user",
	"exec command rejected by user",
	"patch rejected by user",
	"command rejected by user",
	"user rejected",
	"rejected by configuration",
	"patch rejected",
	"command not allowed",
	"this action was rejected",
	"approval policy is ",
	"failed to parse function arguments",
	"failed to parse exec_command arguments",
	"apply_patch verification failed",
	"apply_patch handler received",
	"unsupported call",
	"unsupported custom tool call",
	"unsupported payload",
}

func notRun(text string) bool {
	if strings.HasPrefix(text, "`") && strings.Contains(text, "` rejected: ") {
		return true // by a rule of its policy for commands
	}
	text = strings.ToLower(strings.TrimLeft(text[:min(len(text), 200)], " \"`"))
	for _, words := range notRuns {
		if strings.HasPrefix(text, words) {
			return true
		}
	}
	return strings.HasPrefix(text, "execution error: ") && strings.Contains(text, "reject")
}
