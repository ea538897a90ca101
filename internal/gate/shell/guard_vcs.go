package shell

import "strings"

// vcsGuards are the other version control programs and the forges' clients.
var vcsGuards = []guard{
	{programs: "hg chg", inherit: true, shortens: true, plain: "--debug", takes: "-R --repository --cwd --color --encoding", options: []option{
		{"--config=", KindExec, "sets a configuration value, which may name a program to run", nil},
		{"--debugger", KindExec, "starts the debugger", nil},
	}},
	{programs: "hg chg", sub: "bisect", options: []option{{"-c= --command=", KindExec, "runs a command for each step", nil}}},
	{programs: "hg chg", sub: "extdiff", options: []option{{"-p= --program=", KindExec, "runs the named program", nil}}},
	{programs: "hg chg", sub: "config|showconfig", options: []option{{"-e --edit -l --local -g --global", KindExec, "starts the configured editor", nil}}},
	{programs: "hg chg", sub: "serve", options: []option{{"", KindNet, "serves the repository to the network", nil}}},
	{programs: "svn svnlook svnadmin svnsync svnmucc", plain: "--diff", takes: "-r --revision -c --change -m --message -F --file --username" +
		" --password --depth", options: []option{
		{"--diff-cmd= --diff3-cmd= --editor-cmd= --merge-cmd=", KindExec, "runs the named program", nil},
		{"--config-option=", KindExec, "sets a configuration value, which may name a program to run", nil},
		{"--config-dir=", KindExec, "takes the configuration from another folder", nil},
	}},
	{programs: "jj", style: exact, inherit: true, takes: "-R --repository --at-operation --color", options: []option{
		{"--config= --config-toml= --config-file=", KindExec, "sets a configuration value, which may name a program to run", nil},
		{"--tool=", KindExec, "runs the named program", notBegun("./", "/", "../")},
	}},
	{programs: "jj", sub: "util exec", options: []option{{"", KindExec, "runs a command", nil}}},
	{programs: "jj", sub: "config set|edit|unset", options: []option{{"", KindState, "changes the configuration", nil}}},
	{programs: "bzr brz", options: []option{{"-O=", KindExec, "sets a configuration value, which may name a program to run", nil}}},
	{programs: "bzr brz", sub: "diff", options: []option{{"--using=", KindExec, "runs the named program", nil}}},
	{programs: "cvs", first: true, takes: "-d", options: []option{{"-e=", KindExec, "runs the named editor", nil}}},
	{programs: "gh", sub: "api", style: exact, takes: "-H --header -q --jq -t --template -p --preview --hostname --cache", check: checkForgeAPI, options: []option{
		{"-f= --raw-field= -F= --field=", KindState, "sends a field, which changes what is at the address", nil},
		{"--input=", KindState, "sends a file to the address", nil},
		{"-X= --method=", KindState, "may change what is at the address", readMethod},
	}},
	{programs: "glab", sub: "api", style: exact, takes: "-H --header --hostname", check: checkForgeAPI, options: []option{
		{"-f= --raw-field= -F= --field=", KindState, "sends a field, which changes what is at the address", nil},
		{"--input=", KindState, "sends a file to the address", nil},
		{"-X= --method=", KindState, "may change what is at the address", readMethod},
	}},
	{programs: "gh glab", style: exact, takes: "-R --repo"},
	{programs: "gh glab", sub: "alias set|import|delete", options: []option{{"", KindExec, "changes an alias, which may run a command", nil}}},
	{programs: "gh", sub: "extension|ext|extensions install|exec|upgrade|create", options: []option{{"", KindExec, "installs or runs an extension", nil}}},
	{programs: "gh", sub: "config set", options: []option{{"", KindExec, "changes a setting, which may name a program to run", nil}}},
	{programs: "glab", sub: "config set|edit", options: []option{{"", KindExec, "changes a setting, which may name a program to run", nil}}},
	{programs: "gh", sub: "repo clone|fork", style: exact, check: checkForgeClone},
	{programs: "gh", sub: "codespace|cs ssh|cp|delete|code|jupyter", options: []option{{"", KindExec, "works on another machine", nil}}},
	{programs: "gh", sub: "auth token|login|logout|refresh|setup-git|switch", options: []option{{"", KindState, "shows or changes the login", nil}}},
	{programs: "gh", sub: "secret|variable set|delete|remove", options: []option{{"", KindState, "changes what workflows are given", nil}}},
	{programs: "gh", sub: "ssh-key|gpg-key add|delete", options: []option{{"", KindState, "changes who may log in", nil}}},
	{programs: "gh glab", sub: "repo|release|issue|gist|run|cache|label|project|workflow|mr|snippet|ci|variable|ssh-key delete", options: []option{
		{"", KindState, "deletes it from the server", nil},
	}},
	{programs: "gh", sub: "release|run download", style: exact, takes: "-R --repo -p --pattern -n --name", options: []option{
		{"-D= --dir= -O= --output=", KindWrite, "writes to another place", insideFile},
	}},
	{programs: "gh", sub: "gist create|new|edit", style: exact, options: []option{{"", KindNet, "publishes a file", nil}}},
	{programs: "gh", sub: "auth status", style: exact, takes: "-h --hostname", options: []option{{"-t --show-token", KindRead, "shows the login's token", nil}}},
	{programs: "gh", sub: "repo edit|rename|archive", options: []option{{"", KindState, "changes the repository on the server", nil}}},
}

// checkForgeClone finds options for git behind the --.
func checkForgeClone(c *call) {
	for _, i := range c.operands {
		for _, flag := range [...]string{"--upload-pack", "-u", "--config", "-c", "--template"} {
			if w := c.args[i].Text; strings.HasPrefix(w, flag) && (len(flag) == 2 || len(w) == len(flag) || w[len(flag)] == '=') {
				c.addFlag(i, flag, KindExec, "passes git an option that may name a program to run")
			}
		}
	}
}

// readMethod reports whether an HTTP method only reads.
var readMethod = oneOf("GET HEAD OPTIONS")

// checkForgeAPI lets fields pass which only ask: those of a GET request, and
// those of a GraphQL query that can be read and holds no mutation. Beside another
// method that is guarded itself they need no mention of their own.
func checkForgeAPI(c *call) {
	if c.value("-X", "--method") != "" || c.text(0) == "graphql" && c.onlyQueries() {
		c.drop("-f", "--raw-field", "-F", "--field")
	}
}

func (c *call) onlyQueries() bool {
	queries := 0
	for _, s := range c.seen {
		text, ok := strings.CutPrefix(s.value, "query=")
		if !ok {
			continue
		}
		if strings.ContainsRune(text, 0) || strings.HasPrefix(text, "@") || strings.Contains(text, "mutation") {
			return false
		}
		queries++
	}
	return queries > 0
}
