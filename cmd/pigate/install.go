package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pigate/pigate/extension"
	"github.com/pigate/pigate/internal/pi"
	"github.com/pigate/pigate/internal/text"
)

func newInstall(env environment) *cobra.Command {
	var project bool
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Put the gate into Pi",
		Long: `Examples:
  pigate install             for everything you do with Pi
  pigate install --project   for this project only (Pi reads it once it trusts the project)

Writes the extension that belongs to this binary into Pi's folder and names it
in settings.json, as a package: packages run last, so the gate sees the input
that will really run. Run it again after an update of pigate.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return install(env, project) },
	}
	cmd.Flags().BoolVar(&project, "project", false, "install for the project in the current folder")
	return cmd
}

func newUninstall(env environment) *cobra.Command {
	var project bool
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take the gate out of Pi",
		Long: `Example:
  pigate uninstall

Removes the extension and its entry in settings.json. Your rules and the journal
stay.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			scope, err := installScope(env, project)
			if err != nil {
				return err
			}
			found, err := pi.Uninstall(scope)
			if err != nil {
				return err
			}
			if !found {
				fmt.Fprintf(env.stdout, "pigate is not installed in %s\n", text.Visible(scope.Dir))
				return nil
			}
			fmt.Fprintf(env.stdout, "removed from %s; your rules and the journal stay\n", text.Visible(scope.Settings()))
			return nil
		},
	}
	cmd.Flags().BoolVar(&project, "project", false, "take it out of the project in the current folder")
	return cmd
}

func installScope(env environment, project bool) (pi.Scope, error) {
	if project {
		return pi.Project(env.cwd), nil
	}
	dir, err := env.agentDir()
	return pi.User(dir), err
}

func install(env environment, project bool) error {
	scope, err := installScope(env, project)
	if err != nil {
		return err
	}
	binary, err := executable()
	if err != nil {
		return err
	}
	changed, err := pi.Install(scope, extension.FS, binary)
	if err != nil {
		return err
	}
	if changed {
		fmt.Fprintf(env.stdout, "installed pigate %s in %s\n", version, text.Visible(scope.Settings()))
	} else {
		fmt.Fprintf(env.stdout, "pigate was installed already; its extension is now that of version %s\n", version)
	}
	if project {
		fmt.Fprintln(env.stdout, "Pi loads it once the project is trusted: start Pi here and answer its question, or use /trust")
	} else {
		fmt.Fprintln(env.stdout, "start Pi, or /reload a running one; `pigate doctor` looks whether all is well")
	}
	return warnOthers(env, scope)
}

// warnOthers says when Pi would load a second gate or a second copy.
func warnOthers(env environment, scope pi.Scope) error {
	scopes := []pi.Scope{scope}
	if agent, err := env.agentDir(); err == nil {
		scopes = []pi.Scope{pi.User(agent), pi.Project(env.cwd)}
	}
	installed := 0
	warn := func(hint, format string, args ...any) {
		fmt.Fprintf(env.stderr, "pigate: warning: %s\nhint: %s\n", text.Visible(fmt.Sprintf(format, args...)), text.Visible(hint))
	}
	for _, s := range scopes {
		found, err := pi.Inspect(s)
		if err != nil {
			fmt.Fprintf(env.stderr, "pigate: warning: %s\n", text.Visible(err.Error()))
			continue
		}
		if found.Installed {
			installed++
		}
		for _, other := range found.Gates {
			warn("both would ask; "+other.Remove(), "another gate is installed as well: %s", other.Where(s))
		}
		for _, second := range found.Copies {
			warn("each copy asks; "+second.Remove(), "a second copy of the gate is installed: %s", second.Where(s))
		}
	}
	if installed > 1 {
		warn("pigate uninstall --project", "the gate is installed for you and for this project; each asks")
	}
	return nil
}

// executable is the absolute path of this binary, by the name it was started
// with when that leads to it: a package manager's link stays valid across
// updates.
func executable() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this binary: %w", err)
	}
	if named, err := exec.LookPath(os.Args[0]); err == nil && sameFile(named, path) {
		path = named
	}
	return filepath.Abs(path)
}
