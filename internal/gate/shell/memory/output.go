package memory

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// output returns what a substitution writes, when it is an echo, a printf or a
// cat of a here-document.
func (x *expansion) output(sub *syntax.CmdSubst) argv.Text {
	if len(sub.Stmts) != 1 || x.depth >= maxExpansionDepth {
		return argv.UnknownText()
	}
	st := sub.Stmts[0]
	if !bash.WritesText(st) || st.Negated || st.Background {
		return argv.UnknownText()
	}
	call := st.Cmd.(*syntax.CallExpr)
	if len(call.Assigns) > 0 {
		return argv.UnknownText()
	}
	out, known := x.written(st, call)
	if !known {
		return argv.UnknownText()
	}
	if n := len(out); n > 0 && out[n-1].Kind == argv.Plain {
		out = slices.Clone(out)
		if out[n-1].Text = strings.TrimRight(out[n-1].Text, "\n"); out[n-1].Text == "" {
			out = out[:n-1]
		}
	}
	return out
}

// written returns what a command that writes text writes.
func (x *expansion) written(st *syntax.Stmt, call *syntax.CallExpr) (argv.Text, bool) {
	program := call.Args[0].Lit()
	if program == "cat" {
		if len(call.Args) != 1 || len(st.Redirs) != 1 {
			return nil, false
		}
		rd := st.Redirs[0]
		if rd.Op != syntax.Hdoc && rd.Op != syntax.DashHdoc {
			return nil, false
		}
		a := bash.HereDocument(rd)
		return argv.PlainText(a.Text), a.Literal
	}
	if len(st.Redirs) > 0 || x.IsFunction(program) || x.IsAlias(program) {
		return nil, false
	}
	inner := expansion{Expander: x.Expander, chosen: x.chosen, depth: x.depth + 1}
	var fields []argv.Text
	for _, w := range call.Args[1:] {
		braced := *w
		if syntax.SplitBraces(&braced) {
			return nil, false
		}
		for _, f := range inner.word(w.Parts) {
			if f.Active() {
				return nil, false
			}
			fields = append(fields, slices.Clone(f))
		}
	}
	if program == "printf" {
		return printed(fields)
	}
	return echoed(fields)
}

// echoed is what echo writes. With backslashes in it that depends on the shell.
func echoed(fields []argv.Text) (out argv.Text, known bool) {
	decoded := false
	for len(fields) > 0 {
		s, ok := fields[0].Plain()
		if !ok || s == "" || s[0] != '-' {
			break
		}
		if len(s) == 1 || strings.Trim(s[1:], "neE") != "" {
			break
		}
		decoded = decoded || strings.Contains(s, "e")
		if fields = fields[1:]; strings.Contains(s, "E") {
			return nil, false
		}
	}
	for i, f := range fields {
		if i > 0 {
			out = out.Add(argv.Chunk{Text: " "})
		}
		for _, p := range f {
			if strings.IndexByte(p.Text, '\\') >= 0 {
				if !decoded || p.Kind != argv.Plain || !plainEcho(p.Text) {
					return nil, false
				}
				p.Text, _ = bash.ANSI(p.Text)
			}
			out = out.Add(p)
		}
	}
	return out, true
}

// plainEcho reports text whose escapes echo -e reads as $'…' does.
func plainEcho(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			if i++; i == len(s) || strings.IndexByte(`\abefnrtvx`, s[i]) < 0 {
				return false
			}
		}
	}
	_, ok := bash.ANSI(s)
	return ok
}

// printed is what printf writes.
func printed(fields []argv.Text) (argv.Text, bool) {
	var args []string
	for _, f := range fields {
		s, ok := f.Plain()
		if !ok {
			return nil, false
		}
		args = append(args, s)
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") || !plainFormat(args[0]) {
		return nil, false
	}
	format, args := args[0], args[1:]
	var out strings.Builder
	for round := 0; round == 0 || len(args) > 0; round++ {
		s, used, err := expand.Format(&expand.Config{}, format, append([]string{}, args...))
		if err != nil || used == 0 && round > 0 || out.Len() > MaxValueText {
			return nil, false
		}
		if used == 0 {
			args = nil
		}
		args = args[used:]
		out.WriteString(s)
	}
	return argv.PlainText(strings.ReplaceAll(out.String(), "\x00", "")), true
}

// plainFormat reports a format of text and %s alone, with escapes that are read
// alike everywhere.
func plainFormat(format string) bool {
	for i := 0; i < len(format); i++ {
		if format[i] == '%' {
			if i++; i >= len(format) || format[i] != 's' && format[i] != '%' {
				return false
			}
		}
	}
	_, ok := bash.ANSI(format)
	return ok
}
