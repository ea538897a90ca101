package touch

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// destination adds what is written where files go. With folder it is a folder,
// else it may be one.
func (f *finder) destination(word argv.Arg, to Path, sources []argv.Arg, folder, operand bool) {
	reach := Itself
	if f.effects&(catalog.EffectTree|catalog.EffectBelow) != 0 {
		reach = Tree
	}
	if f.given["-T"] || f.given["--no-target-directory"] {
		folder, sources = false, nil
	}
	if !folder {
		f.add(Touch{Action: Write, Path: to, Reach: reach, Word: word})
	}
	for _, source := range sources {
		pieces := source.Pieces()
		if f.elsewhere(source.Text) && len(pieces) > 0 {
			_, rest, _ := strings.Cut(pieces[0].Text, ":")
			pieces = append(argv.Text{{Kind: pieces[0].Kind, Text: rest}}, pieces[1:]...)
		}
		list := names(slashes(pieces, f.place), f.place.wide)
		base := lastName(list)
		plain, known := base.plain()
		switch {
		case known && (plain == "." || plain == ".." || plain == "") || f.mergesInto(source.Text):
			if folder {
				f.add(Touch{Action: Write, Path: to, Reach: Tree, Word: word})
			}
			f.add(Touch{Action: Write, Path: to.join(unknownName), Reach: reach, Maybe: !folder, Word: word})
		case f.effects.Has(catalog.EffectNested) && pieces[0].Kind == argv.Home:
			f.add(Touch{Action: Write, Path: to.join(unknownName), Reach: reach, Maybe: !folder, Word: word})
		case f.effects.Has(catalog.EffectNested):
			f.add(Touch{Action: Write, Path: to.join(list...), Reach: reach, Maybe: !folder, Word: word})
		default:
			if len(base.pieces) > 0 && base.pieces[0].Kind == argv.Home {
				base = unknownName
			}
			f.add(Touch{Action: Write, Path: to.join(base), Reach: reach, Maybe: !folder, Word: word})
		}
	}
}

// mergesInto reports a source of rsync with a slash at its end: its content goes
// into the destination.
func (f *finder) mergesInto(text string) bool {
	return f.command.Hosts && strings.HasSuffix(text, "/")
}

// lastName is the last name of a path that is not empty, as basename has it.
func lastName(list []name) name {
	for k := len(list) - 1; k >= 0; k-- {
		if plain, known := list[k].plain(); !known || plain != "" {
			return list[k]
		}
	}
	return name{}
}

func slashes(pieces argv.Text, where place) argv.Text {
	if !where.backslash {
		return pieces
	}
	pieces = slices.Clone(pieces)
	for k := range pieces {
		pieces[k].Text = strings.ReplaceAll(pieces[k].Text, `\`, "/")
	}
	return pieces
}
