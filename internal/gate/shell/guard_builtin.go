package shell

import "strings"

const evaluates = "evaluates the subscript of a variable's name, which may run a command"

// shellGuards are bash's own commands.
var shellGuards = []guard{
	{programs: "test [", style: words, first: true, check: checkSubscripts},
	{programs: "printf", style: exact, first: true, takes: "-v", check: checkSubscripts},
	{programs: "read", style: exact, takes: "-a -d -i -n -N -p -t -u", check: checkSubscripts},
	{programs: "unset let wait getopts", style: exact, check: checkSubscripts},
	{programs: "mapfile readarray", style: exact, takes: "-d -n -O -s -u -c", check: checkSubscripts},
	{programs: "export declare typeset readonly local", style: exact, check: checkDeclaration},
	{programs: "complete compgen", style: exact, takes: "-A -G -P -S -X -o", options: []option{
		{"-F=", KindExec, "runs a function", nil},
	}},
	{programs: "bind", style: exact, takes: "-m -q -u -r", options: []option{
		{"-x= -f=", KindExec, "binds a key to a command", nil},
	}},
	{programs: "history", style: exact, options: []option{
		{"-w -a -c", KindWrite, "writes or clears the history", nil},
		{"-d= -s -r -n", KindState, "changes the history", nil},
	}},
	{programs: "fc", style: exact, options: []option{
		{"-e= -s", KindExec, "runs a command of the history again, or an editor", nil},
	}},
	{programs: "jobs", style: exact, options: []option{{"-x", KindExec, "runs a command", nil}}},
	{programs: "hash", style: exact, options: []option{{"-p=", KindExec, "makes a name run another program", nil}}},
	{programs: "enable", style: exact, options: []option{
		{"-f=", KindExec, "loads a command from a file", nil},
		{"-n -d", KindState, "removes a command of the shell", nil},
	}},
}

// checkSubscripts finds `a[$(command)]` where bash takes a variable's name.
func checkSubscripts(c *call) {
	for i := range c.args {
		if subscript(c.args[i].Text) {
			c.add(i, "[…]", KindExec, evaluates)
		}
	}
}

func subscript(word string) bool {
	_, rest, ok := strings.Cut(word, "[")
	return ok && (strings.Contains(rest, "$(") || strings.ContainsAny(rest, "`"))
}

// checkDeclaration finds variables that change what later programs do.
func checkDeclaration(c *call) {
	checkSubscripts(c)
	for _, i := range c.operands {
		name, _, assigns := strings.Cut(c.args[i].Text, "=")
		name = strings.TrimSuffix(name, "+")
		if why, ok := assignmentHazard(name); ok && assigns {
			c.addFlag(i, name+"=", KindExec, why)
		}
	}
}
