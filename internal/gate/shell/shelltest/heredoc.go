package shelltest

import "strings"

// delimiters are spellings of the here-document delimiters E and EF.
var delimiters = []string{"E", "E", "E", "E", "'E'", `"E"`, `\E`, "'E'", "$'E'", `$"E"`, `$'\x45'`, "E''", `E""`, "\\\nE", "E\\\n", "EF", "E\\\nF", "'E'F", `E\F`, `$'E\x46'`, "'E\n'", "'E '", "E\\ ", `"E\"`, `$E`, "${E}", "$(E)", "`E`", "-E", "'-'E", `"E$x"`, "E#", "{E,F}", "E*", "~E", "''", "E\\\\", "'E'$x", "!E", "E=", `"$(E)"`, "\u00a0E", "E\u00a0", "E\r", "\rE", "é"}

// hereLines are lines of a body, some of which end it in one reading only.
var hereLines = []string{"a", "", "zap", "zap", "zap", "zap x", "echo a", "$(zap)", "`zap`", "E", "E", "E", "E", "EF", "E ", " E", "\tE", "\t\tE", "E\t", "E\r", "\\E", "E\\", "\\", "\\\\", "a\\", "${x:-", "${x#", "${x/", `${x:-"`, "${x:-'", "}", "$(", `$(echo "`, "$(echo '", `")`, "')", ")", "`", "`echo '", "'`", "'", `"`, "$((", "))", "$[", "]", "#", "# '", "$(cat <<F", "F", "$(cat <<'E'", "<<E", "$x", "EE", "'E'", `"E"`, `$'\x45'`, `\x45`, "E;", "E)", "E`", "E}", "E\\\n", "{", "((", "$(case x in x)", ";; esac)", "esac", "$(#", "\tzap", "zap\\", "E\n", "é", "$E", "${E}", "`E`", "-E", "E#", "E*", "E\u00a0", "\u00a0E", "'", "$(zap", "${x:-$(zap", "EOF", "E E", "\\$(zap)", "\\`zap\\`", "$\\", "(zap)", "$((`zap`", "E\\\\", "\f", "E\v"}

// quietLines are lines that end no body and run nothing in one.
var quietLines = []string{"a", "", "zap", "zap x", "echo a", "it's a line", `"a" said`, "(b)", "$HOME", "${x:-a}", "$(echo a)", "`echo a`", "# a", "EE", " E", "x E", "a\\\\", "\\$(zap)", "\\`zap\\`", "'zap'", "a && zap", "; zap", "<<F", "é", "| zap", "}", ")", "fi", "done"}

// hereFrames hold here-documents. % is the whole of operators, bodies and ends.
var hereFrames = []string{"%", "%", "%", "%", "%\n", "echo $(%\n)", `echo "$(%` + "\n)\"", "echo `%`", "echo `%\n`", "cat <(%\n)", "{ %\n}", "( %\n)", "f() {\n%\n}\nf", "if %\nthen echo; fi", "echo ${x:-$(%\n)}", "echo \"${x:-$(%\n)}\"", "cat <<G\n$(%\n)\nG", "eval '%'", "echo $(%)", "for i in 1; do %\ndone", "case x in x) %\n;; esac", "echo \"`%`\"", "x=$(%\n)", "coproc { %\n}", "echo $(( $(%\n) ))"}

// hereTails follow the operator on its line.
var hereTails = []string{"", "", "", "", "", "", "", "; echo b", " | ls", " &&", "; zap", " # zap", " #'", " \\", " x", " 'a\nb'", ` "a` + "\nb\"", " $(echo\na)", " >f", " &", " ;", "\r", " $(cat <<F\nx\nF\n)", " `echo", " (", ") ", " }"}

func (g *Generator) hereDocument() Sample {
	kind := Kind{"here-document's end", ""}
	lines, spellings, tails := hereLines, delimiters, hereTails
	if g.oneIn(2) { // a near miss
		lines, spellings, tails = quietLines, delimiters[:10], hereTails[:9]
	}
	var head, body strings.Builder
	head.WriteString(g.pick([]string{"cat", "git commit -F -", "cat", "echo a; cat", "", "! cat", "x=1 cat", "ls x"}))
	last := ""
	for n := 1 + g.rnd.IntN(8)/7; n > 0; n-- {
		last = g.pick(spellings)
		kind.Opener = "<<" + strings.ReplaceAll(last, "\n", "\\n")
		head.WriteString(" " + g.pick([]string{"<<", "<<", "<<", "<<-", "<<-", "<< ", "<<- ", "0<<", "<<\\\n", "3<<"}) + last)
		plain := strings.NewReplacer("'", "", `"`, "", "\\", "", "$'", "", "\n", "").Replace(last)
		for m := g.rnd.IntN(6); m > 0; m-- {
			if g.oneIn(12) {
				body.WriteString(g.filled())
			} else {
				body.WriteString(g.pick(lines))
			}
			body.WriteString("\n")
		}
		body.WriteString(g.pick([]string{plain, plain, plain, plain, plain, "E", "E", "E", "E", last, "\tE", "E ", ""}))
		if !g.oneIn(6) {
			body.WriteString("\n")
		}
	}
	head.WriteString(g.pick(tails))
	text := head.String() + "\n" + body.String()
	for g.oneIn(3) {
		text += g.pick(lines) + "\n"
	}
	if !g.oneIn(3) { // the marker in a line of its own
		all := strings.SplitAfter(text, "\n")
		at := 1 + g.rnd.IntN(len(all)-1)
		text = strings.Join(all[:at], "") + g.pick([]string{Marker, Marker, "$(" + Marker + ")", "`" + Marker + "`", Marker + " x"}) + "\n" + strings.Join(all[at:], "")
	}
	frame := g.pick(hereFrames)
	if frame != "%" {
		kind.Context += " in " + strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(frame, "%", "…"), "\n", " "))
	}
	return Sample{strings.ReplaceAll(frame, "%", text), HereDocument, kind}
}
