package wrap

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// ReadsCode reports whether the program takes what it runs from its input, and
// from which descriptor of it, "" being the standard input.
func ReadsCode(known *catalog.Catalog, program string, args []argv.Arg) (fd string, ok bool) {
	p := known.Lookup(program)
	if p == nil {
		return "", false
	}
	if readsScript(p, args) {
		return "", true
	}
	if p.Input == nil {
		return "", false
	}
	return (&interpreter{p}).reads(args[1:])
}

// readsScript reports whether an option names the input as the file of code.
func readsScript(p *catalog.Program, args []argv.Arg) bool {
	for k := 1; k < len(args); k++ {
		name, value, given := strings.Cut(args[k].Text, "=")
		if len(name) > 2 && name[0] == '-' && name[1] != '-' {
			name, value, given = name[:2], args[k].Text[2:], true
		}
		o := p.Option(name)
		if o == nil || o.Role != catalog.RoleScript {
			continue
		}
		if !given && k+1 < len(args) {
			value = args[k+1].Text
		}
		if value == "-" || value == "/dev/stdin" {
			return true
		}
	}
	return false
}

// interpreter is a program that runs code, or commands of its own language, which
// it reads from its input when its words name none.
type interpreter struct{ *catalog.Program }

// reads reports whether the words leave the code to the input, and to which
// descriptor.
func (n *interpreter) reads(args []argv.Arg) (fd string, ok bool) {
	operands, enough := 0, n.Input.Operands
	for k := 0; k < len(args); k++ {
		t := args[k].Text
		if fd, ok := inputDescriptor(t); ok && operands == 0 {
			return fd, true
		}
		switch {
		case t == "-" || operands == 0 && args[k].Writes:
			return "", true
		case t == "--":
			if k+1 < len(args) && args[k+1].Text != "-" {
				operands++
			}
			return "", !n.Input.Dash && (enough < 0 || operands < enough)
		case len(t) > 1 && t[0] == '-':
			given, next := n.option(t)
			if given {
				return "", false
			}
			if next {
				k++
			}
		case operands == 0 && slices.Contains(n.Input.StepsOver, t):
		default:
			operands++
			if enough >= 0 && operands >= enough {
				return "", false
			}
		}
	}
	return "", !n.Input.Dash
}

// option reads one option word: whether it gives the code, and whether the next
// word is its value.
func (n *interpreter) option(t string) (given, next bool) {
	if t[1] == '-' || n.Style == catalog.StyleWords {
		name, _, attached := strings.Cut(t, "=")
		o := n.Option(name)
		return slices.Contains(n.Input.GivenBy, name), !attached && o != nil && o.Value == catalog.AnyValue
	}
	for j := 1; j < len(t); j++ {
		name := "-" + t[j:j+1]
		o := n.Option(name)
		switch {
		case slices.Contains(n.Input.GivenBy, name):
			return true, false
		case o != nil && o.Value == catalog.AnyValue:
			return false, j+1 == len(t)
		case o != nil && o.Value == catalog.Attached:
			return false, false
		}
	}
	return false, false
}
