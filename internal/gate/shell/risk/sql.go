package risk

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/script"
)

const shellFromSQL = "runs a program or opens a file from the statement"

// dotCommands are those of sqlite3 and duckdb that run programs, load code or
// write files. Both accept any unambiguous beginning.
var dotCommands = map[string]Kind{
	".shell": KindExec, ".system": KindExec, ".load": KindExec, ".excel": KindExec, ".read": KindExec, ".edit": KindExec, ".www": KindExec,
	".output": KindWrite, ".once": KindWrite, ".log": KindWrite, ".save": KindWrite, ".backup": KindWrite, ".clone": KindWrite,
	".import": KindExec, ".archive": KindWrite, ".ar": KindWrite, ".trace": KindWrite, ".iotrace": KindWrite, ".restore": KindWrite,
	".recover": KindWrite, ".testcase": KindWrite, ".cd": KindState, ".open": KindWrite,
}

// readingDots are harmless commands, and their everyday beginnings.
var readingDots = strings.Fields(".schema .sch .show .separator .stats .scanstats .selftest .sha3sum .limit .lint .tables .table .tab .timeout" +
	" .timer .bail .binary .changes .connection .indexes .echo .eqp .exit .ex .explain .expert .auth .databases .dump .dbinfo .headers" +
	" .help .mode .nullvalue .parameter .print .prompt .progress .quit .width .fullschema .version .vfsinfo .columns .maxrows" +
	" .maxwidth .large_number_rendering")

// checkSQLite reads the commands and statements of sqlite3 and duckdb: the
// operands behind the database and what -cmd, -c and -s are given.
func checkSQLite(c *call) {
	for _, s := range c.seen {
		if s.name == "-cmd" || s.name == "-c" || s.name == "-s" {
			c.sqliteText(s.arg, s.value)
		}
	}
	for _, i := range c.operands {
		c.sqliteText(i, c.args[i].Text)
	}
}

func (c *call) sqliteText(i int, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, ".") {
			if name, kind := dotCommand(line); name != "" {
				c.add(i, name, kind, shellFromSQL)
				return
			}
		}
	}
	lower := bothSQL(text)
	switch {
	case callsAny(lower, "load_extension", "edit", "shellfs", "install_extension", "fts3_tokenizer"):
		c.add(i, "load_extension", KindExec, shellFromSQL)
	case callsAny(lower, "writefile"), hasWords(lower, "vacuum", "into"), attaches(lower), hasWords(lower, "virtual table", "zipfile"),
		hasWords(lower, "pragma", "temp_store_directory"), hasWords(lower, "pragma", "data_store_directory"):
		c.add(i, "writefile", KindWrite, shellFromSQL)
	case c.program == "duckdb" && (hasWords(lower, "copy", " to ") || hasWords(lower, "export", "database")):
		c.add(i, "copy", KindWrite, shellFromSQL)
	case c.program == "duckdb" && (beginsStatement(lower, "install ") || beginsStatement(lower, "force install ") || beginsStatement(lower, "load ")):
		c.add(i, "load", KindExec, shellFromSQL)
	}
}

// bothSQL is a text of SQL in lower case twice: as it is written, and as its names
// are read. What is looked for counts in either.
func bothSQL(text string) string {
	lower, plain := strings.ToLower(text), script.PlainSQL(text)
	if lower == plain {
		return lower
	}
	return lower + "\n;" + plain
}

// attaches reports a statement that opens another database, which is made when
// it does not exist.
func attaches(lower string) bool {
	for rest := lower; ; {
		at := strings.Index(rest, "attach")
		if at < 0 {
			return false
		}
		after := rest[at+len("attach"):]
		if (at == 0 || !argv.IsNameByte(rest[at-1])) && after != "" && !argv.IsNameByte(after[0]) && !strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(after), "database")), "':memory:'") {
			return true
		}
		rest = after
	}
}

// beginsStatement reports whether one of the statements begins with the word.
func beginsStatement(lower, word string) bool {
	for statement := range strings.SplitSeq(lower, ";") {
		if strings.HasPrefix(strings.TrimSpace(statement), word) {
			return true
		}
	}
	return false
}

// dotCommand returns the guarded dot command that a line begins with, or "". A
// beginning that guarded and harmless commands share counts as guarded: which one
// it is differs from version to version.
func dotCommand(line string) (string, Kind) {
	words := strings.Fields(strings.ToLower(line))
	if len(words) == 0 || len(words[0]) < 2 || slices.Contains(readingDots, words[0]) {
		return "", ""
	}
	word, found := words[0], Kind("")
	for name, kind := range dotCommands {
		if name == word {
			return word, kind
		}
		if strings.HasPrefix(name, word) && found != KindExec {
			found = kind
		}
	}
	if found == "" {
		return "", ""
	}
	return word, found
}

// callsAny reports whether lower holds a call of one of the functions.
func callsAny(lower string, functions ...string) bool {
	for _, f := range functions {
		for rest := lower; ; {
			at := strings.Index(rest, f)
			if at < 0 {
				break
			}
			after := strings.TrimLeft(rest[at+len(f):], " \t\n")
			if (at == 0 || !argv.IsNameByte(rest[at-1])) && strings.HasPrefix(after, "(") {
				return true
			}
			rest = rest[at+len(f):]
		}
	}
	return false
}

// hasWords reports whether lower holds first and, behind it, then.
func hasWords(lower, first, then string) bool {
	at := strings.Index(lower, first)
	return at >= 0 && (at == 0 || !argv.IsNameByte(lower[at-1])) && strings.Contains(lower[at+len(first):], then)
}

// checkPsql reads the statements and backslash commands of -c.
func checkPsql(c *call) {
	for _, s := range c.seen {
		if s.name != "-c" && s.name != "--command" {
			continue
		}
		raw := strings.ToLower(strings.TrimSpace(s.value))
		lower := bothSQL(s.value)
		switch {
		case strings.HasPrefix(raw, `\`) && psqlRuns(raw):
			c.add(s.arg, `\`, KindExec, shellFromSQL)
		case hasWords(lower, "copy", "program"), hasWords(lower, "language", "plpython"), hasWords(lower, "language", "plperlu"),
			hasWords(lower, "language", "pltclu"), hasWords(lower, "language", "plsh"), hasWords(lower, "language", " c "), hasWords(lower, "language", "'c'"),
			hasWords(lower, "alter system", ""), beginsStatement(lower, "load "), hasWords(lower, "create", "untrusted"):
			c.add(s.arg, "program", KindExec, shellFromSQL)
		case hasWords(lower, "copy", " to '"), hasWords(lower, "copy", " to e'"), hasWords(lower, "copy", " to $"), hasWords(lower, "copy", " to u&'"),
			callsAny(lower, "lo_export", "pg_file_write", "pg_file_rename", "pg_file_unlink"):
			c.add(s.arg, "copy", KindWrite, shellFromSQL)
		}
	}
}

// psqlRuns reports whether backslash commands run a program or touch a file.
func psqlRuns(text string) bool {
	if strings.Contains(text, "`") || strings.Contains(text, "|") {
		return true
	}
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, `\`)
		if !ok {
			return false
		}
		rest = after
		if strings.HasPrefix(rest, "!") {
			return true
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r == '_') })
		if end < 0 {
			end = len(rest)
		}
		switch rest[:end] {
		case "o", "out", "w", "write", "i", "ir", "include", "include_relative", "e", "edit", "ef", "ev", "s", "setenv", "cd", "copy",
			"lo_export", "lo_import", "lo_unlink", "g", "gx", "gset", "gexec", "password":
			if word := rest[:end]; (word != "g" && word != "gx" && word != "s") || strings.TrimSpace(rest[end:]) != "" {
				return word != "copy" || strings.Contains(rest, " to ") || strings.Contains(rest, "program")
			}
		}
	}
}

// checkMySQL reads the statements of -e.
func checkMySQL(c *call) {
	for _, s := range c.seen {
		if s.name != "-e" && s.name != "--execute" {
			continue
		}
		lower := bothSQL(s.value)
		if strings.Contains(lower, `\!`) || strings.Contains(lower, `\.`) || strings.Contains(s.value, `\P`) || strings.Contains(s.value, `\T`) {
			c.add(s.arg, `\!`, KindExec, shellFromSQL)
			continue
		}
		if hasWords(lower, "into", "outfile") || hasWords(lower, "into", "dumpfile") {
			c.add(s.arg, "outfile", KindWrite, shellFromSQL)
			continue
		}
		for statement := range strings.FieldsFuncSeq(lower, func(r rune) bool { return r == ';' || r == '\n' }) {
			first, _, _ := strings.Cut(strings.TrimSpace(statement), " ")
			switch first {
			case "system", "source", "tee", "pager", "edit":
				c.add(s.arg, first, KindExec, shellFromSQL)
			}
		}
	}
}

// checkRedis finds commands that change the server or run scripts on it.
func checkRedis(c *call) {
	second := strings.ToLower(c.text(1))
	switch strings.ToLower(c.text(0)) {
	case "config", "script", "function", "module", "acl", "client", "cluster":
		switch second {
		case "get", "list", "info", "help", "whoami", "dump", "stats", "exists", "nodes", "slots", "":
			return
		}
	case "flushall", "flushdb", "shutdown", "debug", "eval", "evalsha", "fcall", "slaveof", "replicaof", "migrate", "save", "restore", "swapdb":
	default:
		return
	}
	c.addOperand(c.operands[0], KindState, "changes the server or runs a script on it")
}

// checkMongo finds code in --eval that reaches beyond the database.
func checkMongo(c *call) {
	for _, s := range c.seen {
		if s.name == "--eval" && !notAny("require(", "child_process", "runprogram", "run(", "load(", "process.", "fs.", "writefile", "import(")(s.value) {
			c.add(s.arg, "--eval", KindExec, "runs code that reaches beyond the database")
		}
	}
}

// checkSQLCmd reads the statements of -Q and -q.
func checkSQLCmd(c *call) {
	for _, s := range c.seen {
		if s.given && !notAny("!!", "xp_cmdshell", ":out", ":r ", ":error", "openrowset(bulk")(s.value) {
			c.add(s.arg, "!!", KindExec, shellFromSQL)
		}
	}
}

// checkClickHouse reads the statements of -q.
func checkClickHouse(c *call) {
	for _, s := range c.seen {
		if s.given && !notAny("into outfile", "executable(", "file(")(s.value) {
			c.add(s.arg, "outfile", KindWrite, shellFromSQL)
		}
	}
}
