package shell

import (
	"maps"
	"slices"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// memory is what the line tells of its variables at the place that is being
// read. The positional parameters are the variable "@".
type memory struct {
	known map[string]value
	trail []change // what was set, in order, while it may have to be undone

	// lost tells that any name may stand for another one, or be set by what
	// cannot be seen: nothing is known from then on.
	lost bool
	// vague are names whose value is not the text that they are given.
	vague map[string]bool
	// firm are names that an assignment may fail to change.
	firm map[string]bool
	// local are the names that the function being followed declares its own.
	local []change
	// spent is how much has been looked through for what loops change.
	spent int
}

// value is all that a variable may hold at one place of the line.
type value struct {
	ways []way
	open bool // or something that the line does not tell
}

// way is one thing that a variable may hold.
type way struct {
	elems []argv.Text // one, unless it is a list
	list  bool
	unset bool
}

type change struct {
	name   string
	before value
	was    bool
}

// The bounds of what is remembered. What is beyond them is not known.
const (
	maxNames     = 256
	maxWays      = 64
	maxElements  = 256
	maxValueText = 4096
	maxSpent     = 1 << 16 // nodes of the syntax tree
)

var (
	unknownValue = value{open: true}
	unsetWay     = way{unset: true}
)

func scalar(t argv.Text) way { return way{elems: []argv.Text{t}} }

// first is what the variable holds without a subscript.
func (w way) first() argv.Text {
	if len(w.elems) == 0 {
		return nil
	}
	return w.elems[0]
}

func (w way) equal(other way) bool {
	return w.list == other.list && w.unset == other.unset && slices.EqualFunc(w.elems, other.elems, argv.Text.Equal)
}

func (w way) tooLong() bool {
	n := 0
	for _, e := range w.elems {
		for _, p := range e {
			n += len(p.Text)
		}
	}
	return n > maxValueText || len(w.elems) > maxElements
}

// join returns the value that is one of two.
func (v value) join(other value) value {
	out := value{ways: slices.Clip(v.ways), open: v.open || other.open}
	for _, w := range other.ways {
		if !slices.ContainsFunc(out.ways, w.equal) {
			out.ways = append(out.ways, w)
		}
	}
	if len(out.ways) > maxWays {
		out.ways, out.open = out.ways[:maxWays], true
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
var usualValues = map[string]value{
	"IFS":   {ways: []way{scalar(argv.PlainText(" \t\n"))}},
	"SHELL": {ways: []way{scalar(argv.PlainText("bash"))}, open: true},
	"BASH":  {ways: []way{scalar(argv.PlainText("bash"))}, open: true},
	"0":     {ways: []way{scalar(argv.PlainText("bash"))}, open: true},
}

// get returns what the variable may hold.
func (m *memory) get(name string) value {
	if m.lost || m.vague[name] {
		return unknownValue
	}
	if v, ok := usualValues[name]; ok {
		if own, given := m.known[name]; given {
			return own
		}
		return v
	}
	if setByShell(name) {
		return unknownValue
	}
	if v, ok := m.known[name]; ok {
		return v
	}
	return unknownValue
}

// set notes that the variable now holds the value.
func (m *memory) set(name string, v value) {
	if m.firm[name] {
		v = m.get(name).join(v)
	}
	if slices.ContainsFunc(v.ways, way.tooLong) {
		v = value{ways: slices.DeleteFunc(slices.Clone(v.ways), way.tooLong), open: true}
	}
	before, was := m.known[name]
	if !was && len(m.known) >= maxNames {
		return // not known, as before
	}
	if m.known == nil {
		m.known = map[string]value{}
	}
	m.trail = append(m.trail, change{name, before, was})
	m.known[name] = v
}

// forget notes that the variable may hold anything.
func (m *memory) forget(name string) {
	if _, ok := m.known[name]; ok || name == "IFS" {
		m.set(name, unknownValue)
	}
}

// forgetAll notes that any variable may hold anything. That a text which is not
// known sets IFS is no likely reading: the line does not name it.
func (m *memory) forgetAll() {
	for name := range m.known {
		m.forget(name)
	}
}

// undo takes back what was set since the trail had n entries, and returns what
// the variables held at last.
func (m *memory) undo(n int) (last map[string]value) {
	for k := len(m.trail) - 1; k >= n; k-- {
		c := m.trail[k]
		if last == nil {
			last = map[string]value{}
		}
		if _, seen := last[c.name]; !seen {
			last[c.name] = m.known[c.name]
		}
		if c.was {
			m.known[c.name] = c.before
		} else {
			delete(m.known, c.name)
		}
	}
	m.trail = m.trail[:n]
	return last
}

// perhaps calls f, which reads what may run or not, or runs in a shell of its
// own.
func (m *memory) perhaps(f func()) {
	n := len(m.trail)
	f()
	if len(m.trail) == n {
		return
	}
	for name, v := range m.undo(n) {
		m.set(name, m.get(name).join(v))
	}
}

// either calls functions of which each reads what runs in place of the others.
// Without all, perhaps none of it runs.
func (m *memory) either(all bool, branches ...func()) {
	n := len(m.trail)
	var ends []map[string]value
	changed := map[string]bool{}
	for _, f := range branches {
		f()
		var end map[string]value
		if len(m.trail) > n {
			end = m.undo(n)
			for name := range end {
				changed[name] = true
			}
		}
		ends = append(ends, end)
	}
	for name := range changed {
		before := m.get(name)
		var v value
		if !all {
			v = before
		}
		for _, end := range ends {
			if last, ok := end[name]; ok {
				v = v.join(last)
			} else {
				v = v.join(before)
			}
		}
		m.set(name, v)
	}
}

// within calls f with nothing known but what given holds, as for text that
// another shell reads, or that runs at another time.
func (m *memory) within(given map[string]value, f func()) {
	known, trail := m.known, m.trail
	m.known, m.trail = given, nil
	f()
	m.known, m.trail = known, trail
}

// child calls f, which reads the text of a shell that this one starts: it knows
// the variables that are exported.
func (m *memory) child(f func()) {
	given := maps.Clone(m.known)
	for name, v := range given {
		if name == "IFS" { // not taken from the environment
			delete(given, name)
			continue
		}
		given[name] = v.join(value{ways: []way{unsetWay}})
	}
	m.within(given, f)
}
