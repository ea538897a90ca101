package shell

import "strings"

// git's own options, which come before the subcommand.
var gitGuards = []guard{
	{programs: "git yadm", first: true, style: exact,
		takes: "-C --work-tree --namespace --super-prefix --attr-source",
		options: []option{
			{"-c=", KindExec, "sets a configuration value, which may name a program to run", inertSetting},
			{"--config-env=", KindExec, "sets a configuration value from a variable", nil},
			{"--exec-path?", KindExec, "runs git's own programs from another folder", isEmpty},
			{"--git-dir=", KindExec, "takes another repository's configuration, which may name programs to run", ordinaryGitDir},
		}},
}

// Options of git diff and of all that prints as it does.
const (
	diffTakes = "-S -G -O -n -L -l --author --committer --grep --since --until --after --before --max-count --skip --date"
	writeFile = "writes its output to a file"
)

var gitSubGuards = []guard{
	{programs: "git yadm", sub: "diff|log|show|whatchanged|diff-tree|diff-index|diff-files|range-diff|format-patch|reflog|shortlog|rev-list|stash",
		takes: diffTakes, plain: "--text", options: []option{
			{"--output=", KindWrite, writeFile, harmlessFile},
			{"--ext-diff", KindExec, "runs the diff program that the repository names", nil},
			{"--textconv", KindExec, "runs the text converters that the repository names", nil},
		}},
	{programs: "git yadm", sub: "stash show", takes: diffTakes, plain: "--text", options: []option{
		{"--output=", KindWrite, writeFile, harmlessFile},
		{"--ext-diff", KindExec, "runs the diff program that the repository names", nil},
		{"--textconv", KindExec, "runs the text converters that the repository names", nil},
	}},
	{programs: "git yadm", sub: "format-patch", takes: diffTakes + " -v --subject-prefix --start-number", options: []option{
		{"-o= --output-directory=", KindWrite, "writes patches to another folder", nil},
	}},
	{programs: "git yadm", sub: "grep", takes: "-e -f -A -B -C -m --max-depth --threads", plain: "--text", options: []option{
		{"-O? --open-files-in-pager?", KindExec, "runs a pager on the files it finds", nil},
		{"--textconv", KindExec, "runs the text converters that the repository names", nil},
	}},
	{programs: "git yadm", sub: "cat-file", options: []option{
		{"--textconv --filters", KindExec, "runs the filters that the repository names", nil},
	}},
	{programs: "git yadm", sub: "archive", takes: "--format --prefix --add-file", options: []option{
		{"-o= --output=", KindWrite, "writes an archive", harmlessFile},
		{"--exec=", KindExec, "runs a program at the remote end", nil},
		{"--remote=", KindExec, "runs the command in the address", plainRemote},
	}},
	{programs: "git yadm", sub: "fetch|pull|clone|ls-remote|push|fetch-pack|send-pack|submodule|remote",
		takes: "--depth --jobs --branch --origin --filter --server-option --push-option --repo", options: []option{
			{"--upload-pack= --receive-pack= --exec=", KindExec, "runs a program at the other end", nil},
			{"ext:: fd:: ssh://-", KindExec, "runs the command in the address", nil},
		}},
	{programs: "git yadm", sub: "clone", takes: "-b -o -j", options: []option{
		{"-u=", KindExec, "runs a program at the other end", nil},
		{"-c= --config=", KindExec, "sets a configuration value, which may name a program to run", inertSetting},
		{"--template=", KindExec, "installs hooks from a folder", isEmpty},
		{"--separate-git-dir=", KindWrite, "writes the repository to another folder", nil},
	}},
	{programs: "git yadm", sub: "push", takes: "-o"},
	{programs: "git yadm", sub: "fetch|pull", takes: "-j -o -s -X"},
	{programs: "git yadm", sub: "ls-remote", takes: "-o"},
	{programs: "git yadm", sub: "init", takes: "-b --initial-branch --object-format", options: []option{
		{"--template=", KindExec, "installs hooks from a folder", isEmpty},
		{"--separate-git-dir=", KindWrite, "writes the repository to another folder", nil},
	}},
	{programs: "git yadm", sub: "filter-branch", options: []option{{"", KindExec, "rewrites history", nil}}},
	{programs: "git yadm", sub: "hook run", options: []option{{"", KindExec, "runs a hook", nil}}},
	{programs: "git yadm", sub: "shell|upload-pack|upload-archive|receive-pack|daemon|http-backend|instaweb|web--browse",
		options: []option{{"", KindExec, "starts a service or a program", nil}}},
	{programs: "git yadm", sub: "maintenance start|register", options: []option{{"", KindState, "schedules work outside the repository", nil}}},
	{programs: "git yadm", sub: "send-email", options: []option{
		{"", KindNet, "sends mail", nil},
		{"--smtp-server= --sendmail-cmd= --to-cmd= --cc-cmd= --header-cmd=", KindExec, "runs the named program", nil},
	}},
	{programs: "git yadm", sub: "help", options: []option{
		{"-w --web", KindExec, "opens the configured browser", nil},
	}},
	{programs: "git yadm", sub: "apply", takes: "-p -C --directory --exclude --include --build-fake-ancestor", options: []option{
		{"--unsafe-paths", KindWrite, "writes outside the repository", nil},
	}},
	{programs: "git yadm", sub: "bundle create", options: []option{{"", KindWrite, "writes a bundle file", nil}}},
	{programs: "git yadm", sub: "bugreport|diagnose", options: []option{{"-o= --output-directory=", KindWrite, "writes a report to another folder", nil}}},
	{programs: "git yadm", sub: "hash-object", takes: "-t --path", options: []option{
		{"-w", KindState, "adds an object to the repository", nil},
	}},
	{programs: "git yadm", sub: "fast-export", options: []option{{"--export-marks=", KindWrite, "writes a file of marks", nil}}},
	{programs: "git yadm", sub: "fast-import", options: []option{{"", KindState, "rewrites the repository from its input", nil}}},
	{programs: "git yadm", sub: "interpret-trailers", takes: "--trailer --where --if-exists --if-missing", options: []option{
		{"--in-place", KindWrite, "edits the file in place", nil},
	}},
	{programs: "git yadm", sub: "branch", takes: "-u --set-upstream-to --sort --format --points-at", options: []option{
		{"-D -M -C", KindState, "deletes or replaces a branch, merged or not", nil},
		{"-f --force", KindState, "moves an existing branch", nil},
		{"--edit-description", KindExec, "starts the configured editor", nil},
	}},
	{programs: "git yadm", sub: "tag", takes: "-m --message -F --file -u --local-user --sort --format --points-at --cleanup", options: []option{
		{"-d --delete", KindState, "deletes a tag", nil},
		{"-f --force", KindState, "moves an existing tag", nil},
		{"-e --edit", KindExec, "starts the configured editor", nil},
	}},
	{programs: "git yadm", sub: "stash drop|clear", options: []option{{"", KindState, "throws stashed work away", nil}}},
	{programs: "git yadm", sub: "reflog expire|delete", options: []option{{"", KindState, "throws the record of old commits away", nil}}},
	{programs: "git yadm", sub: "notes remove|prune|edit", options: []option{{"", KindState, "changes notes", nil}}},
	{programs: "git yadm", sub: "remote add|set-url|remove|rm|rename", options: []option{
		{"", KindState, "changes where the repository fetches from and pushes to", nil},
	}},
	{programs: "git yadm", sub: "symbolic-ref", takes: "-m", options: []option{{"-d --delete", KindState, "deletes a reference", nil}}},
	{programs: "git yadm", sub: "config", style: gnu, takes: "-f --file --blob --type --default --value --comment --url", check: checkGitConfig, options: []option{
		{"-e --edit", KindExec, "starts the configured editor", nil},
	}},
}

// checkGitConfig tells reading a setting from changing one.
func checkGitConfig(c *call) {
	writes, reads := false, false
	for _, s := range c.seen {
		switch s.name {
		case "--add", "--unset", "--unset-all", "--replace-all", "--rename-section", "--remove-section":
			writes = true
		case "--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool", "-l", "--list", "--name-only":
			reads = true
		}
	}
	keys := c.operands
	if len(keys) > 0 {
		switch c.args[keys[0]].Text {
		case "set", "unset", "rename-section", "remove-section", "edit":
			writes, keys = true, keys[1:]
		case "get", "list":
			reads = true
		}
	}
	if reads && !writes || !writes && len(keys) < 2 {
		return
	}
	if len(keys) > 0 && !inertKey(c.args[keys[0]].Text) {
		c.addOperand(keys[0], KindExec, "is a setting that may name a program to run")
		return
	}
	c.addSub(KindState, "changes the configuration")
}

// inertSetting reports whether "section.name=value" can make git run nothing.
func inertSetting(setting string) bool {
	key, value, _ := strings.Cut(setting, "=")
	if strings.EqualFold(key, "core.pager") {
		return value == "cat" || value == "less" || value == ""
	}
	if strings.EqualFold(key, "core.fsmonitor") || strings.EqualFold(key, "credential.helper") {
		return value == "false" || value == ""
	}
	return inertKey(key)
}

// inertKeys are git settings, or whole sections, that name no program, file of
// settings, or address.
var inertKeys = []string{
	"user.name", "user.email", "author.", "committer.", "color.", "column.", "advice.", "log.", "branch.",
	"commit.gpgsign", "tag.gpgsign", "commit.verbose", "push.default", "push.autosetupremote", "push.followtags",
	"pull.rebase", "pull.ff", "fetch.prune", "fetch.parallel", "merge.ff", "merge.conflictstyle", "merge.renames",
	"rebase.autostash", "rebase.autosquash", "rerere.", "init.defaultbranch", "diff.algorithm", "diff.renames",
	"diff.renamelimit", "diff.noprefix", "diff.mnemonicprefix", "diff.colormoved", "diff.context", "core.quotepath",
	"core.abbrev", "core.autocrlf", "core.eol", "core.safecrlf", "core.filemode", "core.ignorecase", "core.longpaths",
	"core.precomposeunicode", "core.symlinks", "core.compression", "core.untrackedcache", "core.commentchar",
	"gc.auto", "maintenance.auto", "http.postbuffer", "http.version", "http.lowspeedlimit", "http.lowspeedtime",
	"status.", "help.autocorrect", "index.version", "pack.threads", "grep.linenumber", "grep.patterntype", "safe.directory",
	"submodule.recurse", "versionsort.", "blame.", "format.pretty", "i18n.", "feature.manyfiles",
}

func inertKey(key string) bool {
	for _, inert := range inertKeys {
		if len(key) >= len(inert) && strings.EqualFold(key[:len(inert)], inert) &&
			(len(key) == len(inert) || strings.HasSuffix(inert, ".")) {
			return true
		}
	}
	return false
}

// ordinaryGitDir reports whether --git-dir names the folder git would take anyway.
func ordinaryGitDir(dir string) bool { return dir == ".git" || dir == "./.git" || dir == "" }

// plainRemote reports whether git's address names no transport that is a command.
func plainRemote(address string) bool {
	return !strings.Contains(address, "::") && !strings.HasPrefix(address, "-") && !strings.HasPrefix(address, "ssh://-")
}

// vcsGuards are the other version control programs and the forges' clients.
var vcsGuards = []guard{
	{programs: "hg chg", inherit: true, shortens: true, takes: "-R --repository --cwd --color --encoding", options: []option{
		{"--config=", KindExec, "sets a configuration value, which may name a program to run", nil},
		{"--debugger", KindExec, "starts the debugger", nil},
	}},
	{programs: "hg chg", sub: "bisect", options: []option{{"-c= --command=", KindExec, "runs a command for each step", nil}}},
	{programs: "hg chg", sub: "extdiff", options: []option{{"-p= --program=", KindExec, "runs the named program", nil}}},
	{programs: "hg chg", sub: "config|showconfig", options: []option{{"-e --edit -l --local -g --global", KindExec, "starts the configured editor", nil}}},
	{programs: "hg chg", sub: "serve", options: []option{{"", KindNet, "serves the repository to the network", nil}}},
	{programs: "svn svnlook svnadmin svnsync svnmucc", takes: "-r --revision -c --change -m --message -F --file --username" +
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
