package argv

import (
	"path"
	"slices"
	"strings"
)

// NamesHome reports a word that begins with the home folder.
func NamesHome(words []Arg, home string) bool {
	return home != "" && slices.ContainsFunc(words, func(a Arg) bool { return underHome(a.Text, home) })
}

func underHome(word, home string) bool {
	rest, ok := strings.CutPrefix(word, home)
	return ok && (rest == "" || rest[0] == '/')
}

// SpellHome returns the words with the home folder in each spelling, as a tilde,
// as a variable and as the folder, where one of them names it.
func SpellHome(words []Arg, home string) [][]Arg {
	if home == "" || !slices.ContainsFunc(words, func(a Arg) bool { return AtHome(&a, home) || a.Literal && underHome(a.Text, home) }) {
		return [][]Arg{words}
	}
	var out [][]Arg
	for _, name := range []string{"~", "$HOME", home} {
		list := slices.Clone(words)
		for k := range list {
			a := &list[k]
			var rest Text
			switch {
			case AtHome(a, home):
				rest = a.Chunks()[1:]
			case a.Literal && underHome(a.Text, home):
				rest = Text{}.Add(Chunk{Text: a.Text[len(home):]})
			default:
				continue
			}
			spelled := PlainText(name)
			for _, c := range rest {
				spelled = spelled.Add(c)
			}
			b := spelled.Arg(*a)
			if b.Literal && len(b.Text) > len(name) {
				b.Text = name + strings.TrimSuffix(path.Clean(b.Text[len(name):]), "/")
			}
			list[k] = b
		}
		out = append(out, list)
	}
	return out
}

// SpellHere returns the words without the working directory in front of those
// that name it; nothing when none does.
func SpellHere(words []Arg) [][]Arg {
	here := func(a Arg) bool {
		t := a.Chunks()
		return len(t) > 0 && t[0].Kind == Home && t[0].Text == WorkFolder
	}
	if !slices.ContainsFunc(words, here) {
		return nil
	}
	list := slices.Clone(words)
	for k, a := range list {
		if !here(a) {
			continue
		}
		spelled := PlainText(".")
		if rest := a.Chunks()[1:]; len(rest) > 0 {
			if spelled = slices.Clone(rest); rest[0].Kind == Plain {
				spelled[0].Text = strings.TrimPrefix(rest[0].Text, "/")
			}
		}
		list[k] = spelled.Arg(a)
	}
	return [][]Arg{list}
}

// AtHome reports a word that begins with the person's own home folder: as a
// tilde alone, or with the name of that folder behind it.
func AtHome(a *Arg, home string) bool {
	t := a.Chunks()
	return len(t) > 0 && t[0].Kind == Home && (t[0].Text == "~" || home != "" && t[0].Text == "~"+path.Base(home))
}
