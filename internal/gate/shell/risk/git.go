package risk

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

const writeFile = "writes its output to a file"

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
		if len(name) > 4 && strings.HasPrefix(flag, name) && !argv.HarmlessFile(value) {
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
	inertPager  = oneOf(strings.Fields("cat less more true false :")...)
	inertEditor = oneOf(strings.Fields("true false cat :")...)
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

// checkMailinfo finds the two files that git mailinfo writes.
func checkMailinfo(c *call) {
	for _, i := range c.operands {
		if !argv.HarmlessFile(c.args[i].Text) {
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
