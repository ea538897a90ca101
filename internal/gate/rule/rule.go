// Package rule holds the grammar of pigate's rules: one line of configuration,
// `scope:pattern`, parsed once and matched many times. It knows nothing of
// shells, paths or files; what a rule is matched against is handed to it as
// text.
//
// The grammar is that of the original plugin:
//
//	shell:PATTERN        sub-commands of bash and powershell
//	edit:PATTERN         paths that edit, write and commands write or delete
//	read:PATTERN         paths that tools and commands read; deny rules alone
//	mcp:SERVER[:TOOL]    tools of MCP servers
//	TOOL or TOOL:*       a whole tool by its exact name
//
// A rule for MCP tools or for a tool by its name may go on with arguments of the
// call in parentheses: (NAME=PATTERN,NAME=PATTERN).
//
// A scope without a pattern (shell, edit, mcp) is the whole scope.
package rule

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/glob"
)

// Effect is what a rule does to a resource it matches.
type Effect string

// The three effects. Deny wins over Ask, and Ask over Allow.
const (
	Allow Effect = "allow"
	Ask   Effect = "ask"
	Deny  Effect = "deny"
)

// The scopes that have patterns. Every other scope is the name of a tool.
const (
	Shell = "shell"
	Edit  = "edit"
	Read  = "read" // for deny rules: what is read
	MCP   = "mcp"
)

// Rule is one parsed entry of an allow, ask or deny list. The zero Rule matches
// nothing.
type Rule struct {
	// Text is the rule as it was written.
	Text string
	// Effect is the list it stands in.
	Effect Effect
	// File and Line say where it stands; Line counts from 1. File is empty for a
	// built-in rule, "-" for one that was handed in without a file.
	File string
	Line int
	// Reason is what its author says for it, "" for nothing; not safe to show.
	Reason string
	// Until is when the rule ends, the zero time for one that does not. Whoever
	// compiles a policy leaves out what has ended: a rule knows no clock.
	Until time.Time

	// Scope is shell, edit, mcp or the name of a tool.
	Scope string
	// Whole reports that the rule covers its whole scope or tool, whatever the
	// resource.
	Whole bool
	// Pattern is what follows the scope; for mcp the pattern of the server.
	Pattern glob.Pattern
	// Tool is the pattern of the MCP tool; only for mcp rules that name one.
	Tool *glob.Pattern
	// Args narrow the rule to calls with these arguments; such a rule is never
	// Whole. Of a rule for a tool by its name, Pattern is empty.
	Args []Arg
}

// The errors of Parse: a rule without a scope or with an empty pattern, and one
// whose scope can be no tool's name.
var (
	ErrEmpty = errors.New("empty rule")
	ErrScope = errors.New("rule without a scope")
)

// Parse reads one rule. It returns an error for text that can never match
// anything because a part is missing; it does not judge whether the rule is
// wise. Blanks around the text are ignored.
func Parse(text string) (Rule, error) {
	trimmed := strings.TrimSpace(text)
	r := Rule{Text: trimmed}
	if trimmed == "" {
		return r, ErrEmpty
	}
	base, args, err := cutArgs(trimmed)
	if err != nil {
		return r, err
	}
	scope, pattern, found := strings.Cut(base, ":")
	r.Scope = strings.TrimSpace(scope)
	if r.Scope == "" {
		return r, fmt.Errorf("%w: no scope before the colon", ErrEmpty)
	}
	if strings.ContainsFunc(r.Scope, unicode.IsSpace) {
		if instead, ok := Elsewhere(trimmed); ok && instead != "" {
			return r, fmt.Errorf("%w: this is how another agent writes rules; write %s", ErrScope, instead)
		}
		return r, fmt.Errorf("%w: no tool is called %q; write shell:%s for a command", ErrScope, r.Scope, trimmed)
	}
	r.Args = args
	if !found {
		r.Whole = args == nil
		if !r.Whole && r.Scope == MCP {
			r.Pattern = glob.CompileRule("*")
		}
		return r, nil
	}
	if pattern = strings.TrimSpace(pattern); pattern == "" {
		return r, fmt.Errorf("%w: no pattern after %q", ErrEmpty, r.Scope+":")
	}
	switch r.Scope {
	case Shell:
		r.Pattern = glob.CompileRule(pattern)
	case Edit, Read:
		r.Pattern = glob.CompileRule(cleanEditPattern(pattern))
	case MCP:
		server, tool, two := strings.Cut(pattern, ":")
		if server == "" || (two && tool == "") {
			return r, fmt.Errorf("%w: an mcp rule is mcp:SERVER or mcp:SERVER:TOOL", ErrEmpty)
		}
		r.Pattern = glob.CompileRule(NormaliseMCP(server))
		if two && tool != "*" {
			p := glob.CompileRule(NormaliseMCP(tool))
			r.Tool = &p
		}
	default:
		// Other tools have no resources, so only the whole tool can be meant.
		if r.Whole = pattern == "*" && args == nil; args == nil || pattern != "*" {
			r.Pattern = glob.CompileRule(pattern)
		}
	}
	return r, nil
}

// cleanEditPattern brings a path pattern to the form that targets have: forward
// slashes and no leading "./".
func cleanEditPattern(pattern string) string {
	pattern = strings.ReplaceAll(pattern, `\`, "/")
	for strings.HasPrefix(pattern, "./") && len(pattern) > 2 {
		pattern = pattern[2:]
	}
	return pattern
}

// FirstWord returns the literal text before the pattern's first blank, or the
// whole pattern when it has neither blank nor wildcard; ok is false when a
// wildcard stands before that blank or the rule is about a whole scope, so that
// the first word is not known. With fold the word is in lower case.
func (r Rule) FirstWord(fold bool) (word string, ok bool) {
	start := r.Pattern.LiteralPrefix()
	if fold {
		start = strings.ToLower(start)
	}
	word, _, found := strings.Cut(start, " ")
	return word, found || !r.Whole && !r.Pattern.Wild()
}

// WholeTool reports whether the rule covers every call of tool, whatever its
// resources: by the tool's exact name, or by its scope.
func (r Rule) WholeTool(tool, scope string) bool {
	return r.Whole && (r.Scope == tool || (scope != "" && r.Scope == scope))
}

// Idle says why the rule can never match anything, and what may have been
// meant; "" when it can.
func (r Rule) Idle() string {
	lower := strings.ToLower(r.Scope)
	_, pattern, _ := strings.Cut(r.Text, ":")
	switch {
	case r.Scope != lower && (lower == Shell || lower == Edit || lower == Read && !r.Whole || lower == MCP):
		return fmt.Sprintf("it never matches: write %s, in small letters", lower)
	case r.Scope == Read && !r.Whole && r.Effect == Allow:
		return "it allows nothing: what is read passes without a rule; a read rule with a pattern is for the deny list"
	case r.Args != nil && r.Pattern.String() == "":
		return ""
	case r.Whole || r.Scope == Shell || r.Scope == Edit || r.Scope == Read || r.Scope == MCP:
		return ""
	case lower == "bash" || lower == "powershell":
		return fmt.Sprintf("it never matches, because only shell, edit, read and mcp rules have patterns: write shell:%s", pattern)
	case lower == "write":
		return fmt.Sprintf("it never matches, because only shell, edit, read and mcp rules have patterns: write edit:%s", pattern)
	}
	return fmt.Sprintf("it never matches, because only shell, edit, read and mcp rules have patterns: write %s for the whole tool", r.Scope)
}

// Names reports whether the rule names the tool, whatever it is called with: by
// its exact name, or an MCP tool by its server and name.
func (r Rule) Names(tool string, fold bool) bool {
	if r.Scope == MCP {
		server, name, ok := SplitMCP(tool)
		return ok && r.MatchMCP(server, name, fold)
	}
	return r.Scope == tool && (r.Whole || r.Args != nil && r.Pattern.String() == "")
}

// MatchMCP reports whether the rule names the tool of the server, both as they
// stand in Pi's tool name (already normalised). It knows nothing of arguments.
func (r Rule) MatchMCP(server, tool string, fold bool) bool {
	if r.Scope != MCP {
		return false
	}
	if r.Whole {
		return true
	}
	return r.Pattern.Match(server, fold) && (r.Tool == nil || r.Tool.Match(tool, fold))
}

// NormaliseMCP turns every character other than ASCII letters, digits and _
// into _, as Pi does when it makes tool names, and leaves the wildcards. An
// escaped wildcard is an ordinary character and so becomes _ too.
func NormaliseMCP(name string) string {
	var b strings.Builder
	b.Grow(len(name))
	for name != "" {
		char, wild, rest := glob.Next(name)
		name = rest
		if wild {
			b.WriteString(char)
			continue
		}
		r, _ := utf8.DecodeRuneInString(char)
		b.WriteRune(normalRune(r))
	}
	return b.String()
}

func normalRune(c rune) rune {
	if c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') {
		return c
	}
	return '_'
}

// SplitMCP takes Pi's name of an MCP tool apart at the first "__" after the
// prefix "mcp__". ok is false for any other tool name.
func SplitMCP(toolName string) (server, tool string, ok bool) {
	rest, found := strings.CutPrefix(toolName, "mcp__")
	if !found {
		return "", "", false
	}
	server, tool, found = strings.Cut(rest, "__")
	if !found || server == "" || tool == "" {
		return "", "", false
	}
	return server, tool, true
}
