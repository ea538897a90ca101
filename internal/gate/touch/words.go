package touch

import (
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"math"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// value is the value of an option, or an operand that begins as an option does
// (of=FILE).
type value struct {
	option *catalog.Option
	word   argv.Arg
	pieces argv.Text
}

// reading is the words of a command read as options and operands.
type reading struct {
	command *catalog.Command
	program *catalog.Program
	// options are those of the command optionsOf.
	options   []*catalog.Option
	optionsOf *catalog.Command
	given     map[string]bool // the options given, under every name that they stand for
	values    []value
	operands  []argv.Arg
	ended     bool
	closed    bool // no more operands come
	behind    int  // where "--" ends in the line; without one, behind every word
}

// read reads the words behind the program.
func read(p *catalog.Program, words []argv.Arg) *reading {
	r := &reading{command: &p.Command, program: p, given: map[string]bool{}, behind: math.MaxInt}
	found, i := r.table().Bundle(words, 0)
	for _, f := range found {
		r.take(f, words, 0)
	}
	for i < len(words) {
		w := words[i].Text
		switch {
		case !r.ended && w == "--":
			r.ended = true
			r.behind = words[i].End
			i++
		case r.command.OperandsFirst && len(w) > 0 && strings.IndexByte("-(!,", w[0]) >= 0 && (len(w) < 2 || w[1] < 'A' || w[1] > 'Z') && !r.closed:
			r.closed = true
		case !r.ended && len(w) > 1 && (w[0] == '-' || w[0] == '/' && r.option(w) != nil):
			i = r.flag(words, i)
		default:
			if sub := r.enter(words[i]); sub != nil {
				r.command = sub
			} else {
				r.operand(words[i])
			}
			i++
		}
	}
	return r
}

// enter returns the subcommand that a word is, or nil.
func (r *reading) enter(word argv.Arg) *catalog.Command {
	if r.ended || len(r.operands) > 0 || r.command.Subs == nil {
		return nil
	}
	return r.command.Named(word.Text)
}

func (r *reading) operand(word argv.Arg) {
	if r.closed {
		return
	}
	r.ended = r.ended || r.command.OptionsFirst && r.command.Subs == nil
	for _, o := range r.visible() {
		if !o.IsOperand() {
			continue
		}
		for _, name := range o.Names {
			if rest, ok := strings.CutPrefix(word.Text, name); ok {
				r.note(o, word, cut(&word, len(word.Text)-len(rest)))
				return
			}
		}
	}
	r.operands = append(r.operands, word)
}

// visible are the options that may stand here.
func (r *reading) visible() []*catalog.Option {
	if r.optionsOf != r.command {
		r.optionsOf, r.options = r.command, r.command.Visible()
		if r.command == &r.program.Command {
			r.options = append(r.options[:len(r.options):len(r.options)], r.program.ElsewhereVisible()...)
		}
	}
	return r.options
}

// option finds an option by a name in full, or as its style lets it be
// abbreviated.
func (r *reading) option(name string) *catalog.Option {
	visible := r.visible()
	fold := r.command.Fold || r.command.Style == catalog.StyleCmdlet
	for _, o := range visible {
		for _, full := range o.Names {
			if full == name || fold && strings.EqualFold(full, name) || r.dashes(full, name) {
				return o
			}
		}
	}
	if s := r.command.Style; s != catalog.StyleGNU && s != catalog.StyleBundled && s != catalog.StyleNopt && s != catalog.StyleCmdlet || len(name) < 2 ||
		s != catalog.StyleCmdlet && (len(name) < 3 || name[1] != '-') {
		return nil
	}
	// An abbreviation of several counts as the one that touches a file.
	var found *catalog.Option
	for _, o := range visible {
		for _, full := range o.Names {
			begins := strings.HasPrefix(full, name) || fold && len(full) > len(name) && strings.EqualFold(full[:len(name)], name)
			if begins && (found == nil || !found.Role.Writes() && o.Role.Writes()) {
				found = o
			}
		}
	}
	return found
}

// dashes reports that one dash or two make the same option.
func (r *reading) dashes(full, name string) bool {
	s := r.command.Style
	return (s == catalog.StyleWords || s == catalog.StyleLetters) && strings.HasPrefix(name, "--") && full == name[1:]
}

// table is how the options that may stand here are read.
func (r *reading) table() argv.Table[*catalog.Option] {
	return argv.Table[*catalog.Option]{Style: r.command.Style, Find: func(name string) (*catalog.Option, catalog.Value, bool) {
		if o := r.option(name); o != nil {
			return o, o.Value, true
		}
		return nil, catalog.NoValue, false
	}}
}

// flag reads the option at index i and returns the index behind what belongs to
// it.
func (r *reading) flag(words []argv.Arg, i int) int {
	w := words[i].Text
	for _, o := range r.visible() {
		if o.Value != catalog.Rest || o.IsOperand() {
			continue
		}
		for _, name := range o.Names {
			if rest, ok := strings.CutPrefix(w, name); ok {
				r.note(o, words[i], cut(&words[i], len(w)-len(rest)))
				return i + 1
			}
		}
	}
	found, next := r.table().Read(words, i)
	for _, f := range found {
		if f.Takes == catalog.AnyValue {
			f = f.Unsigned()
		}
		next = max(next, r.take(f, words, i))
	}
	return next
}

// take notes an option that the word at index i gives, and returns the index
// behind what belongs to it.
func (r *reading) take(f argv.Found[*catalog.Option], words []argv.Arg, i int) (next int) {
	next = f.Last + 1
	o, at := f.Option, f.Word
	switch {
	case !f.Known:
		r.given[f.Name] = true
		return next
	case !f.Given:
		r.note(o, words[i], nil)
		return next
	case f.Takes == catalog.TwoValues:
		at, f.At = f.Last, 0
	}
	r.note(o, words[at], cut(&words[at], f.At))
	if at == i || f.At > 0 {
		return next
	}
	if slices.ContainsFunc(words[at].Pieces(), func(p argv.Chunk) bool { return p.Kind == argv.Glob }) {
		r.operand(words[at]) // the names that it matches but for the first
	}
	for r.command.Style == catalog.StyleCmdlet && next < len(words) && words[next].Listed {
		r.note(o, words[next], words[next].Pieces())
		next++
	}
	return next
}

// note records an option; pieces are its value, nil when it has none.
func (r *reading) note(o *catalog.Option, word argv.Arg, pieces argv.Text) {
	for _, list := range [][]string{o.Names, o.For} {
		for _, name := range list {
			r.given[name] = true
		}
	}
	if pieces != nil {
		r.values = append(r.values, value{o, word, pieces})
	}
	r.ended = r.ended || slices.ContainsFunc(r.command.EndAt, func(name string) bool { return slices.Contains(o.Names, name) })
}

// cut returns the pieces of a word without its first n bytes, in which each
// unknown piece is one byte.
func cut(a *argv.Arg, n int) argv.Text {
	pieces := slices.Clone(a.Pieces())
	for len(pieces) > 0 && n > 0 {
		size := len(pieces[0].Text)
		if pieces[0].Kind == argv.Unknown {
			size = 1
		}
		if size > n {
			pieces[0].Text = pieces[0].Text[n:]
			break
		}
		pieces, n = pieces[1:], n-size
	}
	if len(pieces) == 0 {
		return argv.Text{{}}
	}
	if p := pieces[0]; p.Kind == argv.Plain && strings.HasPrefix(p.Text, "~") && !a.Quoted { // of=~/x, --file=~/x
		user, rest, _ := strings.Cut(p.Text, "/")
		pieces = append(argv.Text{{Kind: argv.Home, Text: user}, {Text: "/" + rest}}, pieces[1:]...)
	}
	return pieces
}
