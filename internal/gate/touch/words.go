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
	words = r.bundle(words)
	for i := 0; i < len(words); {
		w := words[i].Text
		switch {
		case !r.ended && w == "--":
			r.ended = true
			r.behind = words[i].End
			i++
		case r.command.OperandsFirst && len(w) > 0 && strings.IndexByte("-(!,", w[0]) >= 0 && (len(w) < 2 || w[1] < 'A' || w[1] > 'Z') && !r.closed:
			r.closed = true
		case !r.ended && len(w) > 1 && (w[0] == '-' || w[0] == '/' && r.option(w) != nil):
			i += r.flag(words[i:])
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

// bundle reads a first word like tar's "xvf", whose values are the next words.
func (r *reading) bundle(words []argv.Arg) []argv.Arg {
	if r.command.Style != catalog.StyleBundled || len(words) == 0 || words[0].Text == "" || words[0].Text[0] == '-' {
		return words
	}
	next := words[1:]
	for _, c := range words[0].Text {
		o := r.option("-" + string(c))
		switch {
		case o == nil:
			r.given["-"+string(c)] = true
		case o.Value == catalog.AnyValue && len(next) > 0:
			r.note(o, next[0], next[0].Pieces())
			next = next[1:]
		default:
			r.note(o, argv.Arg{}, nil)
		}
	}
	return next
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

// flag reads the option at the first word and returns how many words it takes.
func (r *reading) flag(words []argv.Arg) int {
	w := words[0].Text
	style := r.command.Style
	for _, o := range r.visible() {
		if o.Value != catalog.Rest || o.IsOperand() {
			continue
		}
		for _, name := range o.Names {
			if rest, ok := strings.CutPrefix(w, name); ok {
				r.note(o, words[0], cut(&words[0], len(w)-len(rest)))
				return 1
			}
		}
	}
	if w[1] == '-' || style == catalog.StyleWords || style == catalog.StyleLetters || style == catalog.StyleNopt || style == catalog.StyleCmdlet || w[0] == '/' {
		sign := "="
		if style == catalog.StyleCmdlet {
			sign = ":"
		}
		name, rest, attached := strings.Cut(w, sign)
		if o := r.option(name); o != nil {
			if attached {
				r.note(o, words[0], cut(&words[0], len(w)-len(rest)))
				return 1
			}
			return r.take(o, words)
		}
		if w[1] == '-' || style == catalog.StyleWords || style == catalog.StyleCmdlet || w[0] == '/' {
			r.given[name] = true
			return 1
		}
	}
	return r.cluster(words)
}

// cluster reads -abc.
func (r *reading) cluster(words []argv.Arg) int {
	w := words[0].Text
	for j := 1; j < len(w) && w[j] != 0; j++ {
		o := r.option("-" + w[j:j+1])
		switch {
		case o == nil:
			r.given["-"+w[j:j+1]] = true
		case o.Value == catalog.NoValue:
			r.note(o, words[0], nil)
		case j+1 < len(w):
			at := j + 1
			if w[at] == '=' && o.Value == catalog.AnyValue && at+1 < len(w) {
				at++
			}
			r.note(o, words[0], cut(&words[0], at))
			return 1
		default:
			return r.take(o, words)
		}
		if r.command.Style == catalog.StyleLetters {
			break
		}
	}
	return 1
}

// take notes an option whose value, if it has one, is the next word.
func (r *reading) take(o *catalog.Option, words []argv.Arg) int {
	switch {
	case o.Value == catalog.AnyValue && len(words) > 1:
		n := 2
		r.note(o, words[1], words[1].Pieces())
		if slices.ContainsFunc(words[1].Pieces(), func(p argv.Chunk) bool { return p.Kind == argv.Glob }) {
			r.operand(words[1]) // the names that it matches but for the first
		}
		for r.command.Style == catalog.StyleCmdlet && n < len(words) && words[n].Listed {
			r.note(o, words[n], words[n].Pieces())
			n++
		}
		return n
	case o.Value == catalog.TwoValues && len(words) > 2:
		r.note(o, words[2], words[2].Pieces())
		return 3
	}
	r.note(o, words[0], nil)
	return 1
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
