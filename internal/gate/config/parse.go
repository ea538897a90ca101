package config

import (
	"fmt"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// fileValues is what one file says. A nil field is a key that the file does not
// define (or, in an invalid file, defines wrongly).
type fileValues struct {
	doc *document
	// invalid reports that the file must not be relied upon; why is the first
	// reason.
	invalid bool
	why     Warning

	allow, deny, ask *ruleList
	enabled          *bool
	redirections     *string
	guardedFlags     *bool
	outside          *string
	worktrees        *string
	projectTrust     *string
	journal          *JournalSettings
	approvals        *policy.Coverage

	warnings []Warning
	more     int // warnings beyond maxWarnings
}

// ruleList is an allow, ask or deny list of a file.
type ruleList struct {
	// rules are the ones that count until they end, texts every entry without an
	// end as it was written.
	rules []rule.Rule
	texts []string
	// elements are the indexes of the rules in array.
	elements []int
	// array is the list in the syntax tree, value the same with its place.
	array *hujson.Array
	value hujson.Value
}

// counting are the rules of a list that a file may not have.
func (l *ruleList) counting() []rule.Rule {
	if l == nil {
		return nil
	}
	return l.rules
}

// parser reads one file; file is its name as people see it.
type parser struct {
	file   string
	global bool
	doc    *document
	out    *fileValues
	// strict makes a rule that is none, and an unknown key, spoil the whole.
	strict bool
}

// parse reads the text of a file. It accepts any bytes: what is wrong with them
// becomes warnings. Global says which of the two files it is.
func parse(raw []byte, file string, global bool) *fileValues {
	p := &parser{file: file, global: global, doc: readDocument(raw)}
	p.out = &fileValues{doc: p.doc}
	if p.doc.err != "" {
		p.refuse(p.doc.at, p.doc.err)
	}
	if p.doc.root != nil {
		p.object(p.doc.root)
	}
	if p.out.more > 0 {
		p.out.warnings = append(p.out.warnings, Warning{File: file, Text: fmt.Sprintf("and %d more", p.out.more)})
	}
	return p.out
}

// warn adds a warning about an offset in the text.
func (p *parser) warn(at int, format string, args ...any) {
	if len(p.out.warnings) >= maxWarnings {
		p.out.more++
		return
	}
	p.out.warnings = append(p.out.warnings, p.warning(at, fmt.Sprintf(format, args...)))
}

func (p *parser) warning(at int, text string) Warning {
	return Warning{File: p.file, Line: p.doc.line(at), Column: p.doc.column(at), Text: text}
}

// refuse makes the file invalid. The first time its warning says what follows
// from that, and is given however many there are.
func (p *parser) refuse(at int, text string) {
	if p.out.invalid {
		p.warn(at, "%s", text)
		return
	}
	p.out.invalid, p.out.why = true, p.warning(at, text)
	p.out.warnings = append(p.out.warnings, p.warning(at, text+consequence))
}

const consequence = "; until this is mended the file allows nothing, and its deny and ask rules stay in force as far as they are known"

func (p *parser) object(root *hujson.Object) {
	for _, m := range p.last(root, "") {
		name, value := m.Name.Value.(hujson.Literal).String(), m.Value
		if !p.global && (name == keyGuardedFlags || name == keyOutside || name == keyWorktrees || name == keyProjectTrust || name == keyJournal) {
			p.warn(m.Name.StartOffset, "%q counts in the global file only and is ignored here", name)
			continue
		}
		switch name {
		case keyAllow:
			p.out.allow = p.rules(m, rule.Allow)
		case keyDeny:
			p.out.deny = p.rules(m, rule.Deny)
		case keyAsk:
			p.out.ask = p.rules(m, rule.Ask)
		case keySchema:
		case keyEnabled:
			p.out.enabled = p.boolean(name, value)
		case keyGuardedFlags:
			p.out.guardedFlags = p.boolean(name, value)
		case keyOutside:
			p.out.outside = p.choice(name, value, policy.OutsideAsk, policy.OutsideAllow)
		case keyWorktrees:
			p.out.worktrees = p.choice(name, value, policy.WorktreesOutside, policy.WorktreesInside)
		case keyRedirections:
			p.out.redirections = p.choice(name, value, policy.RedirectionsAsk, policy.RedirectionsPrecise)
		case keyProjectTrust:
			p.out.projectTrust = p.choice(name, value, ProjectTrustAsked, ProjectTrustPi)
		case keyJournal:
			p.journal(value)
		case keySessionApprovals:
			p.out.approvals = p.approvals(name, value)
		default:
			p.unknown(m, name)
		}
	}
}

// last returns the members of an object without those that a later one of the
// same name replaces, which JSON.parse does too.
func (p *parser) last(o *hujson.Object, prefix string) []hujson.ObjectMember {
	at := make(map[string]int, len(o.Members))
	for i, m := range o.Members {
		name := m.Name.Value.(hujson.Literal).String()
		if before, twice := at[name]; twice {
			p.warn(m.Name.StartOffset, "%q stands here again; the one on line %d is ignored", prefix+name,
				p.doc.line(o.Members[before].Name.StartOffset))
		}
		at[name] = i
	}
	members := make([]hujson.ObjectMember, 0, len(at))
	for i, m := range o.Members {
		if at[m.Name.Value.(hujson.Literal).String()] == i {
			members = append(members, m)
		}
	}
	return members
}

// rules reads a list of rules. A rule that the grammar refuses is left out; an
// entry that is neither a text nor an object with a rule makes the file invalid.
func (p *parser) rules(m hujson.ObjectMember, effect rule.Effect) *ruleList {
	array, ok := m.Value.Value.(*hujson.Array)
	if !ok {
		p.refuse(m.Value.StartOffset, fmt.Sprintf("%q must be a list of rules, not %s", effect, kindName(m.Value)))
		if effect == rule.Allow || m.Value.Value.Kind() != '"' {
			return nil
		}
		// What it says is plain, and it counts for denying.
		array = &hujson.Array{Elements: []hujson.Value{m.Value}}
	}
	list := &ruleList{array: array, value: m.Value}
	for i, element := range array.Elements {
		e, ok := p.entry(element, effect)
		if !ok {
			continue
		}
		text := e.text
		if e.until.IsZero() {
			list.texts = append(list.texts, text)
		}
		r, err := rule.Parse(text)
		if err != nil {
			if p.strict {
				p.refuse(element.StartOffset, fmt.Sprintf("rule %q: %v", text, err))
			}
			p.warn(element.StartOffset, "the %s rule %q is ignored: %v", effect, text, err)
			continue
		}
		r.Effect = effect
		if idle := r.Idle(); idle != "" {
			p.warn(element.StartOffset, "the %s rule %q: %s", effect, text, idle)
		}
		r.File, r.Line = p.file, p.doc.line(element.StartOffset)
		r.Reason, r.Until = e.reason, e.until
		list.rules, list.elements = append(list.rules, r), append(list.elements, i)
	}
	return list
}

func (p *parser) boolean(name string, v hujson.Value) *bool {
	literal, ok := v.Value.(hujson.Literal)
	if !ok || (literal.Kind() != 't' && literal.Kind() != 'f') {
		p.refuse(v.StartOffset, fmt.Sprintf("%q must be true or false, not %s", name, kindName(v)))
		return nil
	}
	value := literal.Bool()
	return &value
}

func (p *parser) choice(name string, v hujson.Value, values ...string) *string {
	if v.Value.Kind() == '"' {
		text := v.Value.(hujson.Literal).String()
		for _, value := range values {
			if text == value {
				return &value
			}
		}
	}
	p.refuse(v.StartOffset, fmt.Sprintf(`%q must be "%s"`, name, strings.Join(values, `" or "`)))
	return nil
}

// approvals reads what session approvals cover. A project's file can make that
// less, not more.
func (p *parser) approvals(name string, v hujson.Value) *policy.Coverage {
	value := p.choice(name, v, string(policy.CoverTarget), string(policy.CoverExact))
	if value == nil {
		return nil
	}
	covers := policy.Coverage(*value)
	if !p.global && covers != policy.CoverExact {
		p.warn(v.StartOffset, `"%s": "%s" counts in the global file only and is ignored here; a project's file can only set "%s"`,
			name, covers, policy.CoverExact)
		return nil
	}
	return &covers
}

func (p *parser) journal(v hujson.Value) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		p.refuse(v.StartOffset, fmt.Sprintf("%q must be an object, not %s", keyJournal, kindName(v)))
		return
	}
	const prefix = keyJournal + "."
	settings := DefaultJournal()
	p.out.journal = &settings
	for _, m := range p.last(object, prefix) {
		name := m.Name.Value.(hujson.Literal).String()
		var setting *string
		var values [2]string
		switch name {
		case keyRecord:
			setting, values = &settings.Record, [2]string{RecordAll, RecordGated}
		case keyDurability:
			setting, values = &settings.Durability, [2]string{DurabilityPower, DurabilityProcess}
		case keyOnError:
			setting, values = &settings.OnError, [2]string{OnErrorBlock, OnErrorWarn}
		default:
			p.unknown(m, prefix+name)
			continue
		}
		if value := p.choice(prefix+name, m.Value, values[:]...); value != nil {
			*setting = *value
		}
	}
}

// unknown tells of a key that means nothing here: a setting or a list with its
// name misspelt would otherwise be missed in silence. It stays in its file.
func (p *parser) unknown(m hujson.ObjectMember, name string) {
	if p.strict {
		p.refuse(m.Name.StartOffset, fmt.Sprintf("%q is no key that pigate knows", name))
	}
	p.warn(m.Name.StartOffset, "%q is no key that pigate knows, and means nothing", name)
}
