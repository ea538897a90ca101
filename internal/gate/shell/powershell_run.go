package shell

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
)

// powershell reads `pwsh -Command text` and its kind.
func (r *running) powershell() {
	for r.rest < len(r.args) {
		a := r.args[r.rest]
		text := pwsh.WithDashes(a.Text)
		name := strings.ToLower(strings.TrimLeft(text, "-/"))
		if text == "" || text[0] != '-' && text[0] != '/' {
			break
		}
		r.rest++
		switch {
		case name == "":
		case strings.HasPrefix("encodedcommand", name) || name == "ec":
			r.unsure = true
			return
		case strings.HasPrefix("command", name) || name == "commandwithargs" || name == "cwa":
			if r.rest < len(r.args) {
				r.psText(bash.JoinArgs(r.args[r.rest:]), nil)
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
		r.psText(bash.JoinArgs(r.args[r.rest:]), nil)
		return
	}
	r.stdinText()
}

// psText reads PowerShell text that the wrapper runs, with the variables v or
// with its own.
func (r *running) psText(a argv.Arg, v *pwsh.Variables) {
	r.found = true
	s, b := r.source, r.source.b
	if a.Text == "-" {
		r.stdinText()
		return
	}
	if !a.Literal {
		b.units[r.unit].Wrapper = true
		b.opaque(r.unit, "the shell text it runs is not literal")
	}
	n := s.inside(strings.ReplaceAll(a.Text, "\x00", "$_"), a.Start, a.End)
	if n == nil {
		return
	}
	n.elsewhere = s.elsewhere || r.Elsewhere
	p := r.place.under(r.unit, r.step)
	p.wrappers = r.wrappers
	problem := b.readPowerShell(n, p, v)
	if problem.Why != "" {
		b.units[r.unit].Wrapper = true
		b.opaque(r.unit, "the shell text it runs cannot be read: "+problem.Why)
	}
	if problem.Broken {
		n.pieces(p)
	}
}

// expression reads Invoke-Expression, whose text runs where it stands.
func (r *running) expression() {
	for _, a := range r.args[r.rest:] {
		name, value, given := strings.Cut(a.Text, ":")
		if len(name) > 1 && psAbbreviates(name, "-command") {
			if !given || value == "" {
				continue
			}
			a.Text = value
		}
		r.psText(a, r.source.b.power)
		return
	}
	r.stdinText()
}

// The parameters of Start-Process (its own page, about_CommonParameters).
const (
	psStartFile     = "-filepath -path -pspath"
	psStartList     = "-argumentlist -args"
	psStartValues   = "-verb -workingdirectory -windowstyle -credential -environment -redirectstandardinput -redirectstandardoutput -redirectstandarderror -erroraction -ea -warningaction -wa -informationaction -infa -progressaction -proga -outbuffer -ob"
	psStartSwitches = "-wait -nonewwindow -passthru -loaduserprofile -usenewenvironment -verbose -vb -debug -db -whatif -wi -confirm -cf"
)

// startProcess reads `Start-Process file -ArgumentList arguments`.
func (r *running) startProcess() {
	var file, list, other []argv.Arg
	var next, last *[]argv.Arg // where the next word and the last one belong
	for _, a := range r.args[r.rest:] {
		name, value, given := strings.Cut(a.Text, ":")
		if a.Listed && last != nil {
			*last = append(*last, a)
			continue
		}
		if len(name) > 1 && name[0] == '-' {
			switch {
			case psAbbreviates(name, psStartFile):
				next = &file
			case psAbbreviates(name, psStartList):
				next = &list
			case psAbbreviates(name, psStartValues):
				next = &other
			default:
				r.unsure = r.unsure || !psAbbreviates(name, psStartSwitches)
				continue
			}
			if a.Text = value; !given || value == "" {
				continue
			}
		}
		if last = next; last == nil && len(file) == 0 {
			last = &file
		} else if last == nil {
			last = &list
		}
		*last, next = append(*last, a), nil
	}
	command := slices.Clone(file)
	for _, a := range list {
		for _, word := range strings.Fields(a.Text) {
			command = append(command, argv.Arg{Text: word, Literal: a.Literal})
		}
	}
	for k := range command { // which may stand in any order
		command[k].Start, command[k].End, command[k].Quoted = r.args[0].Start, r.args[len(r.args)-1].End, false
	}
	r.words(command)
}

// psAbbreviates reports whether a parameter is one of the names in list, which
// may be cut short.
func psAbbreviates(parameter, list string) bool {
	parameter = strings.ToLower(parameter)
	return slices.ContainsFunc(strings.Fields(list), func(full string) bool { return strings.HasPrefix(full, parameter) })
}
