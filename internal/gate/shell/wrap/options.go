package wrap

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// options steps over the wrapper's own words to the command.
func (r *Call) options() {
	operands, ended, dashed := 0, false, false
	for r.Rest < len(r.Args) {
		a := r.Args[r.Rest]
		switch t := a.Text; {
		case !dashed && t == "--":
			ended, dashed = true, true
			r.Rest++
			if r.BehindDashes || r.known["--"].use == commandUse || r.program != nil && r.OnlyOptions {
				r.inner()
				return
			}
		case r.Assignments && argv.IsAssignment(t):
			name, value, _ := strings.Cut(t, "=")
			name = strings.TrimSuffix(name, "+")
			r.line.Assign(name, value, a)
			r.Rest++
		case !ended && len(t) > 1 && (t[0] == '-' || r.knows(t)):
			if r.option() {
				return
			}
		case t == "-" && r.LoneDash:
			r.Rest++
		default:
			r.shaky(a, true)
			if !r.OnlyOptions && operands >= r.Operands && !r.BehindDashes {
				if r.isProgram(a) {
					r.inner()
					return
				}
				if !r.OptionsAfter {
					return
				}
			}
			operands++
			r.Rest++
			ended = ended || !r.OptionsAfter && !r.BehindDashes && !r.OnlyOptions
		}
	}
	if dashed && r.BehindDashes {
		return
	}
	r.nothing()
}

// knows reports an option that is written without a dash.
func (r *Call) knows(word string) bool {
	_, ok := r.known[word]
	return ok
}

// shaky notes a word of the wrapper's own that may become several words, or an
// option.
func (r *Call) shaky(a argv.Arg, first bool) {
	if !a.Literal && (!a.Quoted || first && argv.BeginsHole(a.Text)) {
		r.unsure = true
	}
}

// shakyValue does so for the value of an option. A word with text of its own
// around its expansions is one word at least; that it may be split is left to
// whoever names a folder with blanks, unless the line itself does.
func (r *Call) shakyValue(a argv.Arg) {
	if a.Literal || a.Quoted {
		return
	}
	w := r.word(a)
	if w == nil {
		r.shaky(a, false)
		return
	}
	whole := !argv.OnlyHoles(a.Text)
	syntax.Walk(w, func(n syntax.Node) bool {
		if x, ok := n.(*syntax.ParamExp); ok && x.Param != nil && r.line.HoldsBlank(x.Param.Value) {
			r.unsure = true
		}
		return true
	})
	if len(w.Parts) == 1 && !whole {
		sub, ok := w.Parts[0].(*syntax.CmdSubst)
		whole = ok && bash.WritesNumber(r.catalogue, sub)
	}
	if !whole {
		r.unsure = true
	}
}

// option reads one option word, or a row of letters, and reports whether nothing
// is left to do.
func (r *Call) option() (done bool) {
	a := r.Args[r.Rest]
	if t := a.Text; t[0] == '-' && t[1] != '-' && strings.Trim(t[1:], "0123456789") == "" && !r.knows(t[:2]) {
		r.Rest++ // nice -10, head-like numbers
		return false
	}
	table := argv.Table[wrapOption]{Style: r.style(), Find: r.find}
	found, next := table.Read(r.Args, r.Rest)
	from := r.Rest
	r.Rest = next
	for _, f := range found {
		if !f.Known && r.Unknown != catalog.IsFlag && !(r.Unknown == catalog.IsValue && f.Takes == catalog.AnyValue) && !(strings.HasPrefix(f.Name, "--") && f.Given) {
			r.unsure = true
		}
		v := argv.Arg{Text: f.Value, Literal: a.Literal, Quoted: a.Quoted, Start: a.Start, End: a.End}
		if f.Word != from {
			v = r.Args[f.Word]
			r.shakyValue(v)
		} else if f.Takes == catalog.AnyValue && !f.Given {
			continue
		}
		if r.apply(f.Option, v) {
			return true
		}
	}
	return false
}

func (r *Call) apply(o wrapOption, value argv.Arg) (done bool) {
	switch o.use {
	case plainUse:
	case textUse:
		r.text(value, r.Step)
	case expandUse:
		if strings.Contains(value.Text, "<(") || strings.Contains(value.Text, ">(") {
			r.host.Opaque("the text that it expands holds a process substitution")
		}
		r.line.Expand(value)
	case splitUse:
		r.split(value)
	case commandUse:
		r.inner()
		return true
	case programUse:
		r.program = &value
		if value.Literal && value.Text == "" { // back to none
			r.program = nil
		}
	case holderUse:
		if r.holder = value.Text; r.holder == "" {
			r.holder = "{}"
		}
	case fileUse:
		r.file = true
	case fewUse:
		r.few = true
	case moduleUse:
		r.module(value)
		return true
	case quitUse:
		r.unsure = false
		return true
	case shellUse:
		r.shellAsked = true
	}
	return false
}
