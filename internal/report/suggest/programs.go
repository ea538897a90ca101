package suggest

import (
	"strings"
	"sync"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/policy"
)

// starters are the subcommands that start what their next word names, a task or
// a program: "turbo run", "cargo xtask", "yarn node".
const starters = `do exec node run run-many run-script script task tasks x xtask`

// consoles are the scripts that a framework puts all of its commands behind.
const consoles = `ace artisan cake console craft manage.py occ rails rake spark symfony wp yii`

// class is what sort of thing a command does, from the least to the most risky.
type class uint8

const (
	looks class = iota
	shapes
	builds
	local
	unknown
	reaches
	guards
	publishes
	destroys
)

// classes say how risky each class is, from 0 to 1, and in words. The figures
// are judgements, to be argued with: docs/suggest.md gives the reasons.
var classes = [...]struct {
	risk  float64
	words string
}{
	looks:     {0.05, "only looks"},
	shapes:    {0.15, "changes small things that are easy to undo"},
	builds:    {0.25, "runs the project's own code"},
	local:     {0.30, "changes files or the repository, here only"},
	unknown:   {0.45, "does what pigate knows nothing about"},
	reaches:   {0.60, "reaches the network or installs what it fetches"},
	guards:    {0.65, "has a flag that the gate guards"},
	publishes: {0.80, "publishes, deploys or changes what others see"},
	destroys:  {0.95, "deletes or overwrites for good"},
}

// classNames are the catalogue's names of the classes.
var classNames = map[catalog.Class]class{catalog.ClassLooks: looks, catalog.ClassShapes: shapes, catalog.ClassBuilds: builds,
	catalog.ClassLocal: local, catalog.ClassReaches: reaches, catalog.ClassPublishes: publishes, catalog.ClassDestroys: destroys}

// knowledge is the catalogue in force, asked what drafts depend on.
type knowledge struct{ *catalog.Catalog }

// knows is what a policy knows of programs, but for what the project's files say:
// what is drafted is no more than what the person knows.
func knows(p *policy.Policy) knowledge { return knowledge{p.Settings.Programs.Own()} }

// classOf is the class of a program's subcommand, or of the program without one.
func (k knowledge) classOf(program string, sub ...string) (class, bool) {
	p := k.Lookup(program)
	if p == nil {
		return unknown, false
	}
	name := p.Class
	if len(sub) > 0 {
		name = p.Classes[strings.Join(sub, " ")]
	}
	c, known := classNames[name]
	return c, known
}

// draftOf is what the catalogue tells of drafts from a program.
func (k knowledge) draftOf(program string) catalog.Draft {
	if p := k.Lookup(program); p != nil {
		return p.Draft
	}
	return ""
}

func (k knowledge) isNever(program string) bool  { return k.draftOf(program) == catalog.DraftNever }
func (k knowledge) isLooker(program string) bool { return k.draftOf(program) == catalog.DraftFree }
func (k knowledge) isFed(program string) bool    { return k.draftOf(program) == catalog.DraftFile }
func (k knowledge) isMany(program string) bool   { return k.draftOf(program) == catalog.DraftTasks }

// set makes a set of the words of a list.
func set(list string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}

var (
	isInstalled = sync.OnceValue(func() map[string]bool { return set(installed) })
	isStarter   = sync.OnceValue(func() map[string]bool { return set(starters) })
	isConsole   = sync.OnceValue(func() map[string]bool { return set(consoles) })
	isSteering  = sync.OnceValue(func() map[string]bool { return set(steering) })
	isNote      = sync.OnceValue(func() map[string]bool { return set(notes) })
	isSteered   = sync.OnceValue(func() map[string]bool { return set(steers) })
)

// base is the name of a program without its folder.
func base(program string) string { return program[strings.LastIndexByte(program, '/')+1:] }

// installed are the folders where a program is what its name says; anywhere else
// it may be anything, whatever it is called.
const installed = `/bin /sbin /usr/bin /usr/sbin /usr/local/bin /opt/homebrew/bin node_modules/.bin ./node_modules/.bin .venv/bin ./.venv/bin venv/bin ./venv/bin vendor/bin ./vendor/bin`

// trusted is the name of a program, with its folder unless that is one of
// programs that are installed.
func (k knowledge) trusted(program string) string {
	at := strings.LastIndexByte(program, '/')
	if at < 0 || isInstalled()[program[:at]] || k.isMany(program[at+1:]) {
		return program[at+1:]
	}
	return program
}

// carries reports that a program of which nothing is known is followed by one
// that is known, which it most likely runs.
func (k knowledge) carries(list []string) bool {
	return len(list) > 1 && !k.isKnown(k.trusted(list[0])) && k.isKnown(list[1])
}

// isKnown reports a program of which the catalogue tells the class, or that of a
// subcommand.
func (k knowledge) isKnown(program string) bool {
	p := k.Lookup(program)
	return p != nil && (p.Class != "" || p.Classes != nil)
}

// classify finds the class of a command: of its words, options before a
// subcommand left out as in shape.
func (k knowledge) classify(list []string, shape string) class {
	best, longest, program := unknown, 0, k.trusted(list[0])
	if k.isNever(base(program)) {
		program = base(program) // dangerous by its name, wherever it is
	}
	for _, form := range [2][]string{list, strings.Fields(shape)} {
		for n := min(len(form), 4); n > longest; n-- {
			if c, ok := k.classOf(program, form[1:n]...); ok {
				best, longest = c, n
				break
			}
		}
	}
	return best
}
