package memory

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// Expander carries out the expansions of words by what a line tells of its
// variables.
type Expander struct {
	State *State
	// Text is the text that the words stand in.
	Text string
	// IsFunction and IsAlias report names that the line gives another meaning.
	IsFunction, IsAlias func(name string) bool
}

// expansion carries out the expansions of words as the shell does, as far as
// the line tells what they give. It has no effect: patterns stay patterns, and
// of commands only those are followed whose output is in their words.
type expansion struct {
	Expander
	// chosen is the one thing that a variable with several holds in this
	// reading, nil for something that is not known.
	chosen map[string]*Way
	depth  int

	fields []argv.Text
	field  argv.Text
	begun  bool // the field is one even if it is empty
}

// The bounds of substitutions within substitutions, and of the braces in a word.
const (
	maxExpansionDepth = 8
	maxBraces         = 32
)

// words returns the words that a word becomes, each with what is not known of
// it. They are split and their braces carried out.
func (s Expander) words(chosen map[string]*Way, w *syntax.Word) []argv.Text {
	x := expansion{Expander: s, chosen: chosen}
	if strings.Count(s.Text[w.Pos().Offset():w.End().Offset()], "{") > maxBraces {
		x.unknown()
		return []argv.Text{x.field}
	}
	braced := *w // SplitBraces replaces the parts
	if !syntax.SplitBraces(&braced) {
		return x.word(w.Parts)
	}
	var out []argv.Text
	for one, err := range expand.BracesSeq(nil, &braced) {
		if err != nil || len(out) >= argv.MaxGuesses {
			return x.manyBraces(braced.Parts)
		}
		out = append(out, x.word(joinLiterals(one.Parts))...)
	}
	return out
}

// joinLiterals makes one part of literal parts that stand side by side, as
// braces leave them.
func joinLiterals(parts []syntax.WordPart) (out []syntax.WordPart) {
	for _, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if ok && len(out) > 0 {
			if before, ok := out[len(out)-1].(*syntax.Lit); ok {
				out[len(out)-1] = &syntax.Lit{Value: before.Value + lit.Value}
				continue
			}
		}
		out = append(out, part)
	}
	return out
}

// manyBraces returns a word whose braces make too many words as one of which
// not much is known. Each is not empty.
func (x *expansion) manyBraces(parts []syntax.WordPart) []argv.Text {
	var out argv.Text
	for _, part := range parts {
		if _, ok := part.(*syntax.BraceExp); ok {
			out = append(out, argv.Chunk{Kind: argv.Unknown, Split: true})
			continue
		}
		for _, t := range x.word([]syntax.WordPart{part}) {
			for _, p := range t {
				out = out.Add(p)
			}
		}
	}
	return []argv.Text{out}
}

// value returns the text that a word is as the value of an assignment: it is
// neither split nor are its braces or patterns carried out.
func (s Expander) value(chosen map[string]*Way, w *syntax.Word) argv.Text {
	if w == nil {
		return nil
	}
	x := expansion{Expander: s, chosen: chosen}
	x.parts(x.tilde(w.Parts), true)
	out := x.field
	for _, f := range slices.Backward(x.fields) { // "$@" in a value is joined
		out = slices.Concat(f, argv.PlainText(" "), out)
	}
	if lit, ok := bash.Leading(w.Parts); ok && strings.Contains(lit, ":~") {
		return argv.UnknownText()
	}
	return out
}

// word expands the parts of one word.
func (x *expansion) word(parts []syntax.WordPart) []argv.Text {
	x.fields, x.field, x.begun = nil, nil, false
	parts = x.tilde(parts)
	x.parts(parts, false)
	x.flush()
	return x.fields
}

// tilde writes the tilde at the beginning of a word, and returns the parts
// without it.
func (x *expansion) tilde(parts []syntax.WordPart) []syntax.WordPart {
	lit, ok := bash.Leading(parts)
	if !ok || lit == "" || lit[0] != '~' {
		return parts
	}
	end := strings.IndexByte(lit, '/')
	if end < 0 && len(parts) > 1 || strings.IndexByte(lit, '\\') >= 0 {
		return parts
	}
	if end < 0 {
		end = len(lit)
	}
	p := argv.Chunk{Kind: argv.Home, Text: lit[:end]}
	if _, given := x.State.known["HOME"]; given || len(p.Text) > 1 && !argv.IsNameByte(p.Text[1]) {
		p = argv.Chunk{Kind: argv.Unknown}
	}
	x.field, x.begun = append(x.field, p), true
	return append([]syntax.WordPart{&syntax.Lit{Value: lit[end:]}}, parts[1:]...)
}

// flush ends the field.
func (x *expansion) flush() {
	if len(x.field) > 0 || x.begun {
		x.fields = append(x.fields, x.field)
	}
	x.field, x.begun = nil, false
}

// parts expands the parts of a word; quoted tells of those between double
// quotes, or in a place where nothing is split.
func (x *expansion) parts(parts []syntax.WordPart, quoted bool) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			x.literal(part.Value, quoted)
		case *syntax.SglQuoted:
			x.begun = true
			x.quoted(part)
		case *syntax.DblQuoted:
			x.doubleQuoted(part)
		case *syntax.ParamExp:
			x.parameter(part, quoted)
		case *syntax.CmdSubst:
			x.insert(x.output(part), quoted)
		case *syntax.ArithmExp, *syntax.ProcSubst:
			x.field = append(x.field, argv.Chunk{Kind: argv.Unknown})
		default:
			x.unknown()
		}
	}
}

// unknown adds what may be any words.
func (x *expansion) unknown() {
	x.field = append(x.field, argv.Chunk{Kind: argv.Unknown, Split: true})
}

func (x *expansion) quoted(q *syntax.SglQuoted) {
	if !q.Dollar {
		x.field = x.field.Add(argv.Chunk{Text: q.Value})
		return
	}
	if s, ok := bash.ANSI(q.Value); ok {
		x.field = x.field.Add(argv.Chunk{Text: s})
	} else {
		x.field = append(x.field, argv.Chunk{Kind: argv.Unknown})
	}
}

// doubleQuoted expands what stands between double quotes. Quotes that hold a
// list without elements leave nothing.
func (x *expansion) doubleQuoted(q *syntax.DblQuoted) {
	if len(q.Parts) == 1 {
		if pe, ok := q.Parts[0].(*syntax.ParamExp); ok && bash.IsList(pe) {
			x.parameter(pe, true)
			return
		}
	}
	x.begun = true
	for _, part := range q.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			x.field = x.field.Add(argv.Chunk{Text: bash.DoubleQuoted(lit.Value)})
			continue
		}
		x.parts([]syntax.WordPart{part}, true)
	}
}

// literal adds text that stands in the word as it is, in which a backslash
// keeps the next character and *, ? and [ are a pattern.
func (x *expansion) literal(s string, quoted bool) {
	for {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at == len(s)-1 {
			break
		}
		x.bare(s[:at], quoted)
		if s[at+1] != '\n' {
			x.begun = true
			x.field = x.field.Add(argv.Chunk{Text: s[at+1 : at+2]})
		}
		s = s[at+2:]
	}
	x.bare(s, quoted)
}

func (x *expansion) bare(s string, quoted bool) {
	kind := argv.Glob
	if quoted || !strings.ContainsAny(s, "*?[]") {
		kind = argv.Plain
	}
	x.field = x.field.Add(argv.Chunk{Kind: kind, Text: s})
}

// insert adds the result of an expansion, which is split outside quotes and
// then may be a pattern.
func (x *expansion) insert(t argv.Text, quoted bool) {
	if quoted {
		for _, p := range t {
			x.field = x.field.Add(p)
		}
		return
	}
	separators, known := x.separators()
	for _, p := range t {
		switch {
		case p.Kind == argv.Unknown || p.Kind == argv.Home && !known || p.Kind == argv.Glob:
			p.Split = true
			x.field = x.field.Add(p)
		case p.Kind == argv.Home:
			x.field = x.field.Add(p)
		default:
			x.split(p.Text, separators, known)
		}
	}
}

// separators is the value of IFS.
func (x *expansion) separators() (string, bool) {
	w := x.way("IFS")
	if w == nil {
		return "", false
	}
	if w.unset {
		return " \t\n", true
	}
	return w.First().Plain()
}

// split adds a known text, split at the separators. Separators that are no
// blanks make empty words too; where they would, the words are not known.
func (x *expansion) split(s, separators string, known bool) {
	if !known || strings.Trim(separators, " \t\n") != "" && hasEmptyField(s, separators) {
		x.unknown()
		return
	}
	for s != "" {
		at := strings.IndexAny(s, separators)
		if separators == "" || at < 0 {
			x.bare(s, false)
			return
		}
		x.bare(s[:at], false)
		x.flush()
		_, size := decode(s[at:])
		s = s[at+size:]
	}
}

func decode(s string) (string, int) {
	for i := range s {
		if i > 0 {
			return s[:i], i
		}
	}
	return s, len(s)
}

// hasEmptyField reports that s, split at the separators, has an empty field.
func hasEmptyField(s, separators string) bool {
	if s == "" {
		return false
	}
	before := true
	for _, r := range s {
		is := strings.ContainsRune(separators, r)
		if is && before {
			return true
		}
		before = is
	}
	return false
}

// way returns what the variable holds in this reading, nil when it is not
// known.
func (x *expansion) way(name string) *Way {
	if w, ok := x.chosen[name]; ok {
		return w
	}
	if v := x.State.Get(name); len(v.Ways) == 1 && !v.Open {
		return &v.Ways[0]
	}
	return nil
}

// parameter adds a parameter's value.
func (x *expansion) parameter(pe *syntax.ParamExp, quoted bool) {
	if pe.Param == nil || pe.Excl || pe.Length || pe.Width || pe.IsSet || pe.NestedParam != nil || pe.Names != 0 {
		x.field = append(x.field, argv.Chunk{Kind: argv.Unknown, Split: !quoted || pe.Excl})
		return
	}
	name, elems, joined, known := x.elements(pe)
	if !known {
		x.unknownParameter(pe, name, quoted)
		return
	}
	if elems, known = x.operate(pe, name, elems, quoted); !known {
		x.field = append(x.field, argv.Chunk{Kind: argv.Unknown, Split: !quoted || bash.IsList(pe)})
		return
	}
	if elems == nil {
		return // an operator has written it
	}
	for i, e := range elems {
		switch {
		case i == 0:
		case !joined || !quoted:
			x.flush()
		default:
			separators, known := x.separators()
			if !known {
				x.field = append(x.field, argv.Chunk{Kind: argv.Unknown})
			} else if separators != "" {
				first, _ := decode(separators)
				x.field = x.field.Add(argv.Chunk{Text: first})
			}
		}
		if quoted {
			x.begun = true
		}
		x.insert(e, quoted)
	}
}

// elements returns the texts that a parameter without its operator stands for.
// joined tells that quotes make one word of them.
func (x *expansion) elements(pe *syntax.ParamExp) (name string, elems []argv.Text, joined, known bool) {
	name = pe.Param.Value
	index := ""
	if pe.Index != nil {
		w, ok := pe.Index.(*syntax.Word)
		if !ok {
			return name, nil, false, false
		}
		if index = w.Lit(); index == "" {
			return name, nil, false, false
		}
	}
	n, numbered := 0, false
	switch {
	case name == "@" || name == "*":
		name, index = "@", name
	case name != "0" && strings.Trim(name, "0123456789") == "":
		n, _ = strconv.Atoi(name)
		name, n, numbered = "@", n-1, true
	}
	w := x.way(name)
	if w == nil {
		return name, nil, index == "*", false
	}
	switch {
	case index == "@" || index == "*":
		if w.unset {
			return name, []argv.Text{}, index == "*", true
		}
		return name, w.Elems, index == "*", true
	case index != "":
		i, err := strconv.Atoi(index)
		if err != nil {
			return name, nil, false, false
		}
		if n, numbered = i, true; i < 0 {
			n += len(w.Elems)
		}
	}
	if !numbered {
		return name, []argv.Text{w.First()}, false, true
	}
	if n < 0 || n >= len(w.Elems) {
		return name, []argv.Text{nil}, false, true
	}
	return name, []argv.Text{w.Elems[n]}, false, true
}

// unknownParameter adds a parameter whose value is not known. That it may be
// unset, with a default in its place, is a reading of its own.
func (x *expansion) unknownParameter(pe *syntax.ParamExp, name string, quoted bool) {
	if pe.Exp != nil && (pe.Exp.Op == syntax.AlternateUnset || pe.Exp.Op == syntax.AlternateUnsetOrNull) {
		x.inner(pe.Exp.Word, quoted)
		return
	}
	if pe.Repl != nil && pe.Repl.Orig.Lit() == "*" { // of what is not empty nothing is left
		x.inner(pe.Repl.With, quoted)
		return
	}
	plain := (pe.Exp == nil || conditional(pe.Exp.Op)) && pe.Slice == nil && pe.Repl == nil && pe.Index == nil
	if _, given := x.State.known["HOME"]; name == "HOME" && plain && !given && len(x.field) == 0 {
		x.field = append(x.field, argv.Chunk{Kind: argv.Home, Text: "~", Split: !quoted})
		return
	}
	if _, given := x.State.known["PWD"]; name == "PWD" && plain && !given && len(x.field) == 0 {
		x.field = append(x.field, argv.Chunk{Kind: argv.Home, Text: argv.WorkFolder, Split: !quoted})
		return
	}
	if quoted && !bash.IsList(pe) {
		x.begun = true
	}
	x.field = append(x.field, argv.Chunk{Kind: argv.Unknown, Split: !quoted || bash.IsList(pe)})
}

// inner adds the word within an expansion.
func (x *expansion) inner(w *syntax.Word, quoted bool) {
	if w == nil {
		return
	}
	if x.depth++; x.depth > maxExpansionDepth {
		x.unknown()
		return
	}
	for _, part := range w.Parts {
		lit, ok := part.(*syntax.Lit)
		switch {
		case !ok:
			x.parts([]syntax.WordPart{part}, quoted)
		case strings.ContainsAny(lit.Value, "\\~"): // read otherwise in and outside quotes
			x.unknown()
		default:
			x.insert(argv.PlainText(lit.Value), quoted)
		}
	}
	x.depth--
}

// operate carries out the operator of a parameter whose elements are known. It
// returns nil elements when it has added the word within the operator.
func (x *expansion) operate(pe *syntax.ParamExp, name string, elems []argv.Text, quoted bool) ([]argv.Text, bool) {
	switch {
	case pe.Slice != nil && isAll(pe):
		if !x.way(name).List { // a string is cut then
			return nil, false
		}
		return sliced(pe, name, elems)
	case pe.Slice != nil:
		if !isNumberExpr(pe.Slice.Offset) || pe.Slice.Length != nil && !isNumberExpr(pe.Slice.Length) {
			return nil, false
		}
	case pe.Repl != nil:
		if !simplePattern(pe.Repl.Orig) || !simplePattern(pe.Repl.With) {
			return nil, false
		}
	case pe.Exp == nil:
		return elems, true
	default:
		if conditional(pe.Exp.Op) {
			return x.conditional(pe, name, elems, quoted)
		}
		if !simplePattern(pe.Exp.Word) || pe.Exp.Op == syntax.OtherParamOps {
			return nil, false
		}
	}
	out := make([]argv.Text, 0, len(elems))
	for _, e := range elems {
		known, ok := e.Plain()
		if !ok || !bash.IsASCII(known) {
			return nil, false
		}
		one := *pe
		one.Index, one.Param = nil, &syntax.Lit{Value: "v"}
		env := expand.FuncEnviron(func(name string) string {
			if name == "v" {
				return known
			}
			return ""
		})
		changed, err := expand.Literal(&expand.Config{Env: env}, &syntax.Word{Parts: []syntax.WordPart{&one}})
		if err != nil {
			return nil, false
		}
		out = append(out, argv.PlainText(changed))
	}
	return out, true
}

func conditional(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull, syntax.AlternateUnset,
		syntax.AlternateUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return true
	}
	return false
}

// conditional carries out the operators that ask whether a variable is set.
func (x *expansion) conditional(pe *syntax.ParamExp, name string, elems []argv.Text, quoted bool) ([]argv.Text, bool) {
	if isAll(pe) {
		if len(elems) > 1 {
			return elems, pe.Exp.Op != syntax.AlternateUnset && pe.Exp.Op != syntax.AlternateUnsetOrNull
		}
		return nil, false
	}
	s, known := elems[0].Plain()
	if !known && !slices.ContainsFunc(elems[0], func(p argv.Chunk) bool { return p.Kind != argv.Unknown }) {
		return nil, false
	}
	empty := known && s == ""
	switch pe.Exp.Op {
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return elems, !empty // else the shell ends, and what stands around it goes on
	case syntax.DefaultUnset, syntax.AssignUnset, syntax.AlternateUnset:
		if empty && (name == "@" || pe.Index != nil) {
			return nil, false // set to nothing, or not set
		}
		empty = empty && x.way(name).unset
	}
	if pe.Exp.Op == syntax.AlternateUnset || pe.Exp.Op == syntax.AlternateUnsetOrNull {
		if empty {
			return []argv.Text{nil}, true
		}
	} else if !empty {
		return elems, true
	}
	x.inner(pe.Exp.Word, quoted)
	return nil, true
}

// isAll reports a parameter that stands for all elements.
func isAll(pe *syntax.ParamExp) bool {
	if pe.Param.Value == "*" {
		return true
	}
	w, ok := pe.Index.(*syntax.Word)
	return bash.IsList(pe) || ok && w.Lit() == "*"
}

// sliced returns the elements of ${@:2} and ${list[@]:1:2}.
func sliced(pe *syntax.ParamExp, name string, elems []argv.Text) ([]argv.Text, bool) {
	from, ok := number(pe.Slice.Offset)
	if !ok || from < 0 || name == "@" && from == 0 {
		return nil, false
	}
	if name == "@" {
		from--
	}
	elems = elems[min(from, len(elems)):]
	if pe.Slice.Length != nil {
		n, ok := number(pe.Slice.Length)
		if !ok || n < 0 {
			return nil, false
		}
		elems = elems[:min(n, len(elems))]
	}
	if len(elems) == 0 {
		return []argv.Text{}, true
	}
	return elems, true
}

func number(x syntax.ArithmExpr) (int, bool) {
	w, ok := x.(*syntax.Word)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(w.Lit())
	return n, err == nil
}

// isNumberExpr reports a number, which may be negative.
func isNumberExpr(x syntax.ArithmExpr) bool {
	if u, ok := x.(*syntax.UnaryArithm); ok && u.Op == syntax.Minus && !u.Post {
		x = u.X
	}
	_, ok := number(x)
	return ok
}

// simplePattern reports a word that both shells and the library read alike as a
// pattern: plain letters and stars.
func simplePattern(w *syntax.Word) bool {
	if w == nil || len(w.Parts) == 0 {
		return true
	}
	return !strings.ContainsFunc(w.Lit(), func(r rune) bool {
		return r >= 0x80 || !argv.IsNameByte(byte(r)) && !strings.ContainsRune("./-*?:=+,@ ", r)
	}) && w.Lit() != ""
}

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
