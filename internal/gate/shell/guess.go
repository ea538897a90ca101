package shell

import (
	"maps"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bytes that stand for active syntax while a word is guessed. None of them can
// stand in a word that matters.
const (
	openBrace  = '\x01'
	braceComma = '\x02'
	closeBrace = '\x03'
	splitHere  = '\x04'
)

// maxGuesses bounds the words that a guess makes of one command, and the guesses
// made of it; maxTries all the guesses made of a line.
const (
	maxGuesses = 64
	maxTries   = 1000
)

// usualValues are variables whose value is known well enough to guess with.
var usualValues = map[string]string{"IFS": " ", "SHELL": "bash", "BASH": "bash", "0": "bash"}

// positional notes the positional parameters of shell text, $0 first, if the
// text uses any, and returns what forgets them.
func (b *builder) positional(text string, args []Arg) (restore func()) {
	if strings.IndexByte(text, '$') < 0 || len(args) == 0 {
		return func() {}
	}
	before := b.values
	b.values = maps.Clone(before)
	choices := b.choices
	b.choices = nil
	for k := range 10 { // the caller's are not seen there
		delete(b.values, string(rune('0'+k)))
	}
	delete(b.values, "@")
	delete(b.values, "*")
	if args[0].Literal {
		b.remember("0", args[0].Text)
	}
	b.parameters(args)
	return func() { b.values, b.choices = before, choices }
}

// guess adds, under unit i, the command that its words probably make when the
// expansions are carried out that the line itself tells: variables set in it,
// braces, `$(echo …)`. Deny rules see it; unit i does not become less of a
// question by it. Only commands are guessed whose meaning it could change: the
// program, an option, a subcommand, the text of a wrapper.
func (s *source) guess(i int, list []*syntax.Word, args []Arg, in feed, p place) {
	if !s.guessable(list, args) {
		return
	}
	names := s.chosen(list)
	if len(names) == 0 {
		s.guessOnce(i, list, args, in, p)
		return
	}
	before := s.b.values
	s.b.values = maps.Clone(before)
	left := maxGuesses
	s.eachChoice(names, &left, func() { s.guessOnce(i, list, args, in, p) })
	s.b.values = before
}

// chosen lists the variables in the words that have several values.
func (s *source) chosen(list []*syntax.Word) (names []string) {
	if len(s.b.choices) == 0 {
		return nil
	}
	for _, w := range list {
		syntax.Walk(w, func(n syntax.Node) bool {
			if x, ok := n.(*syntax.ParamExp); ok && x.Param != nil && s.b.choices[x.Param.Value] != nil && !slices.Contains(names, x.Param.Value) {
				names = append(names, x.Param.Value)
			}
			return true
		})
	}
	return names
}

// eachChoice calls f with each combination of the variables' values.
func (s *source) eachChoice(names []string, left *int, f func()) {
	if len(names) == 0 {
		*left--
		f()
		return
	}
	for _, value := range s.b.choices[names[0]] {
		if *left <= 0 {
			return
		}
		s.b.values[names[0]] = value
		s.eachChoice(names[1:], left, f)
	}
}

// guessOnce guesses with the latest values.
func (s *source) guessOnce(i int, list []*syntax.Word, args []Arg, in feed, p place) {
	if s.b.tries++; s.b.tries > maxTries {
		return
	}
	var guessed []Arg
	worth := s.b.out.Units[i].Wrapper
	sub := 1
	if hasSubcommands(args[0].Text) {
		sub = skipGlobal(programName(args[0].Text), args, 1)
	}
	for k, w := range list {
		if args[k].Literal {
			guessed = append(guessed, args[k])
			continue
		}
		found, ok := s.guessWord(w)
		if !ok {
			guessed = append(guessed, args[k])
			continue
		}
		for n, text := range found {
			worth = worth || k == 0 || strings.HasPrefix(text, "-") && !strings.HasPrefix(args[k].Text, "-"+text[1:]) || (k+n == 1 || k == sub) && hasSubcommands(args[0].Text)
			guessed = append(guessed, Arg{Text: text, Literal: true, Quoted: args[k].Quoted, Start: args[k].Start, End: args[k].End})
		}
	}
	if !worth || len(guessed) == 0 || len(guessed) > maxGuesses || sameArgs(guessed, args) || p.wrappers >= maxWrappers {
		return
	}
	p = p.under(i, "expansion")
	p.wrappers++
	u := Unit{Via: p.via, Parent: p.parent, Text: quoteWords(guessed)}
	u.Bare, u.body = u.Text, len(u.Text)
	u.Start, u.End = s.span(args[0].Start, args[len(args)-1].End)
	n := s.b.add(u)
	s.name(n, guessed)
	s.command(n, guessed, in, p)
}

// guessed returns the words with what the line tells of their expansions.
func (s *source) guessed(list []*syntax.Word, args []Arg) (out []Arg) {
	for k, a := range args {
		found, ok := []string(nil), false
		if !a.Literal {
			found, ok = s.guessWord(list[k])
		}
		if !ok {
			out = append(out, a)
		}
		for _, text := range found {
			out = append(out, Arg{Text: text, Literal: true, Quoted: a.Quoted, Start: a.Start, End: a.End})
		}
	}
	return out
}

// guessable reports, at little cost, whether the line may tell what some word
// expands to.
func (s *source) guessable(list []*syntax.Word, args []Arg) bool {
	for k := range args {
		if args[k].Literal {
			continue
		}
		if k == 0 || len(s.b.values) > 0 {
			return true
		}
		if slices.ContainsFunc(list[k].Parts, tells) {
			return true
		}
	}
	return false
}

// tells reports whether a part of a word may tell what it expands to.
func tells(part syntax.WordPart) bool {
	switch part := part.(type) {
	case *syntax.DblQuoted:
		return slices.ContainsFunc(part.Parts, func(p syntax.WordPart) bool {
			_, literal := p.(*syntax.Lit)
			return !literal && tells(p)
		})
	case *syntax.ParamExp:
		return part.Param == nil || part.Exp != nil || part.Repl != nil || usualValues[part.Param.Value] != ""
	case *syntax.CmdSubst:
		return len(part.Stmts) == 1 && writesText(part.Stmts[0])
	case *syntax.Lit:
		return strings.IndexByte(part.Value, '{') >= 0
	}
	return false
}

func sameArgs(a, b []Arg) bool {
	return slices.EqualFunc(a, b, func(x, y Arg) bool { return x.Text == y.Text })
}

// guessWord returns the words that w expands to, as far as the line tells.
func (s *source) guessWord(w *syntax.Word) (found []string, ok bool) {
	g := guesser{source: s, ok: true}
	g.parts(w.Parts, false, len(w.Parts) > 1)
	if !g.ok || g.text.Len() > 4096 {
		return nil, false
	}
	for _, text := range expandBraces(g.text.String(), nil) {
		found = append(found, strings.FieldsFunc(text, func(r rune) bool { return r == splitHere })...)
	}
	return found, true
}

// guesser writes a word with its expansions carried out.
type guesser struct {
	source *source
	text   strings.Builder
	ok     bool
}

func (g *guesser) parts(parts []syntax.WordPart, quoted, mixed bool) {
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if quoted {
				r := wordReader{}
				r.doubleQuoted(part.Value)
				g.text.WriteString(r.text.String())
			} else {
				g.bare(part.Value)
			}
		case *syntax.SglQuoted:
			if part.Dollar {
				g.text.WriteString(unquoteANSI(part.Value))
			} else {
				g.text.WriteString(part.Value)
			}
		case *syntax.DblQuoted:
			g.parts(part.Parts, true, mixed || len(part.Parts) > 1)
		case *syntax.ParamExp:
			value, known := g.parameter(part)
			if !known && !mixed {
				g.ok = false
			}
			g.value(value, quoted && part.Param != nil && part.Param.Value != "@" && part.Index == nil)
		case *syntax.CmdSubst:
			value, known := "", false
			if len(part.Stmts) == 1 {
				var a Arg
				a, known = g.source.pipedText(part.Stmts[0])
				value = strings.TrimRight(a.Text, "\n")
				known = known && a.Literal
			}
			g.ok = g.ok && (known || mixed)
			g.value(value, quoted)
		default:
			g.ok = false
		}
	}
}

// bare writes unquoted text, its braces active.
func (g *guesser) bare(text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case '\\':
			if i+1 < len(text) {
				i++
			}
			c = text[i]
		case '{':
			c = openBrace
		case ',':
			c = braceComma
		case '}':
			c = closeBrace
		}
		g.text.WriteByte(c)
	}
}

// value writes the value of an expansion, which is split at blanks unless it
// is quoted.
func (g *guesser) value(value string, quoted bool) {
	if !quoted {
		value = strings.Map(func(r rune) rune {
			if r == ' ' || r == '\t' || r == '\n' {
				return splitHere
			}
			return r
		}, value)
	}
	g.text.WriteString(value)
}

// parameter returns the value of a plain parameter, or its default.
func (g *guesser) parameter(x *syntax.ParamExp) (value string, known bool) {
	if x.Param == nil || x.Excl || x.Length || x.Slice != nil && x.Param.Value != "@" {
		return "", false
	}
	if x.Repl != nil {
		return g.word(x.Repl.With)
	}
	name := x.Param.Value
	if x.Index != nil {
		index, ok := x.Index.(*syntax.Word)
		if !ok {
			return "", false
		}
		name += "[" + strings.ReplaceAll(index.Lit(), "*", "@") + "]"
	}
	value, known = g.source.b.values[name]
	if !known {
		value, known = usualValues[name]
	}
	if x.Exp == nil {
		return value, known
	}
	switch x.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if !known && x.Exp.Word != nil {
			a, _ := g.source.arg(x.Exp.Word)
			return a.Text, a.Literal
		}
		return value, known
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return g.word(x.Exp.Word)
	}
	return "", false
}

// word returns what a word within an expansion is, nothing standing for what
// is not told.
func (g *guesser) word(w *syntax.Word) (value string, known bool) {
	if w == nil {
		return "", false
	}
	inner := guesser{source: g.source, ok: true}
	inner.parts(w.Parts, true, true)
	return inner.text.String(), inner.ok
}

// expandBraces carries out brace expansion of lists. What is no list keeps its
// braces.
func expandBraces(text string, out []string) []string {
	open := strings.LastIndexByte(text, openBrace)
	for ; open >= 0; open = strings.LastIndexByte(text[:open], openBrace) {
		end := strings.IndexByte(text[open:], closeBrace)
		if end < 0 || !strings.Contains(text[open:open+end], string(braceComma)) {
			continue
		}
		end += open
		for _, element := range strings.Split(text[open+1:end], string(braceComma)) {
			if len(out) >= maxGuesses {
				return out
			}
			out = expandBraces(text[:open]+element+text[end+1:], out)
		}
		return out
	}
	return append(out, strings.NewReplacer(string(openBrace), "{", string(braceComma), ",", string(closeBrace), "}").Replace(text))
}
