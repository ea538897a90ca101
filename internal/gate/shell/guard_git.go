package shell

import "strings"

// git's own options, which come before the subcommand.
var gitGuards = []guard{
	{programs: "git yadm", first: true, style: exact, check: checkGitAlias,
		takes: "-C --namespace --super-prefix --attr-source",
		options: []option{
			{"-c=", KindExec, "sets a configuration value, which may name a program to run", inertSetting},
			{"--config-env=", KindExec, "sets a configuration value from a variable", nil},
			{"--exec-path?", KindExec, "runs git's own programs from another folder", isEmpty},
			{"--git-dir=", KindExec, "takes another repository's configuration, which may name programs to run", ordinaryGitDir},
			{"--work-tree=", KindWrite, "works on the files of another folder", insideFile},
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
	{programs: "git yadm", sub: "blame|annotate|fast-export|difftool|cherry-pick|revert|bisect|replay|diff-pairs|svn", plain: "--text",
		takes: "-S -L --since --contents --date", options: []option{{"--output=", KindWrite, writeFile, harmlessFile}}},
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
	{programs: "git yadm", sub: "fetch", takes: "-j -o"},
	{programs: "git yadm", sub: "pull", takes: "-j -o"},
	{programs: "git yadm", sub: "ls-remote", takes: "-o"},
	{programs: "git yadm", sub: "init", takes: "-b --initial-branch --object-format", options: []option{
		{"--template=", KindExec, "installs hooks from a folder", isEmpty},
		{"--separate-git-dir=", KindWrite, "writes the repository to another folder", nil},
	}},
	{programs: "git yadm", sub: "filter-branch|filter-repo", options: []option{{"", KindExec, "rewrites history", nil}}},
	{programs: "git yadm", sub: "hook run", options: []option{{"", KindExec, "runs a hook", nil}}},
	{programs: "git yadm", sub: "shell|upload-pack|upload-archive|receive-pack|daemon|http-backend|cvsserver|instaweb|web--browse",
		options: []option{{"", KindExec, "starts a service or a program", nil}}},
	{programs: "git yadm", sub: "daemon", takes: "--port --listen --user --group", options: []option{
		{"--access-hook=", KindExec, "runs the named program for each request", nil},
		{"--pid-file=", KindWrite, "writes another file", nil},
	}},
	{programs: "git yadm", sub: "instaweb", takes: "-p --port", options: []option{
		{"-d= --httpd= -b= --browser= -m= --module-path=", KindExec, runsNamed, nil},
	}},
	{programs: "git yadm", sub: "remote-ext|remote-fd", options: []option{{"", KindExec, "runs the command in the address", nil}}},
	{programs: "git yadm", sub: "merge-index", options: []option{{"", KindExec, "runs the named program on each file", nil}}},
	{programs: "git yadm", sub: "for-each-repo", options: []option{{"", KindExec, "runs a command of git in other folders", nil}}},
	{programs: "git yadm", sub: "merge|rebase|pull", takes: "-X --strategy-option -m -F -S? --onto", options: []option{
		{"-s= --strategy=", KindExec, "runs the named program", mergeStrategy},
	}},
	{programs: "git yadm", sub: "cherry-pick|revert", takes: "-X --strategy-option -m --mainline -S?", options: []option{
		{"--strategy=", KindExec, "runs the named program", mergeStrategy},
	}},
	{programs: "git yadm", sub: "credential|credential-store|credential-cache|credential-osxkeychain", options: []option{
		{"", KindRead, "shows or changes stored passwords", nil},
	}},
	{programs: "git yadm", sub: "http-push|imap-send", options: []option{{"", KindNet, "sends to another machine", nil}}},
	{programs: "git yadm", sub: "mailinfo", check: checkMailinfo},
	{programs: "git yadm", sub: "mailsplit", takes: "-d -f", options: []option{{"-o=", KindWrite, "writes messages to a folder", nil}}},
	{programs: "git yadm", sub: "index-pack", options: []option{{"-o=", KindWrite, "writes an index file", harmlessFile}}},
	{programs: "git yadm", sub: "pack-objects", check: checkPackObjects},
	{programs: "git yadm", sub: "checkout-index", options: []option{
		{"--prefix=", KindWrite, "writes files under another name or folder", nil},
		{"-f --force", KindState, throwsAway, nil},
	}},
	{programs: "git yadm", sub: "read-tree", options: []option{
		{"--index-output=", KindWrite, "writes an index file", nil},
		{"--reset", KindState, throwsAway, nil},
	}},
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
	{programs: "git yadm", sub: "notes", takes: "--ref"},
	{programs: "git yadm", sub: "notes remove|prune|edit", options: []option{{"", KindState, "changes notes", nil}}},
	{programs: "git yadm", sub: "remote add|set-url|remove|rm|rename", options: []option{
		{"", KindState, "changes where the repository fetches from and pushes to", nil},
	}},
	{programs: "git yadm", sub: "symbolic-ref", takes: "-m", options: []option{{"-d --delete", KindState, "deletes a reference", nil}}},
	{programs: "git yadm", sub: "config", style: gnu, takes: "-f --file --blob --type --default --value --comment --url", check: checkGitConfig, options: []option{
		{"-e --edit", KindExec, "starts the configured editor", nil},
	}},
}

// checkGitAlias finds --output after a subcommand that has no entry: an alias or
// a subcommand of another package may print as git diff does.
func checkGitAlias(c *call) {
	if len(c.operands) == 0 {
		return
	}
	for i := c.operands[0] + 1; i < len(c.args) && c.args[i].Text != "--"; i++ {
		flag := "--output"
		name, value, given := strings.Cut(c.args[i].Text, "=")
		if given {
			flag += "="
		}
		if len(name) > 4 && strings.HasPrefix(flag, name) && !harmlessFile(value) {
			c.addFlag(i, flag, KindWrite, writeFile)
		}
	}
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
	if known, ok := inertValues[strings.ToLower(key)]; ok {
		return known(value)
	}
	if len(key) > 6 && strings.EqualFold(key[:6], "pager.") {
		return inertPager(value)
	}
	return inertKey(key)
}

// Programs that show or change nothing in the place of a pager or an editor.
var (
	inertPager  = oneOf("cat less more true false :")
	inertEditor = oneOf("true false cat :")
)

// inertValues are settings that name a program, each with the values that run
// nothing of interest.
var inertValues = map[string]func(string) bool{
	"core.pager":        func(value string) bool { return value == "" || inertPager(value) },
	"core.editor":       inertEditor,
	"sequence.editor":   inertEditor,
	"core.askpass":      func(value string) bool { return value == "" || inertEditor(value) },
	"core.fsmonitor":    func(value string) bool { return value == "" || value == "false" },
	"credential.helper": func(value string) bool { return value == "" || value == "false" },
	"diff.external":     isEmpty,
	"core.hookspath":    func(value string) bool { return value == "/dev/null" },
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

// mergeStrategy reports git's own strategies; another one is a program.
var mergeStrategy = oneOf("ort recursive resolve octopus ours subtree")

// checkMailinfo finds the two files that git mailinfo writes.
func checkMailinfo(c *call) {
	for _, i := range c.operands {
		if !harmlessFile(c.args[i].Text) {
			c.addOperand(i, KindWrite, "is a file that it writes")
		}
	}
}

// checkPackObjects finds the name of the packs that are written.
func checkPackObjects(c *call) {
	if len(c.operands) > 0 && !c.hasLong("--stdout") {
		c.addOperand(c.operands[0], KindWrite, "is where it writes packs")
	}
}
