package shell

import "strings"

// powershell reads `pwsh -Command text` and its kind.
func (r *running) powershell() {
	for r.rest < len(r.args) {
		a := r.args[r.rest]
		name := strings.ToLower(strings.TrimLeft(a.Text, "-/"))
		if a.Text == "" || a.Text[0] != '-' && a.Text[0] != '/' {
			break
		}
		r.rest++
		switch {
		case name == "":
		case strings.HasPrefix("encodedcommand", name) && len(name) <= len("encodedcommand") && name[0] == 'e' && name != "ex":
			r.unsure = true
			return
		case strings.HasPrefix("command", name):
			if r.rest < len(r.args) {
				r.psText(joinArgs(r.args[r.rest:]))
			}
			return
		case strings.HasPrefix("file", name) || name == "version" || name == "help" || name == "?" || name == "h":
			return
		case strings.HasPrefix("noprofile", name) || strings.HasPrefix("nologo", name) || strings.HasPrefix("noexit", name) ||
			strings.HasPrefix("noninteractive", name) || strings.HasPrefix("sta", name) || name == "mta" || strings.HasPrefix("login", name) || name == "interactive":
		default:
			r.rest++ // -ExecutionPolicy, -WindowStyle, -WorkingDirectory and others take a value
		}
	}
	if r.rest < len(r.args) {
		r.psText(joinArgs(r.args[r.rest:]))
		return
	}
	r.stdinText()
}

// psText reads PowerShell text that the wrapper runs.
func (r *running) psText(a Arg) {
	r.found = true
	s, b := r.source, r.source.b
	if a.Text == "-" {
		r.stdinText()
		return
	}
	if !a.Literal {
		b.out.Units[r.unit].Wrapper = true
		b.opaque(r.unit, "the shell text it runs is not literal")
	}
	n := s.inside(strings.ReplaceAll(a.Text, "\x00", "$_"), a.Start, a.End)
	if n == nil {
		return
	}
	n.elsewhere = s.elsewhere || r.Elsewhere
	p := r.place.under(r.unit, r.step)
	p.wrappers = r.wrappers
	units, redirections := len(b.out.Units), len(b.out.Redirections)
	if why := b.readPowerShell(n, p); why != "" {
		b.out.Units, b.out.Redirections = b.out.Units[:units], b.out.Redirections[:redirections]
		b.out.Units[r.unit].Wrapper = true
		b.opaque(r.unit, "the shell text it runs cannot be read: "+why)
		n.pieces(p)
	}
}

// expression reads Invoke-Expression.
func (r *running) expression() {
	for _, a := range r.args[r.rest:] {
		if !strings.EqualFold(a.Text, "-Command") {
			r.psText(a)
			return
		}
	}
	r.stdinText()
}

// startProcess reads `Start-Process file -ArgumentList arguments`.
func (r *running) startProcess() {
	var command []Arg
	for k := r.rest; k < len(r.args); k++ {
		a := r.args[k]
		name := strings.ToLower(a.Text)
		switch {
		case strings.HasPrefix(name, "-") && (strings.HasPrefix("-filepath", name) || strings.HasPrefix("-argumentlist", name) || name == "-args"):
		case strings.HasPrefix(name, "-") && (strings.HasPrefix("-verb", name) || strings.HasPrefix("-workingdirectory", name) ||
			strings.HasPrefix("-windowstyle", name) || strings.HasPrefix("-credential", name) || strings.HasPrefix(name, "-redirect")):
			k++
		case strings.HasPrefix(name, "-"):
		default:
			for _, part := range strings.FieldsFunc(a.Text, func(c rune) bool { return c == ',' || c == ' ' && len(command) > 0 }) {
				command = append(command, Arg{Text: part, Literal: a.Literal, Quoted: a.Quoted, Start: a.Start, End: a.End})
			}
		}
	}
	r.words(command)
}
