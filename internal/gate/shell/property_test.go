package shell_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// knownLines are the commands of all tables.
func knownLines() (list []string) {
	for _, c := range unitCases {
		list = append(list, c.command)
	}
	for _, c := range redirectionCases {
		list = append(list, c.command)
	}
	for _, c := range denyCases {
		list = append(append(list, c.denied...), c.notDenied...)
	}
	list = append(list, wrapperCases...)
	for _, c := range powershellCases {
		list = append(list, c.command)
	}
	return list
}

// holds reports whether a shows every unit of part, every redirection, and
// every reason to ask.
func holds(a, part model.Analysis) error {
	if part.Unparsed != "" && a.Unparsed == "" {
		return fmt.Errorf("is parsed though a part of it is not: %s", part.Unparsed)
	}
	if a.Unparsed != "" {
		return nil
	}
	for _, u := range part.Units {
		if !slices.ContainsFunc(a.Units, func(w model.Unit) bool {
			return w.Text == u.Text && (w.Opaque != "" || u.Opaque == "") && len(w.Hazards) >= len(u.Hazards) && (u.Transparent || !w.Transparent)
		}) {
			return fmt.Errorf("lacks the unit %+v", u)
		}
	}
	if len(a.Redirections) < len(part.Redirections) {
		return fmt.Errorf("has %d redirections, a part of it has %d", len(a.Redirections), len(part.Redirections))
	}
	return nil
}

// frames hold a command at %.
var frames = []string{"%\n; x", "x; %", "x && %", "x | { %\n}", "(%\n)", "{ %\n}", "if x; then %\nfi", "while x; do %\ndone", "for i in 1; do %\ndone", "case x in x) %\n;; esac",
	"f() { %\n}; f", "! { %\n}", "echo \"$(%\n)\"", "echo ${x:-$(%\n)}", "a <(%\n)", "x=$(%\n)", "[[ $(%\n) ]]", "coproc { %\n}", "time { %\n}", "cat <<EOF_\n$(%\n)\nEOF_"}

func TestFramesLoosenNothing(t *testing.T) {
	// A here-document needs lines of its own, and an alias counts from the next
	// line on.
	commands := slices.DeleteFunc(knownLines(), func(c string) bool { return strings.Contains(c, "<<") || strings.Contains(c, "alias") })
	rapid.Check(t, func(t *rapid.T) {
		command := rapid.SampledFrom(commands).Draw(t, "command")
		frame := rapid.SampledFrom(frames).Draw(t, "frame")
		text := strings.ReplaceAll(frame, "%", command)
		if err := holds(shell.Bash(text), shell.Bash(command)); err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
	})
}

func TestWrappingShowsTheSame(t *testing.T) {
	commands := knownLines()
	rapid.Check(t, func(t *rapid.T) {
		command := rapid.SampledFrom(commands).Draw(t, "command")
		wrapper := rapid.SampledFrom([]string{"bash -c ", "sudo sh -c ", "eval ", "timeout 5 bash -lc ", "find . -exec bash -c ", "xargs -I{} sh -ec ", "trap -- "}).Draw(t, "wrapper")
		text := wrapper + "'" + strings.ReplaceAll(command, "'", `'\''`) + "'"
		if strings.HasPrefix(text, "trap") {
			text += " EXIT"
		}
		a, part := shell.Bash(text), shell.Bash(command)
		if part.Unparsed != "" {
			if !anyOpaque(a) && a.Unparsed == "" {
				t.Fatalf("%s\nasks nothing though its text cannot be read", text)
			}
			return
		}
		if err := holds(a, part); err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
	})
}

// spelled draws one of the ways to write a word.
func spelled(t *rapid.T, word string) string {
	cut := rapid.IntRange(0, len(word)).Draw(t, "cut")
	switch rapid.IntRange(0, 7).Draw(t, "quotes") {
	case 0:
		return "'" + word + "'"
	case 1:
		return `"` + word + `"`
	case 2:
		return word[:cut] + "''" + word[cut:]
	case 3:
		return word[:cut] + `"` + word[cut:] + `"`
	case 4:
		var b strings.Builder
		for _, c := range []byte(word) {
			fmt.Fprintf(&b, `\x%02x`, c)
		}
		return "$'" + b.String() + "'"
	case 5:
		if cut < len(word) {
			return word[:cut] + `\` + word[cut:]
		}
	case 6:
		return word[:cut] + "\\\n" + word[cut:]
	}
	return word
}

func TestSpellingDoesNotDodgeDenyRules(t *testing.T) {
	p, ok := shell.CompileDeny("rm -rf *")
	if !ok {
		t.Fatal("not compiled")
	}
	rapid.Check(t, func(t *rapid.T) {
		flags := rapid.SampledFrom([][]string{{"-rf"}, {"-fr"}, {"-r", "-f"}, {"-f", "-R"}, {"--recursive", "--force"}, {"-rfv"}, {"-f", "--recursive"}, {"-vr", "-if"}}).Draw(t, "flags")
		list := rapid.Permutation(append([]string{"x"}, flags...)).Draw(t, "order")
		list = append([]string{rapid.SampledFrom([]string{"rm", "/bin/rm", "RM"}).Draw(t, "program")}, list...)
		for i, w := range list {
			list[i] = spelled(t, w)
		}
		command := strings.Join(list, rapid.SampledFrom([]string{" ", "\t", "  ", " \\\n "}).Draw(t, "blank"))
		command = rapid.SampledFrom([]string{"", "A=1 ", "sudo -u u ", "env -i ", "command ", "! ", "time ", "> f "}).Draw(t, "before") + command
		if !slices.ContainsFunc(shell.Bash(command).Units, p.Match) {
			t.Fatalf("%q is not matched", command)
		}
	})
}
