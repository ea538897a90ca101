package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// String returns the role as files write it, "" for a plain value.
func (r Role) String() string {
	for name, role := range roles {
		if role == r {
			return name
		}
	}
	return ""
}

// String returns none, attached, required, rest or two.
func (v Value) String() string {
	return [...]string{NoValue: "none", Attached: "attached", AnyValue: "required", Rest: "rest", TwoValues: "two"}[v]
}

// When says in words which values ask, "" for all.
func (g *Guard) When() string {
	texts := func(list []string) string { return strings.ReplaceAll(strings.Join(list, " "), "\x00", "…") }
	switch {
	case g.Unless != "":
		return "unless the value is " + Tests[g.Unless]
	case g.OneOf != nil:
		return "unless the value is one of " + texts(g.OneOf)
	case g.Keys != nil:
		return "unless the value sets one of " + texts(g.Keys)
	case g.Holds != nil:
		return "if the value holds one of " + texts(g.Holds)
	case g.Begins != nil:
		return "if the value begins with one of " + texts(g.Begins)
	}
	return ""
}

// String returns how the command runs another, as files write it; "" for nil.
func (r *Runs) String() string {
	if r == nil {
		return ""
	}
	var list []string
	add := func(key string, value any, told bool) {
		if told {
			list = append(list, fmt.Sprintf("%s = %v", key, value))
		}
	}
	quoted := func(words []string) string { return `"` + strings.Join(words, " ") + `"` }
	name := func(key string, value, none string) { add(key, `"`+value+`"`, value != none) }
	add("operands", r.Operands, r.Operands != 0)
	for _, flag := range []struct {
		key string
		is  bool
	}{{"only-options", r.OnlyOptions}, {"options-after", r.OptionsAfter}, {"behind-dashes", r.BehindDashes}, {"assignments", r.Assignments},
		{"lone-dash", r.LoneDash}, {"stdin", r.Stdin}, {"feeds", r.Feeds}, {"elsewhere", r.Elsewhere}, {"runner", r.Runner}, {"bins", r.Bins},
		{"shown", r.Shown}, {"transparent", r.Transparent}} {
		add(flag.key, true, flag.is)
	}
	for _, words := range []struct {
		key  string
		list []string
	}{{"after", r.After}, {"not-with", r.NotWith}, {"shell-with", r.ShellWith}, {"if-holds", r.Holds}} {
		add(words.key, quoted(words.list), words.list != nil)
	}
	name("as", keyFor(forms, r.As), "words")
	name("unknown", keyFor(unknowns, r.Unknown), "")
	name("packages", keyFor(packages, r.Packages), "")
	name("program", r.Program, "")
	name("reader", r.Reader, "")
	return "{ " + strings.Join(list, ", ") + " }"
}

func keyFor[V comparable](table map[string]V, value V) string {
	for key, v := range table {
		if v == value {
			return key
		}
	}
	return ""
}

// String returns the place of a secret as files write it.
func (x SecretPlace) String() string {
	var list []string
	for _, field := range []struct {
		key   string
		words []string
	}{{"after", strings.Fields(x.After)}, {"joined", x.Joined}, {"option", x.Options}, {"login", x.Logins}} {
		if len(field.words) > 0 {
			list = append(list, field.key+" "+strings.Join(field.words, " "))
		}
	}
	if x.Separator != "" {
		list = append(list, "separator "+x.Separator)
	}
	if len(x.Words) > 0 {
		list = append(list, "word "+strings.Trim(fmt.Sprint(x.Words), "[]"))
	}
	if x.Least > 0 {
		list = append(list, fmt.Sprintf("least %d", x.Least))
	}
	return strings.Join(list, ", ")
}

// Places returns where a program is told of, by its exact name: first where it is
// known from, then each file that says more.
func (c *Catalog) Places(name string) (list []Place) {
	for s := c.programs[name]; s != nil; s = s.below {
		list = append(list, s.place())
	}
	slices.Reverse(list)
	return list
}

// VariableFact is what a table says of one environment variable, or of a family
// when the name ends in "*".
type VariableFact struct {
	Name string
	// Why says what it does, in words that follow "it"; "" when it is harmless.
	Why string

	program string
	origin
}

// VariablesOf returns what tables under the names of a program say, by name.
func (c *Catalog) VariablesOf(names ...string) []VariableFact {
	v, err := c.variables()
	if err != nil {
		panic("catalog: " + err.Error()) // New, or a test, has read it before
	}
	found := map[string]VariableFact{}
	for at := &v; at != nil; at = at.below {
		for _, f := range at.facts {
			if _, told := found[f.Name]; !told && slices.Contains(names, f.program) {
				found[f.Name] = f
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b VariableFact) int { return cmp.Compare(a.Name, b.Name) })
}
