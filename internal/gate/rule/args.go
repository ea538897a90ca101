package rule

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
)

// ErrArgs is the error of Parse for arguments in parentheses that cannot be read,
// or that the tool's rules cannot have.
var ErrArgs = errors.New("arguments in parentheses")

// Arg is what a rule says of one argument of a tool: its name, letter by letter,
// and the pattern of its value.
type Arg struct {
	Name  string
	Value glob.Pattern
}

// Any reports that the value is `*`: whatever it is.
func (a Arg) Any() bool {
	source := a.Value.String()
	return source != "" && strings.Trim(source, "*") == ""
}

// patterned are the tools whose calls rules of a scope judge: the text of one of
// their arguments does not say what it means.
var patterned = map[string]string{"bash": Shell, "powershell": Shell, Shell: Shell, "edit": Edit, "write": Edit, "read": Read}

// cutArgs takes the arguments in parentheses off a rule's text. A rule of a scope
// whose pattern is a command or a path has none: parentheses are part of it.
func cutArgs(text string) (base string, args []Arg, err error) {
	open := strings.IndexByte(text, '(')
	if open < 0 {
		return text, nil, nil
	}
	colon := strings.IndexByte(text, ':')
	if scope := strings.TrimSpace(text[:max(colon, 0)]); colon >= 0 && colon < open && (scope == Shell || scope == Edit || scope == Read) {
		return text, nil, nil
	}
	if instead, ok := Elsewhere(text); ok && (instead != "" || !strings.Contains(text, "=")) {
		return text, nil, nil
	}
	base = strings.TrimSpace(text[:open])
	if strings.ContainsAny(base, " \t") && !strings.HasPrefix(base, MCP+":") {
		return text, nil, nil // a command without its scope
	}
	if scope := patterned[base]; scope != "" {
		return base, nil, fmt.Errorf("%w: the calls of %q are judged by %s rules: write %s:PATTERN", ErrArgs, base, scope, scope)
	}
	inner, closed := strings.CutSuffix(text[open+1:], ")")
	if !closed {
		return base, nil, fmt.Errorf("%w: the ) at the end is missing", ErrArgs)
	}
	args, err = readArgs(inner)
	return base, args, err
}

// readArgs reads NAME=PATTERN, several with commas between. In a name `\=` and
// `\,` are the characters themselves, in a pattern `\,`.
func readArgs(text string) (args []Arg, err error) {
	for _, one := range splitArgs(text) {
		at := 0
		for at < len(one) && one[at] != '=' {
			if one[at] == '\\' && at+1 < len(one) {
				at++
			}
			at++
		}
		if at >= len(one) {
			return nil, fmt.Errorf("%w: %q is no NAME=PATTERN", ErrArgs, strings.TrimSpace(one))
		}
		name := plain(strings.TrimSpace(one[:at]), `=,\`)
		value := strings.TrimSpace(one[at+1:])
		switch {
		case name == "":
			return nil, fmt.Errorf("%w: a name is missing before %q", ErrArgs, one[at:])
		case strings.Contains(name, "*") || strings.Contains(name, "?"):
			return nil, fmt.Errorf("%w: %q is no name: a name has no wildcards", ErrArgs, name)
		case slices.ContainsFunc(args, func(a Arg) bool { return strings.EqualFold(a.Name, name) }):
			return nil, fmt.Errorf("%w: %q stands there twice", ErrArgs, name)
		}
		args = append(args, Arg{Name: name, Value: glob.CompileRule(commas(value))})
	}
	return args, nil
}

// splitArgs splits at the commas without a backslash.
func splitArgs(text string) (list []string) {
	from := 0
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case ',':
			list, from = append(list, text[from:at]), at+1
		}
	}
	return append(list, text[from:])
}

// plain takes away the backslashes before the characters.
func plain(text, chars string) string {
	var b strings.Builder
	for at := 0; at < len(text); at++ {
		if text[at] == '\\' && at+1 < len(text) && strings.IndexByte(chars, text[at+1]) >= 0 {
			at++
		}
		b.WriteByte(text[at])
	}
	return b.String()
}

// commas takes away the backslashes before commas, and leaves what a pattern
// reads itself.
func commas(value string) string {
	var b strings.Builder
	for at := 0; at < len(value); at++ {
		if value[at] == '\\' && at+1 < len(value) {
			if at++; value[at] != ',' {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(value[at])
	}
	return b.String()
}

// WriteArgs writes arguments so that each matches the value alone; ok is false
// where one cannot be written: a rule is one line, and blanks around a value do
// not count.
func WriteArgs(names, values []string) (text string, ok bool) {
	list := make([]string, len(names))
	for i, name := range names {
		value := values[i]
		for _, part := range []string{name, value} {
			if strings.TrimSpace(part) != part || strings.ContainsFunc(part, func(c rune) bool { return c < ' ' || c == 0x7f }) {
				return "", false
			}
		}
		if name == "" || strings.ContainsAny(name, "*?") {
			return "", false
		}
		list[i] = strings.NewReplacer(`\`, `\\`, `=`, `\=`, `,`, `\,`).Replace(name) + "=" +
			strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `,`, `\,`).Replace(value)
	}
	return "(" + strings.Join(list, ",") + ")", true
}
