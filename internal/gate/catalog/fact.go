package catalog

import (
	"slices"
	"strings"
)

// fact is one thing that a file says of a command.
type fact struct {
	path  []string // the words after the program; "a,b" are names of one subcommand
	at    *section
	entry entry
	table string // of the section
	layer int    // 0 is the program itself, more is what it is like; lower and more, what a catalogue below says of it
	// of a guarded entry
	guard *Guard
	names []string // its options; none when it is the command itself
}

// lower is the step from one catalogue to the one below, in the layers of facts.
const lower = 100

// facts lists what the sections of a program say, what it is like first. Likenesses
// of commands that are not below within are left out.
func (c *Catalog) facts(source *source, within []string, layer int) (list []fact, err error) {
	sections, err := source.sections()
	if err != nil {
		return nil, err
	}
	if layer%lower > 4 {
		return nil, sections[0].wrong("likenesses go round in a circle")
	}
	if source.below != nil {
		if list, err = c.facts(source.below, within, layer+lower); err != nil {
			return nil, err
		}
	}
	for _, s := range sections {
		paths := expand(s.words[source.skip:])
		if len(paths) > maxPaths || len(list) > maxFacts {
			return nil, s.wrong("it says too much: there may be %d subcommands in one heading, and %d facts of a program", maxPaths, maxFacts)
		}
		if s.table == "runs" || len(s.entries) == 0 {
			for _, path := range paths {
				list = append(list, fact{path: path, at: s, table: s.table, layer: layer})
			}
		}
		for _, e := range s.entries {
			switch {
			case s.table == "guard":
				more, err := guardFacts(s, e, paths, layer)
				if err != nil {
					return nil, err
				}
				list = append(list, more...)
			case s.table == "" && e.key == "like":
				if !slices.ContainsFunc(paths, func(path []string) bool { return begins(path, within) }) {
					continue
				}
				more, err := c.likeness(s, e, paths, layer)
				if err != nil {
					return nil, err
				}
				list = append(more, list...)
			case s.table != "runs":
				for _, path := range paths {
					list = append(list, fact{path: path, at: s, entry: e, table: s.table, layer: layer})
				}
			}
		}
	}
	return list, nil
}

// likeness lists the facts of the command that others are like, moved to them.
func (c *Catalog) likeness(s *section, e entry, paths [][]string, layer int) (list []fact, err error) {
	words, ok := e.value.words()
	if !ok || len(words) == 0 || c.programs[words[0]] == nil {
		return nil, s.wrongAt(e.at, "like names no program: %q", e.value.text)
	}
	base, err := c.facts(c.programs[words[0]], words[1:], layer+1)
	if err != nil {
		return nil, err
	}
	for _, f := range base {
		if f.table == "classes" || !begins(f.path, words[1:]) ||
			len(f.path) == 0 && (f.entry.key == "names" || f.entry.key == "class" || f.entry.key == "draft") {
			continue
		}
		for _, path := range paths {
			moved := f
			moved.path = append(slices.Clone(path), f.path[len(words)-1:]...)
			list = append(list, moved)
		}
		if len(list) > maxFacts {
			return nil, s.wrongAt(e.at, "it is like too much")
		}
	}
	return list, nil
}

// begins reports that a path begins with the words.
func begins(path, words []string) bool {
	return len(path) >= len(words) && slices.Equal(path[:len(words)], words)
}

// guardFacts reads one entry of a guard table.
func guardFacts(s *section, e entry, paths [][]string, layer int) (list []fact, err error) {
	g, err := toGuard(s, e)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(e.key)
	n := slices.IndexFunc(words, func(w string) bool { return w[0] == '-' || strings.Contains(w, "*") })
	if n < 0 {
		n = len(words)
	}
	if len(words) == 0 {
		return nil, s.wrongAt(e.at, "a guarded entry has no name")
	}
	for _, path := range paths {
		all := expand(words[:n])
		if len(all) > maxPaths {
			return nil, s.wrongAt(e.at, "it names more than %d subcommands", maxPaths)
		}
		for _, below := range all {
			list = append(list, fact{path: append(slices.Clone(path), below...), at: s, entry: e, table: s.table, layer: layer, guard: g, names: words[n:]})
		}
	}
	return list, nil
}

// maxPaths and maxFacts bound what a file can make of few words.
const (
	maxPaths = 256
	maxFacts = 50000
)

// expand returns the paths that the words of a heading stand for, not many more
// than maxPaths.
func expand(words []string) [][]string {
	paths := [][]string{nil}
	for _, word := range words {
		if len(paths) > maxPaths {
			return paths
		}
		var next [][]string
		for _, path := range paths {
			for name := range strings.SplitSeq(word, "|") {
				if next = append(next, append(slices.Clone(path), name)); len(next) > maxPaths {
					return next
				}
			}
		}
		paths = next
	}
	return paths
}
