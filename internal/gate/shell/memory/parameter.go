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
