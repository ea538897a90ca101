package deny

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// matchReadings tries every way to read the options in front of a subcommand: one
// that is not told may take the next word as its value. It also tries the
// subcommand that has the effect of another one.
func (p Pattern) matchReadings(words []argv.Arg) bool {
	start := argv.SkipGlobal(p.known, p.program, words, 1)
	if p.matchArgs(words[start:]) {
		return true
	}
	if len(p.operands) == 0 || p.operands[0].Wild() {
		return false
	}
	known := p.known.Lookup(p.program)
	for taking := 1; ; taking++ {
		next, taken := skipTaking(known, words, taking)
		if taken < taking {
			break
		}
		if p.matchArgs(words[next:]) {
			return true
		}
	}
	return known != nil && p.matchSame(known, words, start)
}

// skipTaking is argv.SkipGlobal where the first options that are not told, up to a
// number of them, take the next word. It returns how many did.
func skipTaking(p *catalog.Program, words []argv.Arg, most int) (next, taken int) {
	c := &catalog.Command{}
	if p != nil {
		c = &p.Command
	}
	i := 1
	for i < len(words) {
		t := words[i].Text
		if len(t) < 2 || t[0] != '-' || t == "--" {
			break
		}
		n, told := argv.OptionValues(c, words[i:])
		if !told && !isFlag(t) && taken < most && i+1 < len(words) && !strings.HasPrefix(words[i+1].Text, "-") {
			n, taken = 1, taken+1
		}
		i += 1 + n
	}
	return min(i, len(words)), taken
}

// commonFlags take no value wherever they are met.
var commonFlags = strings.Fields("-v --verbose -q --quiet -s --silent -y --yes -h --help -V --version --debug --json --dry-run --force --color --colour --offline --trace --strict")

func isFlag(word string) bool {
	return strings.HasPrefix(word, "--no-") || slices.Contains(commonFlags, word)
}

// matchSame compares a subcommand by the one whose effect it has: git send-pack
// is a push.
func (p Pattern) matchSame(known *catalog.Program, words []argv.Arg, start int) bool {
	at := &known.Command
	for i := start; i < len(words); i++ {
		sub := at.Named(words[i].Text)
		if sub == nil {
			break
		}
		if sub.Same != nil {
			same := make([]argv.Arg, 0, len(words))
			for _, word := range sub.Same {
				same = append(same, argv.Arg{Text: word, Literal: true})
			}
			if p.matchArgs(append(same, words[i+1:]...)) {
				return true
			}
		}
		at = sub
	}
	return false
}
