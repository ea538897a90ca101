package catalog

// Runs says how a command is given another one that it runs.
type Runs struct {
	// Operands is how many operands come before the command.
	Operands int
	// OnlyOptions reports that only options give a command.
	OnlyOptions bool
	// OptionsAfter reports that options may follow the operands too.
	OptionsAfter bool
	// BehindDashes reports that there is a command only after "--".
	BehindDashes bool
	// After are the options after which the rest is the command.
	After []string
	// As is how the words are meant.
	As Form
	// Unknown is what an option is that is not told.
	Unknown Unknown
	// NotWith are options with which nothing is run, ShellWith those with which
	// a shell is.
	NotWith, ShellWith []string
	// Assignments reports that NAME=value may stand before the command.
	Assignments bool
	// LoneDash reports that "-" alone is an option.
	LoneDash bool
	// Stdin reports that without a command it runs what its input holds.
	Stdin bool
	// Feeds reports that its input becomes arguments of the command.
	Feeds bool
	// Elsewhere reports that the command runs on another machine or in another
	// root.
	Elsewhere bool
	// Runner reports that it runs a program of a project or of a package.
	Runner bool
	// Shown reports that it needs no rule of its own and deny rules see what it
	// runs; Transparent that what it runs needs one instead.
	Shown, Transparent bool
	// Program is the program that its words are for, "" when they name it.
	Program string
	// Bins reports that a word in the place of a subcommand which is not told is
	// a program that it runs.
	Bins bool
	// Packages is how the program is named as a package.
	Packages Packages
	// Holds are texts one of which the word in the program's place must hold to
	// be one; nil when any may be.
	Holds []string
	// Reader is one of Readers, when no table can tell; "" otherwise.
	Reader string

	origin
}

// Form is how the words of a command are meant that another one runs.
type Form uint8

// The forms.
const (
	AsWords Form = iota // the words are the command
	AsText              // joined by blanks they are shell text
	AsTexts             // each is shell text
)

// Packages is how a runner is given the package of the program that it runs.
type Packages uint8

// The ways to name a package.
const (
	NoPackages     Packages = iota
	NodePackages            // name@5, npm:name@5, alias@npm:name@5, name#tag
	PythonPackages          // name==0.4, name@0.4, name[extra], and other comparisons
	GoPackages              // path/name@v1.2, path/name/v2@latest
	NixPackages             // flake#name
)

// Unknown is what an option is that the catalogue does not tell.
type Unknown uint8

// What unknown options are.
const (
	Unsure  Unknown = iota // the command cannot be told
	IsFlag                 // it takes no value
	IsValue                // a long one takes a value
)

// Input says how a program runs code that it reads from its input.
type Input struct {
	// GivenBy are the options that give it the code, or leave nothing to run.
	GivenBy []string
	// Operands is how many operands leave the input unread, -1 when none does.
	Operands int
	// Dash reports that it reads its input only when an operand is "-".
	Dash bool
	// StepsOver are subcommands to step over.
	StepsOver []string
}

var forms = map[string]Form{"words": AsWords, "text": AsText, "texts": AsTexts}

var packages = map[string]Packages{"node": NodePackages, "python": PythonPackages, "go": GoPackages, "nix": NixPackages}

var unknowns = map[string]Unknown{"flag": IsFlag, "value": IsValue}

func toRuns(s *section, at int, fields []entry) (*Runs, error) {
	r := &Runs{origin: origin{s.file, at}}
	words := map[string]*[]string{"after": &r.After, "not-with": &r.NotWith, "shell-with": &r.ShellWith,
		"if-holds": &r.Holds}
	flags := map[string]*bool{"only-options": &r.OnlyOptions, "options-after": &r.OptionsAfter, "behind-dashes": &r.BehindDashes,
		"assignments": &r.Assignments, "lone-dash": &r.LoneDash, "stdin": &r.Stdin, "feeds": &r.Feeds, "elsewhere": &r.Elsewhere,
		"runner": &r.Runner, "bins": &r.Bins, "shown": &r.Shown, "transparent": &r.Transparent}
	for _, e := range fields {
		ok := true
		switch {
		case words[e.key] != nil:
			*words[e.key], ok = e.value.words()
		case flags[e.key] != nil:
			*flags[e.key], ok = e.value.yes()
		case e.key == "operands":
			r.Operands, ok = e.value.number()
		case e.key == "as":
			r.As, ok = forms[e.value.text]
		case e.key == "unknown":
			r.Unknown, ok = unknowns[e.value.text]
		case e.key == "packages":
			r.Packages, ok = packages[e.value.text]
		case e.key == "program":
			r.Program = e.value.text
		case e.key == "reader":
			if r.Reader = e.value.text; Readers[r.Reader] == "" {
				return nil, s.wrongAt(e.at, "there is no reader %q", r.Reader)
			}
		default:
			return nil, s.wrongAt(e.at, "unknown field %q of runs", e.key)
		}
		if !ok {
			return nil, s.wrongAt(e.at, "%q has the wrong type or value", e.key)
		}
	}
	return r, nil
}

func toInput(s *section, fields []entry) (*Input, error) {
	in := &Input{Operands: 1}
	for _, e := range fields {
		ok := true
		switch e.key {
		case "given-by":
			in.GivenBy, ok = e.value.words()
		case "operands":
			in.Operands, ok = e.value.number()
		case "dash":
			in.Dash, ok = e.value.yes()
		case "steps-over":
			in.StepsOver, ok = e.value.words()
		default:
			return nil, s.wrongAt(e.at, "unknown field %q of input", e.key)
		}
		if !ok {
			return nil, s.wrongAt(e.at, "%q has the wrong type", e.key)
		}
	}
	return in, nil
}
