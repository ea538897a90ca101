package pwsh

import (
	"maps"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// psValue is what an expression gives, as far as the line tells: the elements
// of a list, one for a plain value, none for $null.
type psValue struct {
	known bool
	list  []string
}

func psText(text string) psValue { return psValue{true, []string{text}} }

// text is the value within a string: its elements joined by blanks.
func (v psValue) text() string { return strings.Join(v.list, " ") }

// joined is the value of two expressions with a comma between them.
func (v psValue) joined(w psValue) psValue {
	return psValue{v.known && w.known, slices.Concat(v.list, w.list)}
}

// The bounds of what is remembered of variables and tried of their values.
const (
	maxPasses  = 4
	maxChoices = 16
	maxList    = 64
)

// Variables are the variables of a text with the values that the text gives
// them, wherever it does: the order of a text is not that of its execution.
type Variables struct {
	choices map[string][]psValue // each with at least one; not known: anything
	passes  int
	changed bool
	lost    bool // too much changes: no value is known
}

// Again reports whether the text is to be read again, because values were
// found that earlier parts of it may use.
func (v *Variables) Again() bool {
	if !v.changed || v.lost {
		return false
	}
	v.changed = false
	v.passes++
	v.lost = v.passes >= maxPasses
	return true
}

// add notes a value that a variable may have.
func (v *Variables) add(name string, value psValue) {
	name = strings.ToLower(name)
	known := v.choices[name]
	if len(value.list) > maxList || len(known) >= maxChoices || len(v.choices) > 256 {
		value = psValue{}
	}
	if !value.known {
		value.list = nil
	}
	if slices.ContainsFunc(known, func(w psValue) bool { return w.known == value.known && slices.Equal(w.list, value.list) }) {
		return
	}
	if v.choices == nil {
		v.choices = map[string][]psValue{}
	}
	if v.changed = true; value.known {
		v.choices[name] = append(known, value)
	} else {
		v.choices[name] = append([]psValue{value}, known...)
	}
}

// of returns the values that a variable may have: the first is not known if
// there may be others.
func (v *Variables) of(name string) []psValue {
	switch name = strings.ToLower(name); name {
	case "null":
		return []psValue{{known: true}}
	case "true", "false":
		return []psValue{psText(strings.ToUpper(name[:1]) + name[1:])}
	case "home", "env:userprofile", "env:home":
		return []psValue{{}, psText("~")} // by which the folder is named as well
	}
	if list := v.choices[name]; len(list) > 0 && !v.lost {
		return list
	}
	return []psValue{{}}
}

// psPart is a piece of a word.
type psPart struct {
	value    psValue
	variable string // whose values stand there, "" for value
}

// psWord is one word of a command.
type psWord struct {
	argv.Arg // without Text and Literal
	parts    []psPart
	plain    string // what is read of a further literal part, before text
	text     []byte
	joined   bool // a comma stands before it
	block    bool // it is a script block
	glob     bool // it holds a wildcard that is not quoted
}

func (w *psWord) literal(text string) {
	if w.plain == "" && len(w.text) == 0 {
		w.plain = text
	} else {
		w.text = append(w.text, text...)
	}
}

func (w *psWord) add(p psPart) {
	w.done()
	w.parts = append(w.parts, p)
}

// done completes the last part.
func (w *psWord) done() {
	if w.plain != "" || len(w.text) > 0 {
		w.parts = append(w.parts, psPart{value: psText(w.plain + string(w.text))})
		w.plain, w.text = "", nil
	}
}

// told is the word with what is not known of it left out.
func (w *psWord) told() string {
	if len(w.parts) == 1 && len(w.parts[0].value.list) == 1 {
		return w.parts[0].value.list[0]
	}
	var b strings.Builder
	for _, p := range w.parts {
		b.WriteString(p.value.text())
	}
	return b.String()
}

// pick says which of its values each variable is taken to have.
type pick map[string]int

// each calls f with every choice of values for the variables in the words,
// within bounds.
func (v *Variables) each(words []psWord, f func(pick)) {
	if !slices.ContainsFunc(words, func(w psWord) bool {
		return slices.ContainsFunc(w.parts, func(p psPart) bool { return p.variable != "" })
	}) {
		f(nil)
		return
	}
	var chosen pick
	picks := []pick{nil}
	for _, w := range words {
		for _, p := range w.parts {
			if _, seen := chosen[p.variable]; p.variable == "" || seen {
				continue
			}
			if chosen == nil {
				chosen = pick{}
			}
			chosen[p.variable] = 0
			if more := v.picks(picks, p.variable); len(more) <= argv.MaxGuesses {
				picks = more
			}
		}
	}
	for _, p := range picks {
		f(p)
	}
}

// picks adds each value of a variable to each of the choices.
func (v *Variables) picks(before []pick, variable string) (after []pick) {
	n := len(v.of(variable))
	if n == 1 {
		return before
	}
	for _, old := range before {
		for k := range n {
			next := maps.Clone(old)
			if next == nil {
				next = pick{}
			}
			next[variable] = k
			after = append(after, next)
		}
	}
	return after
}

// value returns what the word is, its elements being words of their own where
// it is nothing but one variable or one value.
func (w *psWord) value(v *Variables, p pick) psValue {
	of := func(part psPart) psValue {
		if part.variable != "" {
			return v.of(part.variable)[p[part.variable]]
		}
		return part.value
	}
	if len(w.parts) == 1 && !w.Quoted {
		return of(w.parts[0])
	}
	if len(w.parts) == 1 && w.parts[0].variable == "" && w.parts[0].value.known && len(w.parts[0].value.list) == 1 {
		return w.parts[0].value
	}
	out, text := psValue{known: true}, strings.Builder{}
	for _, part := range w.parts {
		if value := of(part); value.known {
			text.WriteString(value.text())
		} else {
			out.known = false
			text.WriteByte(0)
		}
	}
	out.list = []string{text.String()}
	return out
}

// args returns the words as a command gets them. Of a list, a cmdlet gets the
// elements; another program gets them in one word, joined by commas.
func (v *Variables) args(words []psWord, p pick, cmdlet bool) (list []argv.Arg) {
	for k := range words {
		w := &words[k]
		value := w.value(v, p)
		texts := value.list
		if !value.known && len(texts) == 0 {
			texts = []string{argv.Hole}
		}
		for n, text := range texts {
			list = append(list, argv.Arg{Text: text, Literal: value.known && !w.glob, Quoted: w.Quoted || len(w.parts) != 1 || w.parts[0].variable != "",
				Listed: n > 0 || w.joined, Start: w.Start, End: w.End})
			if n == 0 && w.joined && !cmdlet && len(list) > 1 {
				list[len(list)-1].Commas = true
			}
		}
	}
	return withCommas(list)
}

// withCommas joins the words that commas stand between.
func withCommas(list []argv.Arg) []argv.Arg {
	out := list[:0]
	for k := 0; k < len(list); k++ {
		a := list[k]
		var b strings.Builder
		for ; k+1 < len(list) && list[k+1].Commas; k++ {
			if b.Len() == 0 {
				b.WriteString(a.Text)
			}
			b.WriteByte(',')
			b.WriteString(list[k+1].Text)
			a.Literal, a.End = a.Literal && list[k+1].Literal, list[k+1].End
		}
		if b.Len() > 0 {
			a.Text = b.String()
		}
		out = append(out, a)
	}
	return out
}
