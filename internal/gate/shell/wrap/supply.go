package wrap

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// Supply is what a wrapper such as xargs adds to the words of its command.
type Supply struct {
	holder string      // the text in whose place it stands; "" is the end
	option bool        // it may be an option
	names  []argv.Text // the folders in which it is found, nil if they are not known
	last   argv.Text   // the name of what is found, nil if any may be
	inner  bool        // the folders themselves are not among what is found
}

// To returns the words with what is supplied, as words that are not literal.
func (y Supply) To(args []argv.Arg) []argv.Arg {
	if len(args) == 0 {
		return args
	}
	out := slices.Clone(args)
	if y.holder == "" {
		end := args[len(args)-1].End
		tail := argv.Arg{Text: argv.Hole, Start: end, End: end, Tail: true, Fed: y.option}
		if len(y.names) == 1 && !y.option {
			tail.Detail = &argv.Detail{Chunks: append(append(slices.Clone(y.names[0]), argv.Chunk{Kind: argv.Unknown}), y.last...)}
		}
		return append(out, tail)
	}
	for k, a := range out {
		if strings.Contains(a.Text, y.holder) {
			a.Text = strings.ReplaceAll(a.Text, y.holder, argv.Hole)
			a.Literal, a.Quoted, a.Fed, a.Holder = false, true, y.option, y.holder
			a.Detail = y.named(a)
			out[k] = a
		}
	}
	return out
}

// named is what is known of a word that is supplied as a whole.
func (y Supply) named(a argv.Arg) *argv.Detail {
	if y.names == nil || a.Text != argv.Hole {
		return nil
	}
	m := &argv.Detail{}
	for _, name := range y.names {
		below, folder := slices.Clone(name), false
		if s, ok := name.Plain(); ok && strings.HasSuffix(s, "/") {
			folder = true
		} else if below = below.Add(argv.Chunk{Text: "/"}); y.last == nil && !y.inner {
			m.Ways = append(m.Ways, []argv.Arg{name.Arg(a)})
		}
		if y.last != nil {
			here := append(slices.Clone(below), y.last...)
			deep := append(append(slices.Clone(below), argv.Chunk{Kind: argv.Unknown}, argv.Chunk{Text: "/"}), y.last...)
			if m.Ways = append(m.Ways, []argv.Arg{here.Arg(a)}); !folder {
				m.Ways = append(m.Ways, []argv.Arg{deep.Arg(a)})
			}
			continue
		}
		m.Ways = append(m.Ways, []argv.Arg{append(below, argv.Chunk{Kind: argv.Unknown}).Arg(a)})
	}
	return m
}

// supplied handles the command of xargs: the words it reads from its input
// stand at the end of the command, or where a placeholder stands.
func (r *Call) supplied(args []argv.Arg) {
	text, known := r.inputWords()
	y := Supply{holder: r.holder}
	// Names of files found below a folder, of files under version control and
	// of processes begin with no dash, or are as little likely to as in the
	// same command with a pattern in place of xargs.
	y.option = !known && !(r.pipe != nil && bash.WritesPaths(r.catalogue, r.pipe))
	if !y.option && r.pipe != nil {
		y.names, y.last, y.inner = bash.PipedFolders(r.pipe)
	}
	if known && y.holder == "" {
		r.words(args)
	} else {
		r.words(y.To(args))
	}
	if !known || len(text) == 0 {
		return
	}
	if y.holder != "" {
		for _, w := range text {
			r.words(fill(args, y.holder, w))
		}
		return
	}
	all, last := slices.Clone(args), args[len(args)-1]
	for _, w := range text {
		all = append(all, argv.Arg{Text: w, Literal: true, Start: last.Start, End: last.End})
		if r.few {
			r.words(append(slices.Clone(args), all[len(all)-1]))
		}
	}
	r.words(all)
}

// fill puts a word in the place of the placeholder.
func fill(args []argv.Arg, holder, word string) []argv.Arg {
	out := slices.Clone(args)
	for k := range out {
		out[k].Text = strings.ReplaceAll(out[k].Text, holder, word)
	}
	return out
}

// inputWords returns the words that the input holds, when the line tells them.
func (r *Call) inputWords() (list []string, known bool) {
	if r.file {
		return nil, false
	}
	in := r.line.Input("")
	if in.How == InputNone || in.How == InputFile || !in.Known || !in.Text.Literal {
		return nil, false
	}
	if list = strings.Fields(in.Text.Text); r.holder != "" {
		list = strings.Split(strings.Trim(in.Text.Text, "\n"), "\n")
	}
	return list[:min(len(list), argv.MaxGuesses)], true
}
