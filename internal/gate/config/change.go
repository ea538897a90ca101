package config

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/pigate/pigate/internal/gate/config/disk"
	"github.com/pigate/pigate/internal/gate/rule"
)

// change is what a file becomes.
type change struct {
	target        string
	before, after []byte
	missing       bool // before there was no file
	saved         []string
}

// change finds out what a file becomes; after is before when every rule stands
// there already.
func (l *Loader) change(target string, a Addition, rules []rule.Rule) (c change, err error) {
	c.target = target
	global := a.Root == ""
	name := projectName
	if global {
		name = target
	}
	c.before, err = disk.Read(target)
	switch {
	case errors.Is(err, fs.ErrNotExist) && global:
		enabled := true
		c.missing, c.before = true, render(&enabled, *builtIn().allow, []rule.Rule{}, nil) // as seed makes it
	case errors.Is(err, fs.ErrNotExist):
		return l.newFile(target, a.Effect, rules)
	case err != nil:
		return c, fmt.Errorf("read %s: %s", name, disk.Cause(err))
	}
	c.after = c.before
	p := parse(c.before, name, global)
	if p.invalid {
		return c, invalidError(p.why)
	}
	present, inherit, err := l.present(p, a.Effect, global)
	if err != nil {
		return c, err
	}
	fresh := without(rules, present)
	if c.saved = ruleText(fresh); len(c.saved) > 0 {
		c.after = addRules(p, a.Effect, inherit, fresh)
		err = confirm(c.after, name, global, a.Effect, append(present[:len(present):len(present)], lasting(fresh)...))
	}
	if c.missing {
		c.before = nil
	}
	return c, err
}

// present are the texts of the rules of one effect that the file has, or gets
// from below when it has no such list, without those that end; inherit are the
// latter.
func (l *Loader) present(p *fileValues, effect rule.Effect, global bool) (present []string, inherit []rule.Rule, err error) {
	if own := p.of(effect); own != nil {
		return trimmed(own.texts), nil, nil
	}
	below := builtIn()
	if !global {
		if below, err = l.globalLists(); err != nil {
			return nil, nil, err
		}
	}
	list := *below.of(effect)
	return lasting(list), list, nil
}

// of is the list of one effect, nil when the file has none.
func (p *fileValues) of(effect rule.Effect) *ruleList {
	switch effect {
	case rule.Deny:
		return p.deny
	case rule.Ask:
		return p.ask
	case rule.Allow:
	}
	return p.allow
}

// of is the list of one effect.
func (l layer) of(effect rule.Effect) *[]rule.Rule {
	switch effect {
	case rule.Deny:
		return l.deny
	case rule.Ask:
		return l.ask
	case rule.Allow:
	}
	return l.allow
}

// newFile is a project file where there is none.
func (l *Loader) newFile(target string, effect rule.Effect, rules []rule.Rule) (c change, err error) {
	c.target, c.missing = target, true
	below, err := l.globalLists()
	if err != nil {
		return c, err
	}
	list := below.of(effect)
	fresh := without(rules, lasting(*list))
	if c.saved = ruleText(fresh); len(c.saved) == 0 {
		return c, nil
	}
	all := append((*list)[:len(*list):len(*list)], fresh...)
	*list = all
	c.after = render(nil, *below.allow, nonEmpty(*below.deny), nonEmpty(*below.ask))
	return c, confirm(c.after, projectName, false, effect, lasting(all))
}

// nonEmpty is nil for an empty list: written down, it would switch off whatever
// rules of its effect the global file gets later.
func nonEmpty(rules []rule.Rule) []rule.Rule {
	if len(rules) == 0 {
		return nil
	}
	return rules
}

// write puts a change in its place. A new project file is remembered: the person
// has chosen every rule in it, so it counts though nobody was asked about the
// project.
func (l *Loader) write(c change, root string) error {
	switch {
	case len(c.saved) == 0:
		return nil
	case !c.missing:
		return disk.Replace(c.target, c.after)
	case root == "":
		return disk.Create(c.target, c.after, 0o600)
	}
	// Remembered first, the file counts from the moment it is there.
	forget, err := remember(l.agentDir, root)
	if err != nil {
		return fmt.Errorf("remember the project: %w", err)
	}
	if err := disk.Create(c.target, c.after, 0o644); err != nil {
		return errors.Join(err, forget())
	}
	return nil
}

// confirm reads what is about to be written as the gate will read it.
func confirm(out []byte, name string, global bool, effect rule.Effect, want []string) error {
	if len(out) > disk.MaxSize {
		return disk.ErrTooLarge
	}
	p := parse(out, name, global)
	if p.invalid || p.of(effect) == nil || !slices.Equal(trimmed(p.of(effect).texts), want) {
		return fmt.Errorf("%s would not read back as it was meant", name)
	}
	return nil
}
