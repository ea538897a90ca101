package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/pigate/pigate/internal/report"
)

// isTerminal reports whether a person sees what is written to stream, or types
// what is read from it.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// addNoPager adds the flag of the commands that print through page.
func addNoPager(f *pflag.FlagSet, noPager *bool) {
	f.BoolVar(noPager, "no-pager", false, "print to the terminal at once, and not through $PAGER")
}

// screen is standard output as people see it.
func (e environment) screen() report.Screen {
	s := report.Screen{Zone: time.Local}
	if f, ok := e.stdout.(*os.File); ok && isTerminal(f) {
		s.Colour = e.colour()
		s.Width, _, _ = term.GetSize(int(f.Fd())) // 0 where it is not known
	}
	return s
}

// page lets print write for people: to standard output, or, when that is a
// terminal, in colour and through the pager. The context that print gets ends
// when nobody reads any more, be it that the pager was left or that the person
// pressed Ctrl-C; what print returns then is of no interest.
func (e environment) page(ctx context.Context, noPager bool, print func(context.Context, io.Writer, report.Screen) error) error {
	screen := e.screen()
	if !isTerminal(e.stdout) {
		return print(ctx, e.stdout, screen)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	command := e.pager()
	if noPager || command == "" {
		context.AfterFunc(ctx, stop) // who presses it twice does not want to wait
		return interrupted(ctx, e.stdout, screen, print(ctx, e.stdout, screen))
	}
	p := newPager(ctx, command, e)
	return p.finish(ctx, print(p.ctx, p, screen))
}

// interrupted is err unless the context has ended: then the terminal is made
// whole, as the last of what was written may have been half a line in colour.
func interrupted(ctx context.Context, w io.Writer, screen report.Screen, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	if screen.Colour {
		_, _ = io.WriteString(w, report.Reset) // there is nobody to tell
	}
	return &exitError{code: exitInterrupted}
}

// colour reports whether a terminal gets colours: https://no-color.org, and no
// old console of Windows.
func (e environment) colour() bool {
	if e.getenv("NO_COLOR") != "" || e.getenv("TERM") == "dumb" {
		return false
	}
	return runtime.GOOS != "windows" || e.getenv("WT_SESSION") != "" || e.getenv("TERM") != ""
}
