package suggest

import (
	"path"
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// tails are arguments that people may not think of when they look at a rule with
// a wildcard, the ones they should think of first. What the gate asks about in
// spite of the rule is left out before anything is shown.
var tails = [...]string{"--force", "-f", "--all", "--delete", "..", "/", "~/.ssh/id_rsa", "../other", "/etc/passwd", "--no-verify", "--recursive", "--amend", "--output=x",
	"--fix", "--write", "--yes", "--config=/tmp/x", "https://example.com", "$(date)", "\"$X\"", "-v", "--help", "main", "."}

// others are calls that a rule would let run and that were never seen: what the
// gate makes of them was asked of the gate itself.
func (m *miner) others(c *candidate, n int) []string {
	found := []string{}
	if !c.wild {
		return found
	}
	known := map[string]bool{}
	for _, id := range c.covers {
		known[m.pieces.list[id].text] = true
	}
	after := m.with(c)
	for _, x := range m.guesses(c) {
		if known[x.text] || len(found) == n {
			continue
		}
		known[x.text] = true
		if policy.Evaluate(after, m.policy.Derive(x.call()), nil).Effect == policy.Allow && policy.Evaluate(m.policy, m.policy.Derive(x.call()), nil).Effect == policy.Ask {
			found = append(found, x.text)
		}
	}
	return found
}

// guesses are pieces that a rule may cover: it with unexpected arguments, and
// with those that other commands of the history have.
func (m *miner) guesses(c *candidate) []piece {
	_, pattern, _ := strings.Cut(c.rule.Text, ":")
	var list []piece
	switch c.rule.Scope {
	case rule.Shell:
		prefix, ok := strings.CutSuffix(pattern, "*")
		if !ok || strings.Contains(prefix, "*") {
			return nil
		}
		prefix = glob.Compile(prefix).Sample("", "?")
		for _, tail := range tails {
			list = append(list, piece{kind: shellPiece, text: prefix + tail})
		}
		for _, x := range m.pieces.list[:min(len(m.pieces.list), maxGuesses)] {
			if list2 := words(x.text); x.kind == shellPiece && len(list2) > 1 && writable(x.text) {
				list = append(list, piece{kind: shellPiece, text: prefix + list2[len(list2)-1]})
			}
		}
	case rule.Edit:
		dir, ext, _ := strings.Cut(pattern, "*")
		for _, name := range [...]string{".env", "package.json", "Makefile", "deep/inside/x", "index", "config", "secrets", "test"} {
			list = append(list, piece{kind: editPiece, text: dir + name + ext})
		}
		for _, x := range m.pieces.list[:min(len(m.pieces.list), maxGuesses)] {
			if x.kind == editPiece {
				list = append(list, piece{kind: editPiece, text: dir + path.Base(x.text)})
			}
		}
	case rule.MCP:
		server, tool, _ := strings.Cut(pattern, ":")
		for _, name := range [...]string{"delete_everything", "create_item", "get_secret", "list_users", "get_file", "search_all"} {
			verb, _, _ := strings.Cut(tool, "*")
			list = append(list, piece{kind: mcpPiece, text: server + ":" + name}, piece{kind: mcpPiece, text: server + ":" + verb + "secret"})
		}
	}
	return list
}

// maxGuesses bounds how many pieces of the history lend their arguments.
const maxGuesses = 2000
