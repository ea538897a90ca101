package catalog

import "strings"

// Kind is what a guarded entry would do.
type Kind string

// The kinds of guarded entries.
const (
	KindExec  Kind = "exec"  // runs another program or loads code
	KindWrite Kind = "write" // writes, replaces or deletes files
	KindNet   Kind = "net"   // sends to or fetches from the network
	KindRead  Kind = "read"  // reads files that the command does not name
	KindState Kind = "state" // changes settings, a repository or a service
)

// Guard says why a rule must name an entry to cover it.
type Guard struct {
	Kind Kind
	// Why says what the entry would do, without a subject: "deletes the files
	// it finds".
	Why string
	// Unless is the test, one of Tests, that values must pass to be harmless;
	// "" for none.
	Unless string
	// OneOf are harmless values, and Keys the names before "=" or a blank of
	// harmless ones; upper and lower case are alike.
	OneOf, Keys []string
	// Holds and Begins are texts one of which a value must hold or begin with to
	// count at all; 0x00 is a part that cannot be read. Holds are in lower case.
	Holds, Begins []string

	origin
}

// toGuard reads the value of a guarded entry.
func toGuard(s *section, e entry) (*Guard, error) {
	g := &Guard{origin: origin{s.file, e.at}}
	conditions := 0
	for _, field := range e.value.table {
		texts, _ := field.value.texts()
		switch field.key {
		case "exec", "write", "net", "read", "state":
			if g.Kind != "" {
				return nil, s.wrongAt(field.at, "%q has two kinds", e.key)
			}
			g.Kind, g.Why = Kind(field.key), field.value.text
			continue
		case "unless":
			if g.Unless = field.value.text; Tests[g.Unless] == "" {
				return nil, s.wrongAt(field.at, "there is no test %q", g.Unless)
			}
		case "unless-one-of":
			g.OneOf = texts
		case "unless-key":
			g.Keys = texts
		case "if-holds":
			g.Holds = unread(texts)
		case "if-begins":
			g.Begins = unread(texts)
		default:
			return nil, s.wrongAt(field.at, "unknown field %q of a guarded entry", field.key)
		}
		conditions++
		if g.Unless == "" && texts == nil {
			return nil, s.wrongAt(field.at, "%q has the wrong type", field.key)
		}
	}
	switch {
	case g.Kind == "" || g.Why == "":
		return nil, s.wrongAt(e.at, "%q says no kind: exec, write, net, read or state, with what it does", e.key)
	case conditions > 1:
		return nil, s.wrongAt(e.at, "%q has more than one condition", e.key)
	}
	return g, nil
}

// unread spells "…" as 0x00.
func unread(list []string) []string {
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "…", "\x00")
	}
	return list
}
