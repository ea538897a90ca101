package catalog

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// variables are what is known of environment variables: by their names, and by
// what the names of a family begin with. "" is a harmless one.
type variables struct {
	names    map[string]string
	families []family
	facts    []VariableFact // as they are told
	below    *variables     // of the catalogue below; nil in the lowest
}

type family struct{ prefix, why string }

// Variable reports whether an environment variable makes a program run others,
// load code, take options or write files, and says how, in words that follow "it".
func (c *Catalog) Variable(name string) (why string, ok bool) {
	v, err := c.variables()
	if err != nil {
		panic("catalog: " + err.Error()) // New, or a test, has read it before
	}
	return v.of(name)
}

// of looks in the upper catalogue first. A harmless one there is so of the
// families there.
func (v *variables) of(name string) (why string, ok bool) {
	why, known := v.names[name]
	if known && why != "" {
		return why, true
	}
	for _, f := range v.families {
		if !known && strings.HasPrefix(name, f.prefix) {
			return f.why, true
		}
	}
	if v.below != nil {
		return v.below.of(name)
	}
	return "", false
}

// addVariables adds tables of variables to those of the catalogue below.
func (c *Catalog) addVariables(below *Catalog, tables []*section) error {
	lower, err := below.variables()
	if err != nil {
		return err
	}
	v := variables{names: map[string]string{}, below: &lower}
	for _, s := range tables {
		if err := v.add(s); err != nil {
			return err
		}
	}
	c.variables = func() (variables, error) { return v, nil }
	return nil
}

// isVariables reports that text begins with the heading of a table of variables.
func isVariables(text string) bool {
	heading, _, _ := strings.Cut(text, "\n")
	return strings.HasSuffix(strings.TrimSpace(heading), ".variables]")
}

// readVariables reads the tables of variables of all files.
func readVariables(files []File) (variables, error) {
	v := variables{names: map[string]string{}}
	for i := range files {
		f := &files[i]
		for from := nextHeading(f.Text, 0); from < len(f.Text); {
			to := nextHeading(f.Text, from+1)
			if isVariables(f.Text[from:to]) {
				sections, err := decode(f, from, to)
				if err != nil {
					return v, err
				}
				for _, s := range sections {
					if err := v.add(s); err != nil {
						return v, err
					}
				}
			}
			from = to
		}
	}
	return v, nil
}

// add reads one table: each key is names, a "*" at the end of one stands for the
// rest of the names of a family, and the value says what they do.
func (v *variables) add(s *section) error {
	for _, e := range s.entries {
		if e.value.kind != unstable.String {
			return s.wrongAt(e.at, "what a variable does is a text, \"\" when it is harmless")
		}
		for _, name := range strings.Fields(e.key) {
			v.facts = append(v.facts, VariableFact{name, e.value.text, strings.Split(s.words[0], "|")[0], origin{s.file, e.at}})
			if prefix, ok := strings.CutSuffix(name, "*"); ok {
				if prefix == "" || e.value.text == "" {
					return s.wrongAt(e.at, "%q is no family of variables that do something", name)
				}
				v.families = append(v.families, family{prefix, e.value.text})
				continue
			}
			if old, told := v.names[name]; told && (old == "") != (e.value.text == "") {
				return s.wrongAt(e.at, "the variable %s is told otherwise elsewhere", name)
			}
			if e.value.text == "" && v.below != nil {
				if _, guarded := v.below.of(name); guarded {
					return s.wrongAt(e.at, "the variable %s is guarded already, and a file of yours cannot take that back", name)
				}
			}
			v.names[name] = e.value.text
		}
	}
	return nil
}

// Variable is Catalog.Variable for this binary.
func Variable(name string) (why string, ok bool) { return Default().Variable(name) }
