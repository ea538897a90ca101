package shelltest

import (
	"regexp"
	"slices"
	"strings"
)

// mutation draws a real command line, or two, and changes it in a few places.
func (g *Generator) mutation() Sample {
	text := g.pick(g.commands)
	kind := Kind{"real command", "edited"}
	switch g.rnd.IntN(10) {
	case 0:
		kind.Opener = "as it is"
		return Sample{text, RealCommand, kind}
	case 1:
		kind.Opener = "spliced with another"
		a, b := tokens(text), tokens(g.pick(g.commands))
		text = strings.Join(a[:g.rnd.IntN(len(a)+1)], "") + strings.Join(b[g.rnd.IntN(len(b)+1):], "")
	case 2, 3, 4, 5:
		kind.Opener = "with the marker inside"
		a := tokens(text)
		at := g.rnd.IntN(len(a) + 1)
		inside := g.filled()
		if g.oneIn(3) {
			inside, _ = g.opened()
		}
		text = strings.Join(slices.Concat(a[:at], []string{inside}, a[at:]), "")
		if g.oneIn(2) {
			return Sample{text, RealCommand, kind}
		}
	}
	return Sample{g.mutated(text), RealCommand, kind}
}

// operation is the beginning of an expansion up to its operator.
var operation = regexp.MustCompile(`\$\{([A-Za-z0-9_]+|[@*#?!-])(\[[^]]*\])?(:?[-=+?]|##?|%%?|//?[#%]?|\^\^?|,,?|@|:)`)

// neighbour draws a line that ran the marker once and puts it elsewhere, or
// something else into it: what was done about the one line should hold for all
// of its kind.
func (g *Generator) neighbour() Sample {
	text := g.pick(g.found)
	kind := Kind{"neighbour", "edited"}
	switch g.rnd.IntN(8) {
	case 0:
		kind.Opener = "with another form of the marker"
		text = strings.Replace(text, Marker, strings.ReplaceAll(g.pick(forms), "%", g.pick(spellings)), 1)
	case 1:
		kind.Opener = "with fillers around the marker"
		text = strings.Replace(text, "$("+Marker+")", g.filled(), 1)
	case 2:
		kind.Opener = "with another operator"
		text = operation.ReplaceAllStringFunc(text, func(string) string { return "${" + g.pick(names) + g.pick(operators) })
	case 3, 4:
		kind.Opener = "in a context"
		c := contexts[g.rnd.IntN(len(contexts))]
		text = strings.ReplaceAll(g.pick(c.frames), "%", g.pick([]string{"$(" + text + "\n)", text, text, "`" + text + "`", "; " + text, "\n" + text + "\n"}))
	case 5:
		kind.Opener = "beside another"
		text += g.pick([]string{"\n", "; ", " && ", " | ", " "}) + g.pick(g.found)
	case 6:
		kind.Opener = "with a seam"
		text = g.seamed(text)
	default:
		text = g.mutated(text)
	}
	return Sample{text, Neighbour, kind}
}

// survivor draws a line that passed with the marker in it and changes it: what
// takes several steps to get past the gate is found one step at a time.
func (g *Generator) survivor() Sample {
	text := g.pick(g.passed)
	kind := Kind{"survivor", "edited"}
	switch g.rnd.IntN(6) {
	case 0:
		kind.Opener = "with a seam"
		text = g.seamed(text)
	case 1:
		kind.Opener = "with another form of the marker"
		text = strings.Replace(text, Marker, g.filled(), 1)
	case 2:
		kind.Opener = "beside another"
		text += g.pick([]string{"\n", "; ", " && ", " | ", " ", ""}) + g.pick(g.passed)
	case 3:
		kind.Opener = "in a context"
		c := contexts[g.rnd.IntN(len(contexts))]
		text = strings.ReplaceAll(g.pick(c.frames), "%", g.pick([]string{"$(" + text + "\n)", text, "`" + text + "`"}))
	default:
		text = g.mutated(text)
	}
	if len(text) > 600 {
		text = g.pick(g.passed)
	}
	return Sample{text, Survivor, kind}
}

// token is a word, blanks, an operator, or one other character.
var token = regexp.MustCompile("[A-Za-z0-9_.-]+|[ \t]+|\\$\\{|\\$\\(\\(?|<<-?|&&|\\|\\||;;|>>|\\\\[\\s\\S]|[^A-Za-z0-9_]")

func tokens(text string) []string { return token.FindAllString(text, -1) }

// mutated inserts, deletes, swaps or doubles one to three tokens.
func (g *Generator) mutated(text string) string {
	list := tokens(text)
	for n := 1 + g.rnd.IntN(3); n > 0; n-- {
		at := g.rnd.IntN(len(list) + 1)
		switch {
		case at == len(list) || g.oneIn(3):
			list = slices.Insert(list, at, g.inserted())
		case g.oneIn(3):
			list = slices.Delete(list, at, at+1)
		case g.oneIn(2):
			list = slices.Insert(list, at, list[at])
		default:
			to := g.rnd.IntN(len(list))
			list[at], list[to] = list[to], list[at]
		}
	}
	return strings.Join(list, "")
}

// inserted is a piece of syntax, or the marker in some form.
func (g *Generator) inserted() string {
	if g.oneIn(3) {
		return g.filled()
	}
	return g.pick([]string{"'", `"`, "`", "\\", "\\\n", "\n", "$(", ")", "${x:-", "}", "$'", `$"`, "#", " # ", ";", "&", "|", "(", "<<E\n", "\nE\n", "zap", " zap ", "\nzap\n", "$", " ", "\r", "\t", "{", "[", "]", "<", ">", "<(", "=", "!", "*", "$((", "))", "((", "[[ ", " ]]", ",", "<<<", "x=", "%", ":", "@", "-", "0", "é", "\u00a0"})
}
