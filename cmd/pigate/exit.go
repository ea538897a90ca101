package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/text"
)

// The exit codes of every command.
const (
	exitDone   = 0  // done, or the call runs
	exitFailed = 1  // something failed
	exitUsage  = 2  // the command line is wrong
	exitFound  = 3  // a search for faults found one
	exitAsk    = 10 // check: the call would ask
	exitDeny   = 20 // check: the call would be denied

	exitInterrupted = 130 // stopped by Ctrl-C, as shells have it
)

const exitHelp = `Exit codes:
  0   done; for check: the call runs
  1   something failed
  2   the command line is wrong
  3   a fault was found (doctor, audit verify, audit coverage, replay --fail-on, rules lint, test, prove and diff)
  10  check: the call would ask
  20  check: the call would be denied
  130 stopped by Ctrl-C`

// exitError carries an exit code to main. Its message may be empty when the
// output has said everything.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage marks an error as one of the command line.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// explain prints the error of a command for the person and returns the exit code.
func explain(w io.Writer, command string, err error) int {
	if err == nil {
		return exitDone
	}
	code := exitFailed
	var e *exitError
	if errors.As(err, &e) {
		code = e.code
	}
	if message := err.Error(); message != "" {
		fmt.Fprintf(w, "pigate: %s\n", text.VisibleLines(strings.TrimRight(message, "\n")))
	}
	switch next := hint.Of(err); {
	case next != "":
		fmt.Fprintf(w, "hint: %s\n", text.VisibleLines(next))
	case code == exitUsage:
		fmt.Fprintf(w, "hint: %s --help shows examples\n", command)
	}
	return code
}
