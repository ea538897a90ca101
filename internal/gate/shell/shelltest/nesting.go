package shelltest

import "strings"

var (
	// pairs open and close text, whether the place they stand in has them or not.
	pairs = [][2]string{{`"`, `"`}, {`"`, `"`}, {`"`, `"`}, {"'", "'"}, {"'", "'"}, {"$'", "'"}, {`$"`, `"`}, {"$(echo ", ")"}, {"$(", ")"}, {"`echo ", "`"}, {"${x:-", "}"}, {"${x:-", "}"}, {"${x#", "}"}, {"${x/a/", "}"}, {"${x:+", "}"},
		{"$((", "))"}, {"{", "}"}, {"(", ")"}, {"[", "]"}, {"<(echo ", ")"}, {"$[", "]"}, {"${x[", "]}"}, {"\\`", "\\`"}, {`\"`, `\"`}, {"$(cat <<E\n", "\nE\n)"}, {"$(# ", "\n)"}, {"$(case x in x) echo ", ";; esac)"}}
	// atoms are single pieces, most of which mean something to the reader.
	atoms = []string{"a", "x", "$x", "$", "$$", "$#", "$!", "$1", "\\", "\\\\", `\"`, `\'`, "\\`", "\\$", "\\}", "\\)", "\\\n", "#", " #", " ", " ", "\n", "'", `"`, "`", "}", ")", "$(zap)", "$(zap)", "$(zap)", "`zap`", "zap", "<(zap)", "E", "!", "*", "{", "(", "=", ";", "&", "|", "-", "é", "\t", "%", "@", ":", "[", "]", "<", ">", ",", "0", "+"}
	// nestingFrames hold a nesting at %.
	nestingFrames = []string{"echo %", "echo %", "echo %", `echo "%"`, `git commit -m "%"`, "cat <<E\n%\nE", "x=%", "[[ -n % ]]", "case % in x) echo;; esac", "echo x%y; git log", "cat <%", "for i in %; do echo; done", "a=(%)", "f() { echo %; }; f", `echo "a" % 'b'`, "echo '%'", "eval 'echo %'", "cat <<'E'\n%\nE", "echo $(echo %)", "echo `echo %`", "cat <<<%", "echo a # %"}
)

// nesting draws text that is nested at random in quotes, expansions and
// brackets, so that the reader and a shell must agree on which of them count.
func (g *Generator) nesting() Sample {
	frame := g.pick(nestingFrames)
	return Sample{strings.ReplaceAll(frame, "%", g.nested(3)), Nesting, Kind{"nesting", strings.ReplaceAll(frame, "\n", " ")}}
}

func (g *Generator) nested(depth int) string {
	var b strings.Builder
	for n := 1 + g.rnd.IntN(4); n > 0; n-- {
		if depth == 0 || g.oneIn(2) {
			b.WriteString(g.pick(atoms))
			continue
		}
		p := pairs[g.rnd.IntN(len(pairs))]
		b.WriteString(p[0] + g.nested(depth-1) + p[1])
	}
	return b.String()
}
