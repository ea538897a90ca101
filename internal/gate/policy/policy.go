package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/gate/shell"
)

// The two ways of judging an output redirection.
const (
	// RedirectionsAsk is the original's coarse rule: any ">" in a command asks.
	RedirectionsAsk = "ask"
	// RedirectionsPrecise judges the target as an edit.
	RedirectionsPrecise = "precise"
)

// The two ways of judging a command that writes or deletes outside the project
// under a rule with a wildcard that does not spell the path.
const (
	// OutsideAsk asks.
	OutsideAsk = "ask"
	// OutsideAllow lets the rule cover it.
	OutsideAllow = "allow"
)

// The two ways of judging a file of another worktree of the project's
// repository.
const (
	// WorktreesOutside has it lie outside the project.
	WorktreesOutside = "outside"
	// WorktreesInside judges it as the same file of the project.
	WorktreesInside = "inside"
)

// Settings are the keys of the configuration, other than the rules, that a
// decision depends on.
type Settings struct {
	// Enabled is false for a gate that is switched off.
	Enabled bool
	// Redirections is RedirectionsAsk or RedirectionsPrecise.
	Redirections string
	// GuardedFlags reports that options by which an innocent-looking program
	// runs others, writes or connects ask in spite of a wildcard rule.
	GuardedFlags bool
	// Outside is OutsideAsk or OutsideAllow.
	Outside string
	// InsideWorktrees is what WorktreesInside says.
	InsideWorktrees bool
	// SessionApprovals is what "Allow for session" covers.
	SessionApprovals Coverage
	// Programs is what is known of programs; nil is what this binary knows. Its
	// digest is part of the canonical form.
	Programs *catalog.Layers
	// Ceiling is what runs unasked at most; nil is no bound. It is part of the
	// canonical form.
	Ceiling *Ceiling
	// Broken says what is wrong with a file about programs, "" when nothing is.
	// While it says something, a command passes only by a rule that spells it out.
	Broken string
}

// DefaultSettings are the settings of an empty configuration.
func DefaultSettings() Settings {
	return Settings{Enabled: true, Redirections: RedirectionsAsk, GuardedFlags: true, Outside: OutsideAsk, SessionApprovals: CoverTarget}
}

// Policy is a compiled set of effective rules and settings. It does not change
// after NewPolicy and may be used by several goroutines.
type Policy struct {
	Settings Settings
	// Rules are the allow rules, the deny rules and then the ask rules, in the order
	// of the configuration.
	Rules []rule.Rule

	known    *catalog.Catalog // what commands are read by
	beside   []*Policy        // the same rules, by the other catalogues that judge
	programs string           // see Programs

	digest string
	body   []byte
	allow  table
	deny   table
	// asking denies what the ask rules ask about, nil without any: they are matched
	// in the very way of deny rules.
	asking *Policy
	// ceiling allows what may run unasked at most, nil without such a bound.
	ceiling *Policy
}

// New compiles rules. The effect of each decides which list it joins.
func New(settings Settings, rules []rule.Rule) *Policy {
	return read(settings, rules, settings.Programs.Digest())
}

// read is New for a policy of which programs is the digest of what was known of
// programs, though it may be that nobody knows that any more.
func read(settings Settings, rules []rule.Rule, programs string) *Policy {
	own := settings.Programs.Own()
	p := compile(settings, rules, own)
	for _, step := range settings.Programs.Steps() {
		if step != own {
			p.beside = append(p.beside, compile(settings, rules, step))
		}
	}
	p.programs = programs
	p.body = p.canonical()
	sum := sha256.Sum256(p.body)
	p.digest = hex.EncodeToString(sum[:])
	return p
}

// compile makes a policy that reads commands by one catalogue.
func compile(settings Settings, rules []rule.Rule, known *catalog.Catalog) *Policy {
	p := &Policy{Settings: settings, Rules: rules, known: known}
	var asking []rule.Rule
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Effect == rule.Ask {
			as := *r
			as.Effect = rule.Deny
			asking = append(asking, as)
			continue
		}
		if r.Effect == rule.Deny {
			p.deny.add(r)
			for _, named := range p.compileNamed(r) {
				p.deny.named[named.Program()] = append(p.deny.named[named.Program()], namedRule{named, r})
			}
			continue
		}
		p.allow.add(r)
	}
	if asking != nil {
		p.asking = compile(settings.unbounded(), asking, known)
	}
	if settings.Ceiling != nil {
		p.ceiling = compile(settings.unbounded(), settings.Ceiling.Rules, known)
	}
	return p
}

// unbounded are the settings without the ceiling.
func (s Settings) unbounded() Settings {
	s.Ceiling = nil
	return s
}

// Programs is the digest of the files about programs that were in force, "" for
// none. Of a policy that Parse returned, Settings.Programs need not be what it is
// of.
func (p *Policy) Programs() string { return p.programs }

// Knowing returns the policy with the same rules that reads commands by what
// another knows of programs.
func (p *Policy) Knowing(other *Policy) *Policy {
	if p.Settings.Programs == other.Settings.Programs && p.programs == other.programs {
		return p
	}
	settings := p.Settings
	settings.Programs = other.Settings.Programs
	return New(settings, p.Rules)
}

// compileNamed compiles a rule by its meaning: what it names, and what it names
// through a runner.
func (p *Policy) compileNamed(r *rule.Rule) (list []shell.DenyPattern) {
	if r.Scope != rule.Shell || r.Whole {
		return nil
	}
	reader := shell.Reader{Known: p.known}
	for _, compile := range []func(string) (shell.DenyPattern, bool){reader.CompileDeny, reader.CompileRun} {
		if named, ok := compile(r.Pattern.String()); ok {
			list = append(list, named)
		}
	}
	return list
}

// Digest is the SHA-256, in hex, of Canonical.
func (p *Policy) Digest() string { return p.digest }

// Canonical is the policy as one line of JSON that depends on nothing but its
// rules and settings: not on files, lines or the order of keys. The rules keep
// their order.
func (p *Policy) Canonical() []byte { return p.body }

func (p *Policy) canonical() []byte {
	texts := func(effect rule.Effect) []string {
		list := []string{}
		for _, r := range p.Rules {
			if r.Effect == effect {
				list = append(list, r.Text)
			}
		}
		return list
	}
	text := policyText{Version: policyVersion, Enabled: p.Settings.Enabled, Allow: texts(rule.Allow), Deny: texts(rule.Deny),
		Redirections: p.Settings.Redirections, GuardedFlags: p.Settings.GuardedFlags}
	if p.Settings.Outside == OutsideAllow {
		text.Outside = OutsideAllow
	}
	if p.Settings.InsideWorktrees {
		text.Worktrees = WorktreesInside
	}
	if p.Settings.SessionApprovals != CoverTarget {
		text.SessionApprovals = CoverExact
	}
	if ask := texts(rule.Ask); len(ask) > 0 {
		text.Ask = ask
	}
	text.Ceiling = p.Settings.Ceiling.texts()
	for _, r := range p.Rules {
		if r.Reason != "" {
			if text.Reasons == nil {
				text.Reasons = map[string]string{}
			}
			text.Reasons[reasonKey(r)] = r.Reason
		}
	}
	text.Programs, text.Broken = p.programs, p.Settings.Broken != ""
	body, err := json.Marshal(text)
	if err != nil {
		panic(err) // strings and booleans always encode
	}
	return body
}

// table holds the rules of one effect by what they are matched against, shell
// rules by their first literal word, so that the number of rules of other
// programs costs nothing.
type table struct {
	whole   []*rule.Rule
	edit    []*rule.Rule
	read    []*rule.Rule
	mcp     []*rule.Rule
	byWord  map[string][]*rule.Rule // lower-cased first word
	anyWord []*rule.Rule
	named   map[string][]namedRule
	args    []*rule.Rule // those that narrow tools by arguments
}

type namedRule struct {
	pattern shell.DenyPattern
	rule    *rule.Rule
}

func (t *table) add(r *rule.Rule) {
	if t.byWord == nil {
		t.byWord, t.named = map[string][]*rule.Rule{}, map[string][]namedRule{}
	}
	switch {
	case r.Args != nil:
		t.args = append(t.args, r)
	case r.Whole:
		t.whole = append(t.whole, r)
	case r.Scope == rule.Edit:
		t.edit = append(t.edit, r)
	case r.Scope == rule.Read:
		t.read = append(t.read, r)
	case r.Scope == rule.MCP:
		t.mcp = append(t.mcp, r)
	case r.Scope == rule.Shell:
		if word, ok := r.FirstWord(true); ok {
			t.byWord[word] = append(t.byWord[word], r)
			return
		}
		t.anyWord = append(t.anyWord, r)
	}
}

// hasShell reports rules for commands.
func (t *table) hasShell() bool { return len(t.byWord)+len(t.anyWord) > 0 }

// shellRules calls found for each shell rule that matches text, until found
// returns false.
func (t *table) shellRules(text string, fold bool, found func(*rule.Rule) bool) {
	word, _, _ := strings.Cut(text, " ")
	for _, list := range [2][]*rule.Rule{t.byWord[strings.ToLower(word)], t.anyWord} {
		for _, r := range list {
			if r.Pattern.Match(text, fold) && !found(r) {
				return
			}
		}
	}
}

// openRules calls found for each shell rule that could match one of the texts.
func (t *table) openRules(o shell.OpenText, fold bool, found func(*rule.Rule) bool) {
	for _, list := range [2][]*rule.Rule{t.byWord[strings.ToLower(o.Program)], t.anyWord} {
		for _, r := range list {
			if o.Text.Meets(r.Pattern.String(), fold) && !found(r) {
				return
			}
		}
	}
}

// wholeTool returns the first rule that covers every call of the tool.
func (t *table) wholeTool(tool, scope string) *rule.Rule {
	for _, r := range t.whole {
		if r.WholeTool(tool, scope) {
			return r
		}
	}
	return nil
}
