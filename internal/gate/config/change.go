package config

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

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
func (l *Loader) change(target string, a Addition, texts []string) (c change, err error) {
	c.target = target
	global := a.Root == ""
	name := projectName
	if global {
		name = target
	}
	c.before, err = readFile(target)
	switch {
	case errors.Is(err, fs.ErrNotExist) && global:
		enabled := true
		c.missing, c.before = true, render(&enabled, defaultAllow, []string{}) // as seed makes it
	case errors.Is(err, fs.ErrNotExist):
		return l.newFile(target, a.Effect, texts)
	case err != nil:
		return c, fmt.Errorf("read %s: %s", name, cause(err))
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
	if c.saved = without(texts, present); len(c.saved) > 0 {
		c.after = addRules(p, a.Effect, inherit, c.saved)
		err = confirm(c.after, name, global, a.Effect, append(present[:len(present):len(present)], c.saved...))
	}
	if c.missing {
		c.before = nil
	}
	return c, err
}

// present are the rules of one effect that the file has, or gets from below when
// it has no such list; inherit are the latter.
func (l *Loader) present(p *fileValues, effect rule.Effect, global bool) (present, inherit []string, err error) {
	if own := p.of(effect); own != nil {
		return trimmed(own.texts), nil, nil
	}
	allow, deny := ruleText(*builtIn().allow), []string(nil)
	if !global {
		if allow, deny, err = l.globalLists(); err != nil {
			return nil, nil, err
		}
	}
	if effect == rule.Deny {
		return deny, deny, nil
	}
	return allow, allow, nil
}

// of is the list of one effect, nil when the file has none.
func (p *fileValues) of(effect rule.Effect) *ruleList {
	if effect == rule.Deny {
		return p.deny
	}
	return p.allow
}

// newFile is a project file where there is none.
func (l *Loader) newFile(target string, effect rule.Effect, texts []string) (c change, err error) {
	c.target, c.missing = target, true
	allow, deny, err := l.globalLists()
	if err != nil {
		return c, err
	}
	list := &allow
	if effect == rule.Deny {
		list = &deny
	}
	if c.saved = without(texts, *list); len(c.saved) == 0 {
		return c, nil
	}
	*list = append(*list, c.saved...)
	// An empty deny list is left out: written down, it would switch off whatever
	// deny rules the global file gets later.
	if len(deny) == 0 {
		deny = nil
	}
	c.after = render(nil, allow, deny)
	return c, confirm(c.after, projectName, false, effect, *list)
}

// write puts a change in its place. A new project file is remembered: the person
// has chosen every rule in it, so it counts though nobody was asked about the
// project.
func (l *Loader) write(c change, root string) error {
	switch {
	case len(c.saved) == 0:
		return nil
	case !c.missing:
		return replaceFile(c.target, c.after)
	case root == "":
		return createFile(c.target, c.after, 0o600)
	}
	// Remembered first, the file counts from the moment it is there.
	forget, err := remember(l.agentDir, root)
	if err != nil {
		return fmt.Errorf("remember the project: %w", err)
	}
	if err := createFile(c.target, c.after, 0o644); err != nil {
		return errors.Join(err, forget())
	}
	return nil
}

// confirm reads what is about to be written as the gate will read it.
func confirm(out []byte, name string, global bool, effect rule.Effect, want []string) error {
	if len(out) > maxSize {
		return errTooLarge
	}
	p := parse(out, name, global)
	if p.invalid || p.of(effect) == nil || !slices.Equal(trimmed(p.of(effect).texts), want) {
		return fmt.Errorf("%s would not read back as it was meant", name)
	}
	return nil
}
