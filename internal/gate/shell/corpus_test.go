package shell_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/testcorpus"
)

// corpus reads one file of the shared cases, which are real command lines kept
// outside of the repository.
func corpus(t testing.TB, name string) []string {
	t.Helper()
	file, err := os.Open(testcorpus.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var commands []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line struct{ Command string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		commands = append(commands, line.Command)
	}
	if err := lines.Err(); err != nil || len(commands) == 0 {
		t.Fatalf("%s: %d commands, %v", name, len(commands), err)
	}
	return commands
}

// TestOriginalSplitFindsNothingMore compares the units of real command lines
// with what the original plugin's textual split takes for the first word of a
// command. What it finds and the units lack must be syntax or data, by a
// reason that the syntax tree gives.
func TestOriginalSplitFindsNothingMore(t *testing.T) {
	reasons := map[string]int{}
	for _, command := range corpus(t, "commands.jsonl") {
		a := shell.Bash(command)
		if a.Unparsed != "" {
			reasons["unparsed"]++
			continue
		}
		data := dataOf(t, command)
		for _, w := range originalWords(command) {
			reason := data.reason(w)
			if reason == "" && !shows(a, w.text) {
				t.Errorf("%q is no unit of\n%s", w.text, command)
			}
			reasons[reason]++
		}
	}
	t.Log(reasons)
}

func shows(a model.Analysis, word string) bool {
	for _, u := range a.Units {
		if strings.HasPrefix(u.Text, word) || len(u.Words) > 0 && u.Words[0].Text == word {
			return true
		}
	}
	return false
}

// found is a word with its place in the command.
type found struct {
	text  string
	start int
}

// region is a part of a command that holds no command words of its own.
type region struct {
	start, end int
	reason     string
}

type regions []region

// reason says why the word is not the first word of a command, "" if it is.
func (r regions) reason(w found) string {
	if syntax.IsKeyword(w.text) || w.text == "elif" || strings.Trim(w.text, "{}!<>&\\") == "" {
		return "keyword"
	}
	if w.text[0] == '#' {
		return "comment"
	}
	if w.text[0] == '>' { // of `&>`, at which the original splits
		return "redirection"
	}
	for _, g := range r {
		if g.start <= w.start && w.start < g.end {
			return g.reason
		}
	}
	return ""
}

// dataOf lists the regions of data by the syntax tree.
func dataOf(t *testing.T, command string) (r regions) {
	t.Helper()
	file, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(command), "")
	if err != nil {
		t.Fatal(err)
	}
	add := func(n syntax.Node, reason string) {
		r = append(r, region{int(n.Pos().Offset()), int(n.End().Offset()), reason})
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Comment:
			add(n, "comment")
		case *syntax.SglQuoted:
			add(n, "quoted text")
		case *syntax.Lit:
			add(n, "literal")
		case *syntax.DblQuoted:
			start, end := int(n.Pos().Offset()), int(n.End().Offset())
			r = append(r, region{start, start + 1, "literal"}, region{end - 1, end, "quoted text"})
		case *syntax.ArrayElem:
			r = append(r, region{int(n.Pos().Offset()) - 1, int(n.Pos().Offset()) + 1, "array"})
		case *syntax.ArrayExpr:
			for i := range command[n.Pos().Offset():n.End().Offset()] {
				if at := int(n.Pos().Offset()) + i; command[at] == '[' {
					r = append(r, region{at, at + 1, "array"})
				}
			}
		case *syntax.CmdSubst:
			r = append(r, region{int(n.End().Offset()) - 1, int(n.End().Offset()), "literal"})
		case *syntax.Redirect:
			r = append(r, region{int(n.Pos().Offset()), int(n.Pos().Offset()) + 1, "redirection"})
		case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop:
			add(n, "arithmetic")
		case *syntax.TestClause:
			add(n, "test")
		case *syntax.ExtGlob:
			add(n, "pattern")
		case *syntax.ParamExp:
			add(n, "parameter")
		}
		return true
	})
	// What begins a command is no data, however its word is written.
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			r = r.without(int(n.Pos().Offset()))
		case *syntax.DeclClause:
			r = r.without(int(n.Pos().Offset()))
		}
		return true
	})
	return r
}

// without drops the literals that begin at start.
func (r regions) without(start int) regions {
	return slices.DeleteFunc(r, func(g region) bool { return g.start == start && g.reason == "literal" })
}

// originalWords splits as the original plugin does and returns the first word
// of each piece.
func originalWords(command string) (words []found) {
	start := 0
	flush := func(end int) {
		piece := command[start:end]
		if f := strings.Fields(piece); len(f) > 0 {
			words = append(words, found{f[0], start + strings.Index(piece, f[0])})
		}
		start = end + 1
	}
	quote := byte(0)
	var outer []byte
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quote == '\'':
			if c == '\'' {
				quote = 0
			}
		case c == '\\':
			i++
		case c == '`':
			flush(i)
		case c == '$' && i+1 < len(command) && command[i+1] == '(':
			flush(i)
			i++
			start++
			outer = append(outer, quote)
			quote = 0
		case quote == '"':
			if c == '"' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ')':
			flush(i)
			if n := len(outer); n > 0 {
				quote, outer = outer[n-1], outer[:n-1]
			}
		case strings.IndexByte("();&|\n", c) >= 0:
			if c == '(' {
				outer = append(outer, 0)
			}
			flush(i)
		}
	}
	if start < len(command) {
		flush(len(command))
	}
	return words
}
