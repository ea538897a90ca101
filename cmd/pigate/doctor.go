package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/pi"
	"github.com/pigate/pigate/internal/text"
)

func newDoctor(env environment) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Look whether the gate works here",
		Long: `Example:
  pigate doctor

Looks at the binary, the extension, the journal, the configuration and what else
is installed in Pi. Exit code 3 when something needs mending.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return doctor(cmd.Context(), env) },
	}
}

// examination prints findings and counts faults.
type examination struct {
	env    environment
	faults int
}

func (x *examination) good(format string, args ...any) { x.line("ok   ", format, args...) }

func (x *examination) note(format string, args ...any) { x.line("note ", format, args...) }

func (x *examination) fault(hint, format string, args ...any) {
	x.faults++
	x.line("fault", format, args...)
	fmt.Fprintf(x.env.stdout, "      hint: %s\n", text.Visible(hint))
}

func (x *examination) line(mark, format string, args ...any) {
	fmt.Fprintf(x.env.stdout, "%s %s\n", mark, text.Visible(fmt.Sprintf(format, args...)))
}

func doctor(ctx context.Context, env environment) error {
	where, err := env.installation("")
	if err != nil {
		return err
	}
	x := &examination{env: env}
	x.binary()
	x.host(where)
	x.extension(ctx, where)
	x.journal(ctx, where)
	x.configuration(where)
	if x.faults > 0 {
		return &exitError{exitFound, fmt.Errorf("%d %s mending", x.faults, plural(x.faults, "finding needs", "findings need"))}
	}
	return nil
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (x *examination) binary() {
	path, err := executable()
	if err != nil {
		x.fault("install pigate again", "%v", err)
		return
	}
	x.good("pigate %s at %s", version, path)
}

// starts looks which binary the extension in a folder would start, and whether
// the two belong together.
func (x *examination) starts(ctx context.Context, dir string) {
	path, how, err := pi.Gate(dir, x.env.getenv)
	if err != nil {
		x.fault("put pigate on PATH, or run `pigate install` again", "the extension would find no gate, and every call would be blocked: %v", err)
		return
	}
	if own, err := executable(); err == nil && sameFile(path, own) {
		x.good("the extension starts this binary (%s)", how)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "version").Output()
	theirs := strings.Fields(string(out))
	switch {
	case err != nil || len(theirs) < 2 || theirs[0] != "pigate":
		x.fault("put the right pigate in its place", "the extension would start %s (%s), which is no pigate", path, how)
	case theirs[1] != version:
		x.fault("update it, or put this one first", "the extension would start pigate %s at %s (%s), not this one", theirs[1], path, how)
	default:
		x.note("the extension starts another pigate of the same version: %s (%s)", path, how)
	}
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

func (x *examination) host(where policy.Installation) {
	if path, err := exec.LookPath("pi"); err == nil {
		x.good("Pi at %s", path)
	} else {
		x.note("pi is not on PATH")
	}
	if info, err := os.Stat(where.AgentDir); err != nil || !info.IsDir() {
		x.note("Pi's folder does not exist yet: %s", where.AgentDir)
	}
}

func (x *examination) extension(ctx context.Context, where policy.Installation) {
	installed := 0
	for _, scope := range []pi.Scope{pi.User(where.AgentDir), pi.Project(x.env.cwd)} {
		found, err := pi.Inspect(scope)
		if err != nil {
			x.fault("mend the file by hand", "%v", err)
			continue
		}
		if found.Installed {
			installed++
			x.installed(found)
			x.starts(ctx, scope.Extension())
		}
		for _, other := range found.Gates {
			x.fault("both gates ask; "+other.Remove(), "another gate is installed: %s", other.Where(scope))
		}
		for _, copied := range found.Copies {
			x.fault("each copy asks; "+copied.Remove(), "a second copy of the gate: %s", copied.Where(scope))
		}
	}
	switch installed {
	case 0:
		x.fault("pigate install", "the extension is not installed in Pi")
	case 2:
		x.fault("pigate uninstall --project", "the extension is installed for you and for this project: each asks")
	}
}

func (x *examination) installed(found pi.Found) {
	switch found.Version {
	case version:
		x.good("extension %s in %s", found.Version, found.Scope.Extension())
	case "":
		x.fault("pigate install", "settings.json names the extension but its files are missing: %s", found.Scope.Extension())
	default:
		x.fault("pigate install", "the extension is of version %s, this binary of %s", found.Version, version)
	}
}

func (x *examination) journal(ctx context.Context, where policy.Installation) {
	if _, err := os.Stat(where.Journal); errors.Is(err, os.ErrNotExist) {
		if err := writableFolder(filepath.Dir(where.Journal)); err != nil {
			x.fault("make the folder writable, or set PIGATE_JOURNAL", "the journal cannot be created at %s: %v", where.Journal, err)
			return
		}
		x.good("the journal will be created at %s", where.Journal)
		return
	}
	if err := probe(ctx, where.Journal); err != nil {
		x.fault("until it can be written, every gated call is blocked", "the journal cannot be written: %v", err)
		return
	}
	x.good("journal %s can be written", where.Journal)
	if audit.OnNetwork(where.Journal) {
		x.note("the journal lies on a network file system: commits are slower, and its locks are as good as that file system's")
	}
}

// writableFolder tries the deepest existing folder above dir.
func writableFolder(dir string) error {
	for {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return fmt.Errorf("no folder exists above it")
		}
		dir = parent
	}
	f, err := os.CreateTemp(dir, ".pigate-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	return f.Close()
}

func (x *examination) configuration(where policy.Installation) {
	loaded := config.NewReader(where.AgentDir).Load(x.env.cwd, policy.TrustedByPerson)
	for _, f := range append([]config.FileState{loaded.Organisation, loaded.Global, loaded.Project}, loaded.Others...) {
		if f.Found && !f.Invalid && !f.Ignored {
			x.good("configuration %s", f.Path)
		}
	}
	for _, file := range loaded.Taught {
		x.good("programs %s", file)
	}
	for _, w := range loaded.Warnings {
		hint := "mend the line; until then it means nothing"
		if loaded.Global.Invalid || loaded.Project.Invalid || loaded.Organisation.Invalid {
			hint = "mend the file; until then it allows nothing"
		}
		if w.File == loaded.Organisation.Path && loaded.Organisation.Ignored {
			hint = "ask an administrator: until then none of its rules and settings hold"
		}
		if slices.Contains(loaded.BrokenPrograms, w) {
			hint = "mend the file as docs/programs.md says, or take it away"
		}
		x.fault(hint, "%s", w.String())
	}
	if !loaded.Policy.Settings.Enabled {
		x.fault(`set "enabled": true`, "the gate is switched off in the configuration: every call runs")
	}
}

// probe opens the journal as the gate does.
func probe(ctx context.Context, path string) error {
	j, err := audit.Open(ctx, path, audit.Options{})
	if err != nil {
		return err
	}
	return j.Close()
}
