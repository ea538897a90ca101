package shell

import (
	"slices"
	"strings"
)

// pythonGuards are python and those of its modules that are run by -m. A module
// that is also a program is read by that program's table, any other by an entry
// under its lower-case name after "python:".
var pythonGuards = []guard{
	{programs: "python pypy py pythonw", style: exact, first: true, ends: "-c -m", takes: "--check-hash-based-pycs", options: []option{
		{"-c=", KindExec, runsText, nil},
		{"-m=", KindExec, "runs a module that takes code, installs or serves to the network", plainModule},
		{"-W=", KindExec, "loads the module of a warning", plainWarning},
		{"-X=", KindWrite, "writes compiled code to another folder, or loads a module", plainPythonSetting},
	}, check: checkPythonModule},
	{programs: "python:zipfile python:tarfile", style: gnu, options: []option{
		{"-e --extract -c --create", KindWrite, "writes files", nil},
	}},
	{programs: "python:lib2to3 2to3", style: gnu, takes: "-f -x -j -d", options: []option{
		{"-w --write", KindWrite, "rewrites source files", nil},
		{"-o= --output-dir=", KindWrite, "writes to another folder", nil},
	}},
	{programs: "python:cprofile python:profile", style: exact, first: true, takes: "-s", options: []option{
		{"-o= --outfile=", KindWrite, "writes a profile", insideFile},
		{"-m=", KindExec, "runs a module that takes code, installs or serves to the network", plainModule},
	}},
	{programs: "python:json.tool python:json", style: gnu, takes: "--indent", check: checkSecondFile},
	{programs: "python:venv python:virtualenv virtualenv", style: gnu, takes: "--prompt -p --python", check: checkVendor},
	{programs: "coverage", sub: "run", style: exact, first: true, takes: "--source --include --omit --rcfile", options: []option{
		{"-m=", KindExec, "runs a module that takes code, installs or serves to the network", plainModule},
	}},
	{programs: "jupyter", sub: "nbconvert", style: gnu, takes: "--to --template", options: []option{
		{"--execute", KindExec, "runs the code of a notebook", nil},
		{"--inplace --output= --output-dir=", KindWrite, "writes a notebook", nil},
		{"--config= --template-file= --post=", KindExec, loadsCode, nil},
	}},
	{programs: "jupyter", sub: "execute|run|console|notebook|lab|server|nbclassic|qtconsole|kernel", style: gnu, options: []option{
		{"", KindExec, "runs the code of a notebook, or serves to the network", nil},
	}},
	{programs: "twine", sub: "upload|register", style: gnu, options: []option{{"", KindNet, publishes, nil}}},
	{programs: "python:poetry python:pdm python:hatch python:pipenv python:pipx python:rye python:uv python:conda python:nox python:tox",
		style: gnu, sub: "run|exec|shell|x|tool", options: []option{{"", KindExec, "runs a command", nil}}},
}

// guardedModules are modules of python that take code, install packages, start
// a prompt or serve to the network.
var guardedModules = strings.Fields("http.server pydoc SimpleHTTPServer CGIHTTPServer smtpd aiosmtpd xmlrpc xmlrpc.server wsgiref" +
	" wsgiref.simple_server timeit pdb ipdb pudb bdb code codeop trace runpy ensurepip idlelib turtledemo webbrowser antigravity asyncio" +
	" pickle notebook jupyterlab jupyter_server ipykernel ptpython bpython pip_run")

// plainModule reports whether a module's name can be read and is none of the
// guarded ones or a part of one.
func plainModule(name string) bool {
	return !strings.ContainsRune(name, 0) && !slices.ContainsFunc(guardedModules, func(guarded string) bool {
		rest, ok := strings.CutPrefix(name, guarded)
		return ok && (rest == "" || rest[0] == '.')
	})
}

// plainWarning reports whether "action:message:category:module:line" names no
// category of another module, which python would load.
func plainWarning(value string) bool {
	fields := strings.Split(value, ":")
	return len(fields) < 3 || !strings.ContainsAny(fields[2], ".\x00")
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
	for _, t := range c.moduleTables(last.value) {
		c.delegate(t, last.arg+1)
	}
	if last.value == "coverage" {
		c.drop("run") // a rule for python carries the programs it runs
	}
}

// moduleTables finds the tables that a module of python is read by: its own, and
// that of the program it is.
func (c *call) moduleTables(module string) (found []*table) {
	name := strings.ToLower(strings.TrimSuffix(module, ".__main__"))
	if at := strings.Index(name, "._"); at > 0 {
		name = name[:at]
	}
	for _, program := range [...]string{"python:" + name, strings.ReplaceAll(name, "_", "-")} {
		if t := c.tables.of(program); t != nil && !strings.HasPrefix(program, "python:python") && program != "python" {
			found = append(found, t)
		}
	}
	return found
}

// checkSecondFile finds the file that a second operand makes it write.
func checkSecondFile(c *call) {
	if len(c.operands) > 1 && !harmlessFile(c.text(1)) {
		c.addOperand(c.operands[1], KindWrite, "is the file that it writes")
	}
}
