package argv

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// An expansion may turn out to be nothing: `git pu$@sh` is a push where $@ is
// empty, and `git $OPTIONS push` is one whatever the options are.

// HasUnknown reports a word with an expansion in it.
func HasUnknown(args []Arg) bool {
	return slices.ContainsFunc(args, func(a Arg) bool { return !a.Literal && HasHole(a.Text) })
}

// Emptied returns the words, program first, as they are where expansions are
// empty: those glued to other text, and whole words where a subcommand is
// looked for. It is nil where that makes no difference. Paths such as
// `$DIR/file` are kept: that the folder is empty is no likely reading.
func Emptied(known *catalog.Catalog, program string, args []Arg) (out []Arg) {
	if len(args) < 2 || !HasUnknown(args[1:]) {
		return nil
	}
	out = slices.Clone(args)
	changed := false
	if HasSubcommands(known, program) {
		k := SkipGlobal(known, program, out, 1)
		for k+1 < len(out) && isUnknown(out[k]) {
			out, changed = slices.Delete(out, k, k+1), true
			k = SkipGlobal(known, program, out, k)
		}
	}
	for k := 1; k < len(out); k++ {
		a := &out[k]
		if a.Literal || a.Holder != "" || isUnknown(*a) || strings.HasPrefix(a.Text, Hole+"/") {
			continue
		}
		if text := strings.ReplaceAll(a.Text, Hole, ""); text != a.Text {
			a.Text, changed = text, true
		}
	}
	if !changed {
		return nil
	}
	return out
}

// isUnknown reports a word that is nothing but expansions.
func isUnknown(a Arg) bool {
	return !a.Literal && a.Text != "" && OnlyHoles(a.Text)
}
