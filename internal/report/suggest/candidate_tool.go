package suggest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/rule"
)

// servers holds the tools of MCP servers that were called.
type servers struct {
	byName map[string]*server
	order  []string
}

type server struct {
	tools []int32
	verbs map[string][]int32
	order []string // of the verbs
	// writes says that one of the tools does not only read, by its name.
	writes bool
	// mixed are verbs of tools that do more than the verb says.
	mixed []string
}

func newServers() *servers { return &servers{byName: map[string]*server{}} }

// readers are the first words of the names of tools that only read.
var readers = map[string]bool{"get": true, "list": true, "read": true, "search": true, "find": true, "fetch": true, "describe": true, "query": true,
	"show": true, "view": true, "lookup": true, "resolve": true, "count": true, "inspect": true, "browse": true}

// breakers are words in the names of tools that delete, send or run.
var breakers = [...]string{"delete", "remove", "destroy", "drop", "purge", "send", "post", "publish", "merge", "deploy", "execute", "exec", "run", "eval", "evaluate",
	"write", "push", "transfer", "pay", "refund", "kill", "terminate", "reset", "apply", "migrate", "shell", "command", "sql", "bash", "patch"}

// takesCode are words in the names of tools that take statements or code of a
// language, and stores are what such a query is for.
var (
	takesCode = set("sql code script statement statements graphql gql cypher sparql kql promql logql jq xpath javascript js python ruby lua expression repl console terminal notebook cell aggregate rpc")
	stores    = set("database db table tables data dataset warehouse bigquery snowflake postgres mysql sqlite duckdb mongo mongodb redis elasticsearch logs metrics")
)

// codeFields are the names of arguments that hold statements or code.
var codeFields = set("sql code script statement statements cypher graphql gql expression javascript python source program command cmd pipeline")

// statement finds the beginning of a statement of SQL.
var statement = regexp.MustCompile(`(?i)^\s*(select|with|insert|update|delete|create|alter|drop|merge|call|pragma|explain|show|describe|match)\b`)

// free reports that a call of a tool gives it a statement or code to run.
func free(input json.RawMessage) bool {
	var fields map[string]any
	if json.Unmarshal(input, &fields) != nil {
		return false
	}
	for name, value := range fields {
		text, ok := value.(string)
		if ok && text != "" && (codeFields[strings.ToLower(name)] || statement.MatchString(text) && strings.ContainsAny(text, " \t\n")) {
			return true
		}
	}
	return false
}

// toolWords splits a tool's name into its words, in small letters.
func toolWords(name string) []string {
	var b strings.Builder
	for i, c := range name {
		if c >= 'A' && c <= 'Z' && i > 0 {
			b.WriteByte(' ')
		}
		if c == '_' || c == '-' || c == '.' || c == ':' {
			c = ' '
		}
		b.WriteRune(c)
	}
	return strings.Fields(strings.ToLower(b.String()))
}

// toolClass judges a tool by its name, which is all that is known of it. ok is
// false when nothing may be drafted for it.
func toolClass(name string) (c class, ok bool) {
	list := toolWords(name)
	for _, word := range list {
		switch word {
		case "todo", "todos", "plan", "task", "ask", "question", "think", "topic", "mode":
			return shapes, true
		}
	}
	for _, word := range list {
		for _, b := range breakers {
			if word == b {
				return destroys, false
			}
		}
	}
	for i, word := range list {
		if takesCode[word] || word == "query" && (len(list) == 1 || i > 0 || len(list) > 1 && stores[list[1]]) {
			return unknown, true // its arguments say what it does
		}
	}
	for _, word := range list {
		switch word {
		case "web", "fetch", "http", "url", "download", "upload", "browser", "navigate":
			return unknown, true
		}
	}
	if len(list) > 0 && readers[list[0]] {
		return looks, true
	}
	return unknown, true
}

// add files a tool, and offers it alone. text is server:tool.
func (s *servers) add(id int32, text string, free bool, add adder) {
	name, tool, ok := strings.Cut(text, ":")
	if !ok || strings.ContainsAny(text, "*?\\\n\r") {
		return
	}
	c, ok := toolClass(tool)
	if free && c == looks {
		c = unknown
	}
	if ok {
		add(rule.MCP+":"+text, []int32{id}, false, c, 0)
	}
	v := s.byName[name]
	if v == nil {
		v = &server{verbs: map[string][]int32{}}
		s.byName[name], s.order = v, append(s.order, name)
	}
	v.tools = append(v.tools, id)
	verb, _, found := strings.Cut(tool, "_")
	v.writes = v.writes || c != looks
	if !found || !readers[verb] {
		return
	}
	if c != looks { // its verb alone does not say what such a tool does
		v.mixed = append(v.mixed, verb)
		return
	}
	if v.verbs[verb] == nil {
		v.order = append(v.order, verb)
	}
	v.verbs[verb] = append(v.verbs[verb], id)
}

// How many tools must have been called before a rule names them by their verb,
// and before it names the server.
const (
	toolsOfVerb   = 3
	toolsOfServer = 5
)

func (s *servers) candidates(add adder) {
	for _, name := range s.order {
		v := s.byName[name]
		for _, verb := range v.order {
			if len(v.verbs[verb]) >= toolsOfVerb && !slices.Contains(v.mixed, verb) {
				add(rule.MCP+":"+name+":"+verb+"_*", v.verbs[verb], true, looks, 0.05)
			}
		}
		if len(v.tools) >= toolsOfServer && !v.writes {
			add(rule.MCP+":"+name, v.tools, true, looks, 0.25)
		}
	}
}
