package script

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// ReadSed reads a script in every way that seds differ in, until one finds
// something.
func ReadSed(script string) Sed {
	brackets := strings.IndexByte(script, '[') >= 0
	hashes := strings.IndexByte(script, '#') >= 0
	r := Sed{text: script}
	r.read()
	for _, way := range [...]Sed{{brackets: true}, {hashes: true}, {brackets: true, hashes: true}} {
		if r.Writes || r.Runs || way.brackets && !brackets || way.hashes && !hashes {
			continue
		}
		r = Sed{text: script, brackets: way.brackets, hashes: way.hashes}
		r.read()
	}
	return r
}

// Sed finds the commands of a sed script that write files or run
// commands. An expansion (0x00) is a digit where an address may be and ordinary
// text elsewhere. Where GNU and BSD sed read a script differently it stays with
// the reading in which more can happen.
type Sed struct {
	text     string
	pos      int
	brackets bool // a delimiter within [...] does not end a regular expression (BSD)
	hashes   bool // a # within a label begins a comment (GNU since 4.9)
	Writes   bool
	Runs     bool
	Line     string // where the first of them stands
}

func (r *Sed) read() {
	for {
		r.skip(" \t\n\v\f\r;}")
		r.addresses()
		r.skip(" \t!")
		if r.pos >= len(r.text) {
			return
		}
		b, start := r.text[r.pos], r.pos
		r.pos++
		if !r.command(b) {
			r.until(";\n") // sed stops here; what another would read counts
		}
		if r.Line == "" && (r.Writes || r.Runs) {
			r.Line = r.text[start:r.pos]
		}
	}
}

// command reads what follows command b. It reports false when sed would refuse
// the script here.
func (r *Sed) command(b byte) bool {
	switch b {
	case '{', '}', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
	case 'q', 'Q', 'l', 'L':
		r.skip(" \t0123456789" + argv.Hole)
	case 'a', 'i', 'c':
		r.textBlock()
	case 'b', 't', 'T', ':', 'v':
		r.skip(" \t")
		r.until("; \t\n}#")
		if !r.hashes {
			r.until("; \t\n}")
		}
	case 'r', 'R', '#':
		r.until("\n")
	case 'w', 'W':
		r.writeFile()
	case 'e':
		r.Runs = true
		r.until("\n")
	case 's':
		return r.substitute()
	case 'y':
		d, ok := r.delimiter()
		return ok && r.delimited(d, false) && r.delimited(d, false)
	default:
		return false
	}
	return true
}

// addresses skips the addresses in front of a command.
func (r *Sed) addresses() {
	for r.pos < len(r.text) {
		switch b := r.text[r.pos]; {
		case b >= '0' && b <= '9', strings.IndexByte("$,+~ \t"+argv.Hole, b) >= 0:
			r.pos++
		case b == '/':
			r.pos++
			r.delimited('/', true)
			r.skip("IM \t" + argv.Hole)
		case b == '\\' && r.pos+1 < len(r.text):
			d := r.text[r.pos+1]
			r.pos += 2
			r.delimited(d, true)
			r.skip("IM \t" + argv.Hole)
		default:
			return
		}
	}
}

func (r *Sed) substitute() bool {
	d, ok := r.delimiter()
	if !ok || !r.delimited(d, true) || !r.delimited(d, false) {
		return false
	}
	for r.pos < len(r.text) {
		b := r.text[r.pos]
		switch {
		case b == 'e':
			r.Runs = true
		case b == 'w':
			r.pos++
			r.writeFile()
			return true
		case b >= '0' && b <= '9', strings.IndexByte("gpiImM \t"+argv.Hole, b) >= 0:
		default:
			return true
		}
		r.pos++
	}
	return true
}

func (r *Sed) delimiter() (byte, bool) {
	if r.pos >= len(r.text) || r.text[r.pos] == '\n' || r.text[r.pos] == '\\' {
		return 0, false
	}
	r.pos++
	return r.text[r.pos-1], true
}

// delimited skips to behind the next unescaped d.
func (r *Sed) delimited(d byte, regexp bool) bool {
	for r.pos < len(r.text) {
		b := r.text[r.pos]
		r.pos++
		switch {
		case b == d:
			return true
		case b == '\\' && r.pos < len(r.text):
			r.pos++
		case b == '[' && regexp && r.brackets:
			r.bracket()
		}
	}
	return false
}

// bracket skips a bracket expression, if it ends.
func (r *Sed) bracket() {
	at := r.pos
	if at < len(r.text) && r.text[at] == '^' {
		at++
	}
	if at < len(r.text) && r.text[at] == ']' {
		at++
	}
	if end := strings.IndexByte(r.text[min(at, len(r.text)):], ']'); end >= 0 {
		r.pos = at + end + 1
	}
}

// textBlock skips the text of a, i and c: the rest of the line, and the next
// lines while each ends with a backslash.
func (r *Sed) textBlock() {
	for r.pos < len(r.text) {
		b := r.text[r.pos]
		r.pos++
		if b == '\\' && r.pos < len(r.text) {
			r.pos++
		} else if b == '\n' {
			return
		}
	}
}

// writeFile reads the file name of a w command, which goes to the end of the line.
func (r *Sed) writeFile() {
	start := r.pos
	r.until("\n")
	if !argv.HarmlessFile(strings.TrimSpace(r.text[start:r.pos])) {
		r.Writes = true
	}
}

func (r *Sed) skip(set string) {
	for r.pos < len(r.text) && strings.IndexByte(set, r.text[r.pos]) >= 0 {
		r.pos++
	}
}

func (r *Sed) until(set string) {
	for r.pos < len(r.text) && strings.IndexByte(set, r.text[r.pos]) < 0 {
		r.pos++
	}
}
