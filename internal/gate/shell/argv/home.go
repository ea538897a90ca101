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
	if home == "" || !slices.ContainsFunc(words, func(a Arg) bool { return AtHome(&a) || a.Literal && underHome(a.Text, home) }) {
		return [][]Arg{words}
	}
	var out [][]Arg
	for _, name := range []string{"~", "$HOME", home} {
		list := slices.Clone(words)
		for k := range list {
			a := &list[k]
			var rest Text
			switch {
			case AtHome(a):
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

// AtHome reports a word that begins with the person's own home folder.
func AtHome(a *Arg) bool {
	t := a.Chunks()
	return len(t) > 0 && t[0].Kind == Home && t[0].Text == "~"
}
