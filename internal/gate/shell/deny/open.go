package deny

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
	"github.com/pigate/pigate/internal/gate/possible"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/model"
	"github.com/pigate/pigate/internal/gate/shell/pwsh"
)

// MatchVariant reports whether a variant that is sure does what the pattern
// denies.
func (p Pattern) MatchVariant(v model.Variant) bool {
	return p.ofProgram(v.Program(), v.Words) && p.matchReadings(v.Words)
}

// CouldMatch reports whether a variant that is not sure could do what the
// pattern denies: what is written does, and the rest may be what the pattern
// names. An option that the pattern names must be written, or a word be one that
// may turn out to be an option; see argv.Arg.MayBeOption.
func (p Pattern) CouldMatch(v model.Variant) bool {
	if !p.ofProgram(v.Program(), v.Words) {
		return false
	}
	args := v.Words[argv.SkipGlobal(p.known, p.program, v.Words, 1):]
	if !p.couldBeSub(args, v.Wide) {
		return false
	}
	c := newInvocation(p.known, p.program, args)
	var missing []namedOption
	for _, want := range p.options {
		if !c.has(want) && !c.couldHave(want) {
			missing = append(missing, want)
		}
	}
	if !p.rest {
		for _, o := range c.options {
			if !p.names(o) && strings.IndexByte(o.name, 0) < 0 {
				return false
			}
		}
	}
	operands := c.openOperands(args, v.Wide)
	if len(missing) == 0 {
		return p.operandsCould(operands)
	}
	for k := range operands {
		if !operands[k].option {
			continue
		}
		left := append(operands[:k:k], operands[k+1:]...)
		if operands[k].several {
			left = operands
		}
		if p.operandsCould(left) {
			return true
		}
	}
	return false
}

func (p Pattern) ofProgram(program string, words []argv.Arg) bool {
	return p.program != "" && program == p.program && (p.path == "" || words[0].Text == p.path)
}

// couldBeSub reports that the first word may be the pattern's subcommand.
func (p Pattern) couldBeSub(args []argv.Arg, wide bool) bool {
	if p.sub == "" || len(args) == 0 || pwsh.IsCmdlet(p.program) {
		return true
	}
	first := &args[0]
	if first.Sure() {
		return strings.HasPrefix(first.Text, "-") || canonicalSub(p.known, p.program, first.Text) == p.sub
	}
	var t possible.Text
	first.Word(&t, wide)
	return first.Chunks().MayVanish() || t.MeetsWord(p.sub)
}

// couldHave reports an option of which something is not known that may be the
// one wanted.
func (c *invocation) couldHave(want namedOption) bool {
	for _, o := range c.options {
		if at := strings.IndexByte(o.name, 0); at >= 0 && strings.HasPrefix(want.name.String(), o.name[:at]) {
			return true
		}
		if want.given && o.given && argv.HasHole(o.value) {
			bare := want
			if bare.given = false; bare.matches(o) {
				return true
			}
		}
	}
	return false
}

// openOperand is an operand of which not all is known.
type openOperand struct {
	text    possible.Text
	known   string // the text when it is sure
	sure    bool
	several bool // it may be several words
	none    bool // or no word
	option  bool // or an option
}

// openOperands returns the operands of args as they were read.
func (c *invocation) openOperands(args []argv.Arg, wide bool) []openOperand {
	out := make([]openOperand, 0, len(c.operands))
	at := 0
	for _, w := range c.operands {
		o := openOperand{known: w, sure: true}
		for k := at; k < len(args); k++ { // the aliases of subcommands are spelled anew
			if args[k].Text == w {
				at = k + 1
				if a := &args[k]; !a.Sure() {
					o = operandOf(a, wide)
				}
				break
			}
		}
		out = append(out, o)
	}
	return out
}

// operandOf is a word as an operand of which not all is known.
func operandOf(a *argv.Arg, wide bool) openOperand {
	chunks := a.Chunks()
	o := openOperand{option: a.MayBeOption(), none: a.Tail || chunks.MayVanish()}
	o.several = a.Tail || argv.Several(chunks)
	if chunks[0].Kind == argv.Glob && strings.HasPrefix(chunks[0].Text, "*") {
		o.option = false // its text is looked at as it is
	}
	chunks.Into(&o.text, wide, possible.NoDash, possible.Every)
	return o
}

func (o *openOperand) meets(want glob.Pattern) bool {
	if o.sure {
		return want.Match(o.known, false)
	}
	return o.text.MeetsWord(want.String())
}

// operandsCould compares operands in order, as operandsMatch does.
func (p Pattern) operandsCould(operands []openOperand) bool {
	wants := p.operands
	reached := make([]bool, len(wants)+1) // how many of the wants are met
	reached[0] = true
	skipStars := func() {
		for i, want := range wants {
			reached[i+1] = reached[i+1] || reached[i] && want.String() == "*"
		}
	}
	skipStars()
	for k := range operands {
		o := &operands[k]
		next := make([]bool, len(reached))
		for i, want := range wants {
			if !reached[i] {
				continue
			}
			next[i] = next[i] || !p.fixed(i) || o.none
			for n := i; n < len(wants) && (n == i || o.several); n++ {
				if want = wants[n]; want.String() != "*" && !o.meets(want) {
					break
				}
				next[n+1] = true
			}
		}
		if reached[len(wants)] {
			next[len(wants)] = next[len(wants)] || p.rest || o.none
		}
		reached = next
		skipStars()
	}
	return reached[len(wants)]
}
