package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// CompileRun compiles the pattern of a deny rule that names a runner with the
// program it runs, so that the rule holds through every other runner too:
// `npx prisma migrate *` matches what `pnpm prisma migrate reset` runs. It
// returns false for a pattern that names no such program, or names it with a
// version.
func (r Reader) CompileRun(pattern string) (DenyPattern, bool) {
	program, _, _ := strings.Cut(pattern, " ")
	if strings.ContainsAny(pattern, "'\"$`\\<>|&;(){}#\n") || !mayRun(r.known(), argv.ProgramName(program)) {
		return DenyPattern{}, false
	}
	units := r.Bash(pattern).Units
	for i := len(units) - 1; i > 0; i-- {
		u := &units[i]
		if !u.ran || len(u.words) == 0 {
			continue
		}
		first, rest, _ := strings.Cut(u.Text, " ")
		if name := u.words[0].Text; name != first {
			if strings.HasPrefix(first, name) {
				return DenyPattern{}, false // a version is named
			}
			first = name
		}
		p, ok := r.CompileDeny(strings.TrimSpace(first + " " + rest))
		p.ran = true
		return p, ok
	}
	return DenyPattern{}, false
}
