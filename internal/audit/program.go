package audit

import (
	"path"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
)

// Programs are the names of the programs that the units of a shell call start,
// each once, in the order of the units; none for another call.
func (r Row) Programs() (list []string) {
	for _, res := range r.Resources {
		if res.Kind != policy.ShellUnit {
			continue
		}
		if name := program(res.Text); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// program is the name of the program that a unit starts: its first word that is
// no assignment, without its folder.
func program(unit string) string {
	for word := range strings.FieldsSeq(unit) {
		word = strings.Trim(word, `"'\`)
		name, _, assigns := strings.Cut(word, "=")
		if assigns && name != "" && !strings.Contains(name, "/") {
			continue
		}
		return path.Base(word)
	}
	return "(assignment)"
}
