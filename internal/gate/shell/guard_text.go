package shell

import "strings"

const otherFiles = "reads the files that another file lists"

// textGuards are filters and converters of text.
var textGuards = []guard{
	{programs: "sort gsort", takes: "-k -t -S -T --key --field-separator --buffer-size --temporary-directory --batch-size --parallel" +
		" --random-source --sort",
		options: []option{
			{"-o= --output=", KindWrite, "writes the result to a file", harmlessFile},
			{"--compress-program=", KindExec, "runs the named program on its temporary files", nil},
			{"--files0-from=", KindRead, otherFiles, harmlessFile},
		}},
	{programs: "wc gwc du gdu", takes: "-d -B -t -X --max-depth --block-size --threshold --exclude --exclude-from --total", options: []option{
		{"--files0-from=", KindRead, otherFiles, harmlessFile},
	}},
	{programs: "jq gojq jaq", style: exact, takes: "--indent --tab?", options: []option{
		{"-f= --from-file= -L= --library-path=", KindRead, "takes its filter from a file outside the project", insideFile},
	}},
	{programs: "uniq guniq", takes: "-f -s -w --skip-fields --skip-chars --check-chars", check: secondOperandWrites},
	{programs: "xxd", style: letters, takes: "-c -cols -g -groupsize -l -len -n -name -o -s -seek -R", check: secondOperandWrites},
	{programs: "base64 gbase64 base32", takes: "-w --wrap -b --break -i", options: []option{
		{"-o= --output=", KindWrite, "writes the result to a file", harmlessFile},
	}},
	{programs: "uudecode", options: []option{{"-o= --output-file=", KindWrite, "writes the named file", harmlessFile}}},
	{programs: "iconv", takes: "-f -t --from-code --to-code", options: []option{
		{"-o= --output=", KindWrite, "writes the result to a file", harmlessFile},
	}},
	{programs: "sdiff", takes: "-I -w -W --ignore-matching-lines --width", options: []option{
		{"-o= --output=", KindWrite, "writes the merged file", harmlessFile},
		{"--diff-program=", KindExec, "runs the named program", nil},
	}},
	{programs: "diff3", takes: "-L --label", options: []option{{"--diff-program=", KindExec, "runs the named program", nil}}},
	{programs: "yq", style: exact, inherit: true, takes: "-o --output-format -p --input-format -I --indent --expression" +
		" --front-matter --from-file --arg --argjson", options: []option{
		{"-i --inplace --in-place", KindWrite, "edits the file in place", nil},
		{"-s= --split-exp= --split-exp-file=", KindWrite, "writes a file for each document", nil},
		{"--security-enable-system-operator", KindExec, "lets the expression run programs", nil},
	}},
	{programs: "xq tomlq", options: []option{{"-i --in-place", KindWrite, "edits the file in place", nil}}},
	{programs: "mlr miller", style: letters, takes: "-n --ifs --ofs --ips --ops --irs --ors --from --nr-progress-mod", check: checkMiller, options: []option{
		{"-I", KindWrite, "edits the files in place", nil},
		{"--prepipe= --prepipex=", KindExec, "runs a command on each file", nil},
		{"--load= --mload=", KindExec, "loads code from a file", nil},
	}},
	{programs: "xmllint", style: words, takes: "-encode -xpath -pattern -schema -relaxng -schematron -dtdvalid -path -maxmem", options: []option{
		{"-output= -o=", KindWrite, "writes the result to a file", harmlessFile},
		{"-shell", KindExec, "starts a shell that writes files", nil},
	}},
	{programs: "xmlstarlet xml", sub: "ed|edit", style: exact, options: []option{{"-L --inplace", KindWrite, "edits the file in place", nil}}},
	{programs: "xsltproc", style: words, takes: "-param -stringparam -path -maxdepth", options: []option{
		{"-o= -output=", KindWrite, "writes the result to a file", harmlessFile},
		{"-writesubtree=", KindWrite, "lets the stylesheet write files", nil},
	}},
	{programs: "tidy", style: words, takes: "-wrap -w -output-encoding", options: []option{
		{"-m -modify", KindWrite, "edits the file in place", nil},
		{"-o= -output=", KindWrite, "writes the result to a file", harmlessFile},
		{"-config=", KindExec, "takes its settings from a file", nil},
		{"-f= -file=", KindWrite, "writes errors to a file", harmlessFile},
	}},
	{programs: "pandoc", takes: "-f -r -t -w -M -V -H -B -A -c --from --to --read --write --metadata --variable --css --columns" +
		" --wrap --toc-depth", options: []option{
		{"-o= --output=", KindWrite, "writes the result to a file", harmlessFile},
		{"-F= --filter= -L= --lua-filter=", KindExec, "runs a filter program", nil},
		{"--pdf-engine= --pdf-engine-opt=", KindExec, "runs the named program", nil},
		{"-d= --defaults= --data-dir=", KindExec, "takes filters and output from files", nil},
		{"--extract-media= --log=", KindWrite, "writes files", nil},
	}},
	{programs: "shellcheck hadolint yamllint markdownlint markdownlint-cli2 codespell typos", style: exact, options: []option{
		{"-w --write-changes --fix", KindWrite, "rewrites files", nil},
		{"--output-file= --custom-rules= --rules=", KindExec, "loads rules or writes a report", nil},
	}},
	{programs: "markdownlint", style: exact, options: []option{
		{"-r=", KindExec, "loads rules", nil},
		{"-o= --output=", KindWrite, writeFile, harmlessFile},
		{"-f", KindWrite, "rewrites files", nil},
	}},
	{programs: "dc", takes: "-e --expression", check: checkDC, options: []option{{"-f= --file=", KindExec, "runs the commands of a file", nil}}},
	{programs: "shfmt gofmt gofumpt goimports gci", style: words, takes: "-i -ln -r -local", options: []option{
		{"-w -write", KindWrite, "rewrites files", nil},
		{"-cpuprofile= -memprofile= -trace=", KindWrite, "writes a profile", nil},
		{"-srcdir=", KindState, "resolves imports as if elsewhere", nil},
	}},
	{programs: "clang-format", style: exact, options: []option{{"-i", KindWrite, "edits the files in place", nil}}},
	{programs: "aspell ispell hunspell", options: []option{
		{"--conf= --per-conf=", KindExec, "takes its settings from a file", nil},
	}},
	{programs: "troff groff nroff", takes: "-d -f -F -I -K -L -m -M -n -o -P -r -T -w -W", options: []option{
		{"-U", KindExec, "lets the document run commands", nil},
	}},
	{programs: "pdftex pdflatex latex xelatex lualatex luatex tex xetex", style: words, takes: "-jobname -interaction -fmt -progname", options: []option{
		{"-shell-escape -enable-write18 -shell-restricted", KindExec, "lets the document run commands", nil},
		{"-output-directory= -output-dir= -aux-directory=", KindWrite, "writes to another folder", insideFile},
		{"-cnf-line=", KindExec, "changes what the document may do", nil},
		{"-lua=", KindExec, "runs a script", nil},
	}, check: checkTeX},
	{programs: "latexmk", style: letters, options: []option{
		{"-e= -r=", KindExec, "runs perl code", nil},
		{"-pdflatex= -latex= -xelatex= -lualatex= -usepretex=", KindExec, "runs the named program", nil},
		{"-shell-escape", KindExec, "lets the document run commands", nil},
		{"-C -CA -c", KindWrite, "deletes built files", nil},
	}},
}

// checkDC finds a command of the shell in what dc is given: one behind an
// exclamation mark that does not belong to a comparison.
func checkDC(c *call) {
	for _, s := range c.seen {
		_, rest, ran := strings.Cut(strings.NewReplacer("!<", "", "!>", "", "!=", "").Replace(s.value), "!")
		if ran && rest != "" {
			c.add(s.arg, "!", KindExec, "runs a command")
		}
	}
}

// checkTeX finds commands of a document given as an operand which run programs
// or write files.
func checkTeX(c *call) {
	for _, i := range c.operands {
		for _, command := range [...]string{`\write18`, `\input|`, `\directlua`, `\openout`, `\ShellEscape`} {
			if strings.Contains(c.args[i].Text, command) {
				c.add(i, command, KindExec, "runs a program or writes a file from the document")
				break
			}
		}
	}
}

// secondOperandWrites finds the output file of uniq and xxd, which follows the
// input and, for old uniq, a number of characters (+1).
func secondOperandWrites(c *call) {
	for n, i := range c.operands {
		if n > 0 && !harmlessFile(c.args[i].Text) {
			c.addOperand(i, KindWrite, "is the file it writes its output to")
		}
	}
}

// checkMiller finds verbs and functions of miller that write and run.
func checkMiller(c *call) {
	for n, i := range c.operands {
		w := c.args[i].Text
		switch {
		case n < 1 && len(c.operands) > 1 && (w == "tee" || w == "split" || w == "case"):
			c.addOperand(i, KindWrite, "writes files")
		case strings.Contains(w, "system(") || strings.Contains(w, "exec(") || strings.Contains(w, `| "`):
			c.add(i, "exec", KindExec, "runs a command from the expression")
		case (strings.Contains(w, "tee") || strings.Contains(w, "emit") || strings.Contains(w, "print") || strings.Contains(w, "dump")) && strings.Contains(w, `> `):
			c.add(i, ">", KindWrite, "writes a file from the expression")
		}
	}
}
