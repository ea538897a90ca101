package argv

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// Table is what a reader of a command's words knows of its options; T is what it
// notes of one. How options are written is told by the style; which option a name
// means, where it may mean several, is the reader's own choice.
type Table[T any] struct {
	Style catalog.Style
	// Find returns the option that a name with its dashes spells, in full or as the
	// reader lets it be shortened, and how it takes its value. It does so for an
	// option that is not known, too.
	Find func(name string) (option T, takes catalog.Value, known bool)
	// Spares reports that the option leaves a word that could be its value; nil
	// means that none does.
	Spares func(option T, word string) bool
}

// Found is one option that a word gives.
type Found[T any] struct {
	Option T
	Takes  catalog.Value
	Known  bool
	// Name is how it is spelled, with its dashes and without its value.
	Name string
	// Value is its value where one is Given. It begins at byte At of the word
	// number Word; without a value that is the word of the option.
	Value    string
	Given    bool
	Word, At int
	// Last is the number of the last word that belongs to it.
	Last int
}

// Unsigned is the found option without the sign at the start of a value that
// stands in a cluster: most programs take -o=x as they take -ox.
func (f Found[T]) Unsigned() Found[T] {
	if f.Given && f.Word == f.Last && f.At > 0 && strings.HasPrefix(f.Value, "=") && f.Value != "=" {
		f.Value, f.At = f.Value[1:], f.At+1
	}
	return f
}

// Read reads the option that the i-th word is, or the letters that stand for
// several, and returns the index behind what belongs to them. The word is longer
// than one byte.
func (t Table[T]) Read(args []Arg, i int) (found []Found[T], next int) {
	w := args[i].Text
	sign := "="
	if t.Style == catalog.StyleCmdlet {
		sign = ":"
	}
	f := Found[T]{Name: w, Word: i, Last: i}
	if f.Option, f.Takes, f.Known = t.Find(w); !f.Known && strings.Contains(w, sign) {
		f.Name, f.Value, f.Given = strings.Cut(w, sign)
		f.At = len(f.Name) + len(sign)
		f.Option, f.Takes, f.Known = t.Find(f.Name)
	}
	if !t.isWord(w, f) {
		return t.letters(args, i, f)
	}
	f = t.take(f, args)
	return []Found[T]{f}, f.Last + 1
}

// isWord reports that a word is one option, and no row of letters.
func (t Table[T]) isWord(w string, f Found[T]) bool {
	if w[0] != '-' || w[1] == '-' || f.Known && len(f.Name) > 2 {
		return true
	}
	switch t.Style {
	case catalog.StyleWords, catalog.StyleCmdlet:
		return true
	case catalog.StyleLetters, catalog.StyleNopt:
		return f.Known
	default:
		return false
	}
}

// letters reads -abc; whole is the word as one option that is not known. What
// stands behind an expansion in it cannot be told.
func (t Table[T]) letters(args []Arg, i int, whole Found[T]) (found []Found[T], next int) {
	w := args[i].Text
	for j := 1; j < len(w); j++ {
		f := Found[T]{Name: letterName(w[j]), Word: i, Last: i}
		f.Option, f.Takes, f.Known = t.Find(f.Name)
		switch {
		case t.Style == catalog.StyleLetters && f.Takes == catalog.NoValue:
			return []Found[T]{whole}, i + 1
		case w[j] == 0:
			return append(found, f), i + 1
		case f.Takes != catalog.NoValue && j+1 < len(w):
			f.Value, f.Given, f.At = w[j+1:], true, j+1
			f = t.take(f, args)
			return append(found, f), f.Last + 1
		case f.Takes != catalog.NoValue || j+1 == len(w):
			f = t.take(f, args)
			return append(found, f), f.Last + 1
		}
		found = append(found, f)
	}
	return found, i + 1
}

// Bundle reads a first word such as tar's "xvf", whose values are the next words.
// A word that is none gives nothing.
func (t Table[T]) Bundle(args []Arg, i int) (found []Found[T], next int) {
	if t.Style != catalog.StyleBundled || i >= len(args) || args[i].Text == "" || !isLetter(args[i].Text[0]) {
		return nil, i
	}
	next = i + 1
	for j := range len(args[i].Text) {
		b := args[i].Text[j]
		if b == 0 {
			break
		}
		f := Found[T]{Name: letterName(b), Word: i, Last: i}
		f.Option, f.Takes, f.Known = t.Find(f.Name)
		if f.Takes == catalog.AnyValue && next < len(args) {
			f.Value, f.Given, f.Word, f.Last = args[next].Text, true, next, next
			next++
		}
		found = append(found, f)
	}
	return found, next
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }

// take gives an option the value that the next words are.
func (t Table[T]) take(f Found[T], args []Arg) Found[T] {
	next := f.Last + 1
	if !f.Given && next < len(args) {
		wants := (f.Takes == catalog.AnyValue || f.Takes == catalog.TwoValues) && (t.Spares == nil || !t.Spares(f.Option, args[next].Text))
		if wants || f.Takes == catalog.NoValue && t.Style == catalog.StyleNopt && IsSwitch(args[next].Text) {
			f.Value, f.Given, f.Word, f.At = args[next].Text, true, next, 0
			next++
		}
	}
	if f.Takes == catalog.TwoValues && f.Given {
		next++
	}
	f.Last = min(next, len(args)) - 1
	return f
}

// letterNames holds "-x" for every ASCII byte, so that naming one allocates nothing.
var letterNames = func() (names [128]string) {
	for i := range names {
		names[i] = "-" + string(rune(i))
	}
	return names
}()

func letterName(b byte) string {
	if b < 128 {
		return letterNames[b]
	}
	return "-?"
}
