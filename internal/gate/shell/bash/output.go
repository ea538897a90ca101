package bash

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// JoinArgs is the text that a program makes by joining its arguments.
func JoinArgs(args []argv.Arg) argv.Arg {
	if len(args) == 1 {
		return args[0]
	}
	a := argv.Arg{Literal: true, Start: args[0].Start, End: args[len(args)-1].End}
	var b strings.Builder
	for k, word := range args {
		if k > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word.Text)
		a.Literal = a.Literal && word.Literal
		a.Quoted = a.Quoted || word.Quoted
		if a.Holder == "" {
			a.Holder = word.Holder
		}
	}
	a.Text = b.String()
	return a
}

// PipedFolders are the folders below which a find looks that writes into a pipe,
// perhaps through filters, nil if they are not known; and what it says of the
// names, as FoundName and FoundInner have it.
func PipedFolders(st *syntax.Stmt) (names []argv.Text, last argv.Text, inner bool) {
	for {
		b, ok := st.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		if !keepsLines(b.Y) {
			return nil, nil, false
		}
		st = b.X
	}
	args := plainWords(st)
	if len(args) == 0 || args[0].Text != "find" || slices.ContainsFunc(args, func(a argv.Arg) bool {
		return strings.HasPrefix(a.Text, "-printf") || strings.HasPrefix(a.Text, "-files0")
	}) {
		return nil, nil, false
	}
	return FoundBelow(args), FoundName(args), FoundInner(args)
}

// WritesPaths reports a statement which writes names of files, or numbers of
// processes, and nothing that the line or a file's contents could choose.
func WritesPaths(known *catalog.Catalog, st *syntax.Stmt) bool {
	for {
		b, ok := st.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		if b.Op != syntax.Pipe {
			return false
		}
		if st = b.Y; keepsLines(st) {
			st = b.X
		}
	}
	args := plainWords(st)
	if len(args) == 0 {
		return false
	}
	command, rest := commandOf(known, args)
	if command == nil {
		return false
	}
	switch command.Path[0] {
	case "find":
		for k, a := range args {
			if a.Text == "-printf" && (k+1 == len(args) || !strings.HasPrefix(args[k+1].Text, "%p") && !strings.HasPrefix(args[k+1].Text, "%h")) {
				return false
			}
		}
	case "xargs": // names of files again
		for k, a := range args {
			if argv.HasField("ls dirname realpath readlink", a.Text) || argv.HasField("grep egrep fgrep rg", a.Text) && known.Lookup(a.Text).ListsFiles.Covers(argv.Texts(args[k:])...) {
				return true
			}
		}
	case "echo": // of patterns
		return !slices.ContainsFunc(args[1:], func(a argv.Arg) bool {
			return a.Literal || a.MayBeOption() && a.Text[0] != '*' || strings.HasPrefix(a.Text, "-") || strings.ContainsAny(a.Text, argv.Hole+" ")
		})
	}
	return command.ListsFiles.Covers(argv.Texts(rest)...)
}

// commandOf returns the command, or subcommand, that words are, and the words
// behind it; nil when nothing is known of the program.
func commandOf(known *catalog.Catalog, args []argv.Arg) (c *catalog.Command, rest []argv.Arg) {
	program := argv.ProgramName(args[0].Text)
	p := known.Lookup(program)
	if p == nil {
		return nil, nil
	}
	k := argv.SkipGlobal(known, program, args, 1)
	if k < len(args) {
		if sub := p.Named(args[k].Text); sub != nil {
			return sub, args[k+1:]
		}
	}
	return &p.Command, args[1:]
}

// keepsLines reports a filter that writes some of the lines it reads.
func keepsLines(st *syntax.Stmt) bool {
	args := plainWords(st)
	if len(args) == 0 {
		return false
	}
	switch args[0].Text {
	case "head", "tail", "sort", "uniq", "tac", "shuf":
		return true
	case "grep", "egrep", "fgrep", "rg":
		return !slices.ContainsFunc(args, func(a argv.Arg) bool {
			return strings.HasPrefix(a.Text, "-") && strings.ContainsAny(a.Text, "onHrRbc")
		})
	}
	return false
}

// plainWords returns the words of a simple command, nil for others.
func plainWords(st *syntax.Stmt) []argv.Arg {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok {
		return nil
	}
	args := make([]argv.Arg, 0, len(c.Args))
	for _, w := range c.Args {
		a, _ := Word(w)
		args = append(args, a)
	}
	return args
}

// FoundBelow are the folders below which a find with these words looks; nil if
// they are not known.
func FoundBelow(args []argv.Arg) (names []argv.Text) {
	k := 1
	for k < len(args) && argv.HasField("-H -L -P", args[k].Text) {
		k++
	}
	for ; k < len(args); k++ {
		a := args[k]
		if a.Text != "" && strings.IndexByte("-(!,", a.Text[0]) >= 0 {
			break
		}
		if !a.Sure() && !argv.AtHome(&a, "") {
			return nil
		}
		names = append(names, a.Chunks())
	}
	if names == nil {
		return []argv.Text{argv.PlainText(".")}
	}
	return names
}

// HereDocument returns the body of a here-document as its reader gets it.
func HereDocument(rd *syntax.Redirect) argv.Arg {
	a := argv.Arg{Literal: true, Quoted: true, Start: int(rd.Pos().Offset()), End: int(rd.Word.End().Offset())}
	if rd.Hdoc == nil {
		return a
	}
	if word, _ := Word(rd.Word); word.Quoted {
		if len(rd.Hdoc.Parts) == 1 {
			if lit, ok := rd.Hdoc.Parts[0].(*syntax.Lit); ok {
				a.Text = lit.Value
				return a
			}
		}
	}
	w := wordReader{literal: true}
	w.parts(rd.Hdoc.Parts, true)
	a.Text, a.Literal = w.text.String(), w.literal
	return a
}

// PipedText tells what a statement writes into a pipe, when it is an echo, a
// printf or a cat of a here-document.
func PipedText(st *syntax.Stmt) (argv.Arg, bool) {
	if b, ok := st.Cmd.(*syntax.BinaryCmd); ok && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
		st = b.Y
	}
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || !WritesText(st) {
		return argv.Arg{}, false
	}
	var args []argv.Arg
	for _, w := range c.Args {
		a, _ := Word(w)
		a.Literal = a.Literal && !a.Tilde()
		args = append(args, a)
	}
	switch argv.ProgramName(args[0].Text) {
	case "echo", "printf":
		if len(args) == 1 {
			return argv.Arg{}, false
		}
		if t := args[1].Text; len(args) > 2 && (t == "-n" || t == "-e" || t == "-ne" || t == "-en" || t == "--") {
			args = args[1:]
		}
		a := JoinArgs(args[1:])
		if strings.Contains(args[1].Text, "%") && args[0].Text == "printf" {
			a.Text = formatted(args[1].Text, args[2:])
		}
		text, ok := ANSI(nulLines.Replace(a.Text))
		if ok {
			a.Text = text
		}
		return a, ok
	case "cat":
		for _, rd := range st.Redirs {
			switch rd.Op {
			case syntax.Hdoc, syntax.DashHdoc:
				return HereDocument(rd), true
			case syntax.WordHdoc:
				a, _ := Word(rd.Word)
				return a, true
			}
		}
	}
	return argv.Arg{}, false
}

// nulLines makes lines of texts that end in NUL, as `xargs -0` reads them.
var nulLines = strings.NewReplacer(`\\`, `\\`, `\0`, `\n`, `\x00`, `\n`)

// formatted is about what printf writes: its operands in the place of the
// format's verbs, and again for the operands left.
func formatted(format string, operands []argv.Arg) string {
	var b strings.Builder
	for round := 0; round == 0 || len(operands) > 0 && round < argv.MaxGuesses; round++ {
		before := len(operands)
		for i := 0; i < len(format); i++ {
			if format[i] != '%' {
				b.WriteByte(format[i])
				continue
			}
			for i++; i < len(format) && strings.IndexByte("-+ #0123456789.*", format[i]) >= 0; i++ {
			}
			if i < len(format) && format[i] == '%' {
				b.WriteByte('%')
			} else if len(operands) > 0 {
				b.WriteString(operands[0].Text)
				operands = operands[1:]
			}
		}
		if len(operands) == before {
			break
		}
	}
	return b.String()
}

// WritesText reports a command that may write text which the line tells.
func WritesText(st *syntax.Stmt) bool {
	c, ok := st.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || len(c.Args[0].Parts) != 1 {
		return false
	}
	lit, ok := c.Args[0].Parts[0].(*syntax.Lit)
	return ok && (lit.Value == "echo" || lit.Value == "printf" || lit.Value == "cat")
}

// FoundName is the name that all have which a find with these words finds; nil if
// it does not ask for one, or may find others too.
func FoundName(args []argv.Arg) (last argv.Text) {
	for k, a := range args {
		switch a.Text {
		case "-o", "-or", "!", "-not", ",", "(":
			return nil
		case "-name":
			if k+1 < len(args) && args[k+1].Sure() && args[k+1].Text != "" {
				last = argv.Text{{Kind: argv.Glob, Text: args[k+1].Text}}
			}
		}
	}
	if last != nil && !last.Active() {
		last[0].Kind = argv.Plain
	}
	return last
}

// FoundInner reports that a find with these words does not find the folders where
// it begins to look, or that such a folder is no file that it asks for.
func FoundInner(args []argv.Arg) bool {
	inner := false
	for k, a := range args[:len(args)-1] {
		switch next := args[k+1]; a.Text {
		case "-o", "-or", "!", "-not", ",", "(":
			return false
		case "-type":
			inner = inner || next.Sure() && !strings.Contains(next.Text, "d")
		case "-mindepth":
			inner = inner || next.Sure() && next.Text != "0"
		}
	}
	return inner
}
