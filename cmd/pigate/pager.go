package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"sync"

	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/report"
)

// pager is the command line that pages: $PAGER, else less where there is one.
// "" is none; cat, as in git, too.
func (e environment) pager() string {
	command, set := e.lookupEnv("PAGER")
	switch {
	case set && (command == "" || command == "cat"):
		return ""
	case set:
		return command
	case e.getenv("TERM") == "dumb":
		return ""
	}
	if _, err := exec.LookPath("less"); err != nil {
		return ""
	}
	return "less -FRX"
}

// pager is a program that shows a page at a time what is written to it. It is
// started by the first Write.
type pager struct {
	// ctx ends with the pager, or with the context it was made with.
	ctx     context.Context
	stop    context.CancelFunc
	command string
	env     environment

	once    sync.Once
	program *exec.Cmd
	pipe    io.WriteCloser
	failed  error // why it could not be started
	broken  bool  // it does not take what is written any more
	ended   chan error
}

func newPager(ctx context.Context, command string, env environment) *pager {
	p := &pager{command: command, env: env, ended: make(chan error, 1)}
	p.ctx, p.stop = context.WithCancel(ctx)
	return p
}

func (p *pager) Write(b []byte) (int, error) {
	p.once.Do(p.start)
	if p.failed != nil {
		return 0, p.failed
	}
	n, err := p.pipe.Write(b)
	p.broken = p.broken || err != nil
	return n, err
}

func (p *pager) start() {
	// Not with the context: who reads decides when the pager ends, and it makes
	// the terminal whole when it does.
	words := shellWords(p.command)
	p.program = exec.Command(words[0], words[1:]...)
	p.program.Stdout, p.program.Stderr = p.env.stdout, p.env.stderr
	p.program.Env = os.Environ()
	for name, value := range map[string]string{"LESS": "FRX", "LV": "-c"} { // as git has it
		if _, set := p.env.lookupEnv(name); !set {
			p.program.Env = append(p.program.Env, name+"="+value)
		}
	}
	if p.pipe, p.failed = p.program.StdinPipe(); p.failed != nil {
		return
	}
	if p.failed = p.program.Start(); p.failed != nil {
		return
	}
	go func() {
		p.ended <- p.program.Wait()
		p.stop()
	}()
	context.AfterFunc(p.ctx, func() { _ = p.pipe.Close() }) // which ends a Write that waits for the reader
}

// shellWords are the program and its arguments, without a shell where none is
// needed: it would stand between the pager and the keys of the person.
func shellWords(command string) []string {
	switch words := strings.Fields(command); {
	case len(words) > 0 && !strings.ContainsAny(command, "|&;<>()$`\\\"'*?[#~=%!{}"):
		return words
	case runtime.GOOS == "windows":
		return []string{"cmd", "/c", command}
	}
	return []string{"/bin/sh", "-c", command}
}

// finish waits until the person has left the pager. err is what came of
// printing.
func (p *pager) finish(ctx context.Context, err error) error {
	defer p.stop()
	p.once.Do(func() {}) // from now on it is not started any more
	if p.program == nil {
		return interrupted(ctx, p.env.stdout, report.Screen{}, err)
	}
	const advice = "set PAGER to another program, or give --no-pager"
	if p.failed != nil {
		return hint.With(fmt.Errorf("start the pager: %w", p.failed), advice)
	}
	left := p.broken || p.ctx.Err() != nil
	_ = p.pipe.Close() // it may be closed already
	status := <-p.ended
	// A Ctrl-C that was the pager's may still be on its way to us: it must not end
	// us now that nobody else takes it.
	signal.Ignore(os.Interrupt)
	var exit *exec.ExitError
	switch {
	case errors.As(status, &exit) && (exit.ExitCode() == exitNotFound || exit.ExitCode() == exitNotRunnable):
		return hint.With(fmt.Errorf("the pager %q could not be run", p.command), advice)
	case err != nil && ctx.Err() != nil:
		return &exitError{code: exitInterrupted}
	case left: // and what print met is no more than that
		return nil
	}
	return err
}

// What a shell says of a program that it cannot run.
const (
	exitNotRunnable = 126
	exitNotFound    = 127
)
