package wrap

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
)

// powershell reads `pwsh -Command text` and its kind.
func (r *Call) powershell() {
	for r.Rest < len(r.Args) {
		a := r.Args[r.Rest]
		text := pwsh.WithDashes(a.Text)
		name := strings.ToLower(strings.TrimLeft(text, "-/"))
		if text == "" || text[0] != '-' && text[0] != '/' {
			break
		}
		r.Rest++
		switch {
		case name == "":
		case strings.HasPrefix("encodedcommand", name) || name == "ec":
			r.unsure = true
			return
		case strings.HasPrefix("command", name) || name == "commandwithargs" || name == "cwa":
			if r.Rest < len(r.Args) {
				r.psText(bash.JoinArgs(r.Args[r.Rest:]), false)
			}
			return
		case strings.HasPrefix("file", name) || name == "version" || name == "help" || name == "?" || name == "h":
			return
		case strings.HasPrefix("noprofile", name) || strings.HasPrefix("nologo", name) || strings.HasPrefix("noexit", name) ||
			strings.HasPrefix("noninteractive", name) || strings.HasPrefix("sta", name) || name == "mta" || strings.HasPrefix("login", name) || name == "interactive":
		default:
			r.Rest++ // -ExecutionPolicy, -WindowStyle, -WorkingDirectory and others take a value
		}
	}
	if r.Rest < len(r.Args) {
		r.psText(bash.JoinArgs(r.Args[r.Rest:]), false)
		return
	}
	r.stdinText()
}

// expression reads Invoke-Expression, whose text runs where it stands.
func (r *Call) expression() {
	for _, a := range r.Args[r.Rest:] {
		name, value, given := strings.Cut(a.Text, ":")
		if len(name) > 1 && psAbbreviates(name, "-command") {
			if !given || value == "" {
				continue
			}
			a.Text = value
		}
		r.psText(a, true)
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
func (r *Call) startProcess() {
	var file, list, other []argv.Arg
	var next, last *[]argv.Arg // where the next word and the last one belong
	for _, a := range r.Args[r.Rest:] {
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
		command[k].Start, command[k].End, command[k].Quoted = r.Args[0].Start, r.Args[len(r.Args)-1].End, false
	}
	r.words(command)
}

// psAbbreviates reports whether a parameter is one of the names in list, which
// may be cut short.
func psAbbreviates(parameter, list string) bool {
	parameter = strings.ToLower(parameter)
	return slices.ContainsFunc(strings.Fields(list), func(full string) bool { return strings.HasPrefix(full, parameter) })
}
