package model

import (
	"slices"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/possible"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Variant is one way in which the words of a unit may read once the shell has
// expanded them. Deny rules are matched against it.
type Variant struct {
	known   *catalog.Catalog
	program string
	Words   []argv.Arg
	Wide    bool // the line changes what patterns match
}

// Variants lists the ways in which the words of the unit may read where the
// words as they are written do not say it all: values of variables, braces,
// patterns, other spellings of the home folder, which is "" if it is not known.
// It is empty for a unit of plain words.
func (u *Unit) Variants(home string) []Variant {
	if !u.Open && !argv.NamesHome(u.Words, home) {
		return nil
	}
	var out []Variant
	add := func(words []argv.Arg) {
		for _, list := range argv.Variants(words) {
			if len(list) == 0 || list[0].Text == "" && list[0].Literal {
				continue
			}
			for _, spelled := range slices.Concat(argv.SpellHome(list, home), argv.SpellHere(list)) {
				v := Variant{known: u.Known, Words: spelled, Wide: u.Wide, program: u.Program}
				if spelled[0].Literal && (u.Program == "" || spelled[0].Text != u.Words[0].Text) {
					v.program = argv.ProgramName(spelled[0].Text)
				}
				out = append(out, v)
			}
		}
	}
	if !u.Idle && len(u.Words) > 0 {
		add(u.Words)
		for _, name := range u.Names()[1:] { // the aliases of a command of PowerShell
			words := slices.Clone(u.Words)
			words[0] = argv.Arg{Text: name, Literal: true, Start: words[0].Start, End: words[0].End}
			add(words)
		}
	}
	for _, words := range u.Calls {
		if len(words) > 0 && len(out) < argv.MaxTries {
			add(words)
		}
	}
	return out
}

// Program is the program of the variant, as Unit.Program has it.
func (v Variant) Program() string { return v.program }

// Sure reports that the words are known to the last character.
func (v Variant) Sure() bool { return argv.IsSure(v.Words) }

// Texts are the spellings of a variant that is sure, as in Unit.Views.
func (v Variant) Texts() []string {
	return wordViews(v.known, nil, v.program, v.Words)
}

// Unknown is the first word that is not known.
func (v Variant) Unknown() argv.Arg {
	for _, a := range v.Words {
		if !a.Sure() {
			return a
		}
	}
	return argv.Arg{}
}

// Open is what a variant that is not sure may read: the first word, which is
// known, and the texts it may be, as in Unit.Views. It is empty when the name
// of the program is not known.
func (v Variant) Open() (out []OpenText) {
	if !v.Words[0].Sure() {
		return nil
	}
	add := func(program string, args []argv.Arg) {
		o := OpenText{Program: program}
		o.Text.Literal(program)
		for k := range args {
			args[k].Into(&o.Text, v.Wide)
		}
		out = append(out, o)
	}
	first := v.Words[0].Text
	add(first, v.Words[1:])
	if v.program != "" && v.program != first {
		add(v.program, v.Words[1:])
	}
	if k := argv.SkipGlobal(v.known, v.program, v.Words, 1); k > 1 {
		add(v.program, v.Words[k:])
	}
	return out
}

// OpenText is a set of texts that begin with the same word.
type OpenText struct {
	Program string
	Text    possible.Text
}
