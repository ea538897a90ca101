package memory

import (
	"maps"
	"slices"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// Open notes that the variable may hold anything beside what is known.
func (m *State) Open(name string) {
	if _, ok := m.known[name]; ok || name == "IFS" {
		if v := m.Get(name); !v.Open {
			v.Open = true
			m.Set(name, v)
		}
	}
}

// Also notes that the variable may hold this, too.
func (m *State) Also(name string, w Way) { m.Set(name, m.Get(name).Join(Value{Ways: []Way{w}})) }

// State is what the line tells of its variables at the place that is being
// read. The positional parameters are the variable "@".
type State struct {
	known map[string]Value
	trail []Change // what was set, in order, while it may have to be undone

	// Lost tells that any name may stand for another one, or be set by what
	// cannot be seen: nothing is known from then on.
	Lost bool
	// vague are names whose value is not the text that they are given.
	vague map[string]bool
	// firm are names that an assignment may fail to change.
	firm map[string]bool
	// Local are the names that the function being followed declares its own.
	Local []Change
	// Tries counts the ways read and the guesses made.
	Tries int
	// Spent is how much has been looked through for what loops change.
	Spent int
}

// Value is all that a variable may hold at one place of the line.
type Value struct {
	Ways []Way
	Open bool // or something that the line does not tell
}

// Way is one thing that a variable may hold.
type Way struct {
	Elems []argv.Text // one, unless it is a list
	List  bool
	unset bool
}

// Change is what a variable held before it was set; was tells that it held
// anything known.
type Change struct {
	Name   string
	Before Value
	was    bool
}

// The bounds of what is remembered. What is beyond them is not known.
const (
	MaxNames     = 256
	maxWays      = 64
	MaxElements  = 256
	MaxValueText = 4096
	MaxSpent     = 1 << 16 // nodes of the syntax tree
)

// UnknownValue is anything; UnsetWay is a variable that is not set.
var (
	UnknownValue = Value{Open: true}
	UnsetWay     = Way{unset: true}
)

// Scalar is a variable that is no list.
func Scalar(t argv.Text) Way { return Way{Elems: []argv.Text{t}} }

// First is what the variable holds without a subscript.
func (w Way) First() argv.Text {
	if len(w.Elems) == 0 {
		return nil
	}
	return w.Elems[0]
}

func (w Way) equal(other Way) bool {
	return w.List == other.List && w.unset == other.unset && slices.EqualFunc(w.Elems, other.Elems, argv.Text.Equal)
}

func (w Way) tooLong() bool {
	n := 0
	for _, e := range w.Elems {
		for _, p := range e {
			n += len(p.Text)
		}
	}
	return n > MaxValueText || len(w.Elems) > MaxElements
}

// Join returns the value that is one of two.
func (v Value) Join(other Value) Value {
	out := Value{Ways: slices.Clip(v.Ways), Open: v.Open || other.Open}
	for _, w := range other.Ways {
		if !slices.ContainsFunc(out.Ways, w.equal) {
			out.Ways = append(out.Ways, w)
		}
	}
	if len(out.Ways) > maxWays {
		out.Ways, out.Open = out.Ways[:maxWays], true
	}
	return out
}

// shellSet are variables that the shell sets by itself or takes no value for.
var shellSet = map[string]bool{"_": true, "RANDOM": true, "SRANDOM": true, "SECONDS": true, "LINENO": true, "EPOCHSECONDS": true, "EPOCHREALTIME": true,
	"HISTCMD": true, "DIRSTACK": true, "GROUPS": true, "FUNCNAME": true, "PIPESTATUS": true, "PPID": true, "UID": true, "EUID": true, "PWD": true,
	"OLDPWD": true, "OPTARG": true, "OPTIND": true, "REPLY": true, "COLUMNS": true, "LINES": true, "SHELLOPTS": true, "BASHOPTS": true, "SHLVL": true,
	"COMP_WORDBREAKS": true, "?": true, "$": true, "!": true, "#": true, "-": true, "HOSTNAME": true, "POSIXLY_CORRECT": true}

func setByShell(name string) bool {
	return shellSet[name] || len(name) > 4 && name[:4] == "BASH" || name == "BASH"
}

// usualValues are what variables hold that the line does not set: IFS in any
// case, whatever the environment says, the others most likely.
var usualValues = map[string]Value{
	"IFS":   {Ways: []Way{Scalar(argv.PlainText(" \t\n"))}},
	"SHELL": {Ways: []Way{Scalar(argv.PlainText("bash"))}, Open: true},
	"BASH":  {Ways: []Way{Scalar(argv.PlainText("bash"))}, Open: true},
	"0":     {Ways: []Way{Scalar(argv.PlainText("bash"))}, Open: true},
}

// Get returns what the variable may hold.
func (m *State) Get(name string) Value {
	if m.Lost || m.vague[name] {
		return UnknownValue
	}
	if v, ok := usualValues[name]; ok {
		if own, given := m.known[name]; given {
			return own
		}
		return v
	}
	if setByShell(name) {
		return UnknownValue
	}
	if v, ok := m.known[name]; ok {
		return v
	}
	return UnknownValue
}

// Set notes that the variable now holds the value.
func (m *State) Set(name string, v Value) {
	if m.firm[name] {
		v = m.Get(name).Join(v)
	}
	if slices.ContainsFunc(v.Ways, Way.tooLong) {
		v = Value{Ways: slices.DeleteFunc(slices.Clone(v.Ways), Way.tooLong), Open: true}
	}
	before, was := m.known[name]
	if !was && len(m.known) >= MaxNames {
		return // not known, as before
	}
	if m.known == nil {
		m.known = map[string]Value{}
	}
	m.trail = append(m.trail, Change{name, before, was})
	m.known[name] = v
}

// Forget notes that the variable may hold anything.
func (m *State) Forget(name string) {
	if _, ok := m.known[name]; ok || name == "IFS" {
		m.Set(name, UnknownValue)
	}
}

// ForgetAll notes that any variable may hold anything. That a text which is not
// known sets IFS is no likely reading: the line does not name it.
func (m *State) ForgetAll() {
	for name := range m.known {
		m.Forget(name)
	}
}

// undo takes back what was set since the trail had n entries, and returns what
// the variables held at last.
func (m *State) undo(n int) (last map[string]Value) {
	for k := len(m.trail) - 1; k >= n; k-- {
		c := m.trail[k]
		if last == nil {
			last = map[string]Value{}
		}
		if _, seen := last[c.Name]; !seen {
			last[c.Name] = m.known[c.Name]
		}
		if c.was {
			m.known[c.Name] = c.Before
		} else {
			delete(m.known, c.Name)
		}
	}
	m.trail = m.trail[:n]
	return last
}

// Perhaps calls f, which reads what may run or not, or runs in a shell of its
// own.
func (m *State) Perhaps(f func()) {
	n := len(m.trail)
	f()
	if len(m.trail) == n {
		return
	}
	for name, v := range m.undo(n) {
		m.Set(name, m.Get(name).Join(v))
	}
}

// Either calls functions of which each reads what runs in place of the others.
// Without all, perhaps none of it runs.
func (m *State) Either(all bool, branches ...func()) {
	n := len(m.trail)
	var ends []map[string]Value
	changed := map[string]bool{}
	for _, f := range branches {
		f()
		var end map[string]Value
		if len(m.trail) > n {
			end = m.undo(n)
			for name := range end {
				changed[name] = true
			}
		}
		ends = append(ends, end)
	}
	for name := range changed {
		before := m.Get(name)
		var v Value
		if !all {
			v = before
		}
		for _, end := range ends {
			if last, ok := end[name]; ok {
				v = v.Join(last)
			} else {
				v = v.Join(before)
			}
		}
		m.Set(name, v)
	}
}

// Within calls f with nothing known but what given holds, as for text that
// another shell reads, or that runs at another time.
func (m *State) Within(given map[string]Value, f func()) {
	known, trail := m.known, m.trail
	m.known, m.trail = given, nil
	f()
	m.known, m.trail = known, trail
}

// Child calls f, which reads the text of a shell that this one starts: it knows
// the variables that are exported.
func (m *State) Child(f func()) {
	given := maps.Clone(m.known)
	for name, v := range given {
		if name == "IFS" { // not taken from the environment
			delete(given, name)
			continue
		}
		given[name] = v.Join(Value{Ways: []Way{UnsetWay}})
	}
	m.Within(given, f)
}

// MarkVague notes that the value of a name is not the text that it is given.
func (m *State) MarkVague(name string) { m.vague = noted(m.vague, name) }

// MarkFirm notes that an assignment may fail to change a name.
func (m *State) MarkFirm(name string) { m.firm = noted(m.firm, name) }

// IsPositional reports the parameters that a caller gives.
func IsPositional(name string) bool {
	return name == "@" || name == "*" || name[0] >= '1' && name[0] <= '9'
}
