package catalog

import (
	"slices"
	"strings"
)

// Style is how a command reads its options.
type Style uint8

// The styles; docs/programs.md describes them.
const (
	StyleGNU     Style = iota // --long[=value] and its beginnings, clusters -abc, attached values -ovalue
	StyleExact                // as StyleGNU, long options only in full
	StyleWords                // -word value, -word=value, --word; no clusters
	StyleLetters              // as Words, and single letters take attached values: -ovalue
	StyleBundled              // as StyleGNU, and the first word may be a cluster without a dash
	StyleCmdlet               // -word value, -word:value, and their beginnings, in any case: commands of PowerShell
	StyleNopt                 // as StyleGNU, one dash is as good as two, and true, false or null may follow a flag
)

var styles = map[string]Style{"gnu": StyleGNU, "exact": StyleExact, "words": StyleWords, "letters": StyleLetters, "bundled": StyleBundled, "nopt": StyleNopt, "cmdlet": StyleCmdlet}

// Value is whether an option takes a value.
type Value uint8

// The ways in which an option takes its value.
const (
	NoValue   Value = iota
	Attached        // only in the same word, if at all
	AnyValue        // in the same word, or the next word
	Rest            // the word begins with the name and goes on with the value
	TwoValues       // the first in the same word or the next, the second in the word behind
)

// Role is what the value of an option, or an operand, is to the command.
type Role uint8

// The roles; docs/programs.md describes them.
const (
	RolePlain Role = iota
	RoleRead
	RoleWrite
	RoleDelete
	RoleFolder
	RoleRun
	RoleShell
	RoleScript
	RoleCode
	RoleSecret
	RoleLogin
	RoleSplit
	RoleExpand
	RoleHolder
	RoleList
	RolePart
	RoleText
	RoleModule
	RoleTo
	RoleInto
	RoleEdit
	RoleReplace
	RoleBeside
	RoleContent
	RoleMove
	RolePrefix
	RoleName
	RoleRef
	RolePlace
	RoleFill
	RoleOpen
	RoleAddress
)

var roles = map[string]Role{"": RolePlain, "read": RoleRead, "write": RoleWrite, "delete": RoleDelete, "folder": RoleFolder, "run": RoleRun, "shell": RoleShell,
	"script": RoleScript, "code": RoleCode, "secret": RoleSecret, "login": RoleLogin, "words": RoleSplit, "expand": RoleExpand, "holder": RoleHolder, "list": RoleList, "part": RolePart,
	"text": RoleText, "module": RoleModule, "to": RoleTo, "into": RoleInto, "edit": RoleEdit, "replace": RoleReplace, "beside": RoleBeside,
	"content": RoleContent, "move": RoleMove, "prefix": RolePrefix, "name": RoleName, "ref": RoleRef, "place": RolePlace, "fill": RoleFill,
	"open": RoleOpen, "address": RoleAddress}

// Option is one option of a command under all its names, or the beginning of an
// operand.
type Option struct {
	// Names are its spellings, with dashes. That of an operand's beginning has
	// none ("of=").
	Names []string
	Value Value
	Role  Role
	// For are the options that it stands for, as git branch -D stands for -d
	// and -f; nil when it is itself.
	For []string
	// Guard is nil when the option is harmless.
	Guard *Guard

	origin
}

// IsOperand reports that the option is the beginning of an operand.
func (o *Option) IsOperand() bool { return o.Names[0][0] != '-' && o.Value == Rest }

// parseOption reads one word of a list of options.
func parseOption(word string) (o Option, problem string) {
	names := word
	switch at := strings.LastIndexByte(word, '='); {
	case strings.LastIndexByte(word, '*') > at:
		end := strings.LastIndexByte(word, '*')
		names, o.Value = word[:end], Rest
		problem = o.role(word[end+1:])
	case strings.HasSuffix(word, "]") && strings.Contains(word, "[="):
		end := strings.LastIndex(word, "[=")
		names, o.Value = word[:end], Attached
		problem = o.role(word[end+2 : len(word)-1])
	case at > 0:
		names, o.Value = word[:at], AnyValue
		if one, ok := strings.CutSuffix(names, "="); ok {
			names, o.Value = one, TwoValues
		}
		problem = o.role(word[at+1:])
	}
	names, meant, stands := strings.Cut(names, ">-")
	if stands {
		o.For = strings.Split("-"+meant, ",")
	}
	o.Names = splitNames(names)
	for _, name := range o.Names {
		if name == "" || name == "-" || o.Value != Rest && name[0] != '-' && len(o.Names) > 1 {
			return o, "is no option"
		}
	}
	return o, problem
}

func (o *Option) role(name string) (problem string) {
	role, known := roles[name]
	if !known {
		return "a value is no " + name
	}
	o.Role = role
	return ""
}

// splitNames splits at commas that a dash follows, since a name may hold others
// (-Wl,*).
func splitNames(names string) (list []string) {
	for {
		at := strings.Index(names, ",-")
		if at < 0 {
			return append(list, names)
		}
		list, names = append(list, names[:at]), names[at+1:]
	}
}

// Option returns the option that a name spells in full, of the command or of
// those around it whose options may stand here too; nil when there is none.
func (c *Command) Option(name string) *Option {
	for at := c; at != nil; at = at.Outer() {
		for _, o := range at.Options {
			if slices.Contains(o.Names, name) {
				return o
			}
		}
	}
	return nil
}
