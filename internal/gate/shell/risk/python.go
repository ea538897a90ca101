package risk

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// perlModule reports whether -M or -m names just a module and what to import.
func perlModule(value string) bool {
	return strings.IndexFunc(value, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(":_=,-", r))
	}) < 0
}

// checkDotnet finds a program in the place of a subcommand.
func checkDotnet(c *call) {
	if first := c.text(0); strings.HasSuffix(strings.ToLower(first), ".dll") || strings.HasSuffix(strings.ToLower(first), ".exe") {
		c.addOperand(c.operands[0], KindExec, "is the program that it runs")
	}
}

// guardedModules are modules of python that take code, install packages, start
// a prompt or serve to the network.
var guardedModules = strings.Fields("http.server pydoc SimpleHTTPServer CGIHTTPServer smtpd aiosmtpd xmlrpc xmlrpc.server wsgiref" +
	" wsgiref.simple_server timeit pdb ipdb pudb bdb code codeop trace runpy ensurepip idlelib turtledemo webbrowser antigravity asyncio" +
	" pickle notebook jupyterlab jupyter_server ipykernel ptpython bpython pip_run")

// plainModule reports whether a module's name can be read and is none of the
// guarded ones or a part of one.
func plainModule(name string) bool {
	return !argv.HasHole(name) && !slices.ContainsFunc(guardedModules, func(guarded string) bool {
		rest, ok := strings.CutPrefix(name, guarded)
		return ok && (rest == "" || rest[0] == '.')
	})
}

// plainWarning reports whether "action:message:category:module:line" names no
// category of another module, which python would load.
func plainWarning(value string) bool {
	fields := strings.Split(value, ":")
	return len(fields) < 3 || !strings.ContainsAny(fields[2], "."+argv.Hole)
}

// plainPythonSetting reports whether -X neither loads a module nor writes outside
// the project.
func plainPythonSetting(value string) bool {
	name, of, _ := strings.Cut(value, "=")
	return name != "presite" && (name != "pycache_prefix" || insideFile(of))
}

// checkPythonModule reads `python -m pip …` as it reads `pip …`.
func checkPythonModule(c *call) {
	if len(c.seen) == 0 {
		return
	}
	last := c.seen[len(c.seen)-1]
	if last.name != "-m" || !plainModule(last.value) {
		return
	}
	for _, t := range moduleTables(c.known, last.value) {
		c.delegate(t, last.arg+1)
	}
	if last.value == "coverage" {
		c.drop("run") // a rule for python carries the programs it runs
	}
}

// moduleTables finds the tables that a module of python is read by: its own, and
// that of the program it is.
func moduleTables(known *catalog.Catalog, module string) (found []*table) {
	name := strings.ToLower(strings.TrimSuffix(module, ".__main__"))
	if at := strings.Index(name, "._"); at > 0 {
		name = name[:at]
	}
	if t := tableOf(known, known.Module(name)); t != nil {
		found = append(found, t)
	}
	if name != "python" {
		if t := tableOf(known, known.Lookup(strings.ReplaceAll(name, "_", "-"))); t != nil {
			found = append(found, t)
		}
	}
	return found
}

// checkSecondFile finds the file that a second operand makes it write.
func checkSecondFile(c *call) {
	if len(c.operands) > 1 && !argv.HarmlessFile(c.text(1)) {
		c.addOperand(c.operands[1], KindWrite, "is the file that it writes")
	}
}
