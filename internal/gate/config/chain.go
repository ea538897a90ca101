package config

import (
	"path/filepath"
	"slices"

	"github.com/pigate/pigate/internal/gate/checkout"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// counted is one of a project's files that count, with what it is read as.
type counted struct {
	state   FileState
	reading *snapshot
	// rel is where the session's folder lies in the one that the rules are relative
	// to, "" where they are the same; base is the latter, and lexical the same by the
	// links that lead to the session's folder.
	rel, base, lexical string
}

// chain lists the files that count for a project, the one whose allow rules count
// first. Of the others only deny and ask rules count. There is always a first one,
// that of the session's own folder where no file exists.
func (l *Loader) chain(p *projectFiles, at checkout.Layout, trust policy.Trust, setting string) []counted {
	state, own := l.readProject(p, at.Own, trust, setting)
	list := []counted{{state: state, reading: own}}
	for i, folder := range slices.Concat(at.Above, at.Beyond) {
		s := p.above[folder.Path]
		if s == nil {
			s = &source{path: FilesOf(l.agentDir, folder.Path).Project, name: nameOf(folder)}
			p.above[folder.Path] = s
		}
		r := s.read(false)
		if r.content.missing {
			continue
		}
		c := counted{rel: folder.Rel, base: folder.Base[0]}
		if len(folder.Base) > 1 {
			c.lexical = folder.Base[1]
		}
		if nearest := !list[0].state.Found && i < len(at.Above); nearest {
			switch {
			case trust == policy.Untrusted:
				r = r.denials("the project is not trusted")
			case trust == policy.TrustedByHost && !l.decided(folder, setting):
				r = r.denials(noQuestion)
			}
			c.state, c.reading = r.state(s.path), r
			list[0] = c
			continue
		}
		r = r.denials("")
		c.state, c.reading = r.state(s.path), r
		list = append(list, c)
	}
	return list
}

// nameOf is the file of a folder above the session's as people see it: relative
// where that is short.
func nameOf(f checkout.Folder) string {
	if f.Main || f.Rel == "" {
		return filepath.Join(f.Path, filepath.FromSlash(projectName))
	}
	name := projectName
	for rel := f.Rel; rel != "."; rel = filepath.ToSlash(filepath.Dir(rel)) {
		name = "../" + name
	}
	return name
}

// decided reports that a person stands for a file of another folder than the
// session's. What Pi asked about when the session began was not that folder.
func (l *Loader) decided(f checkout.Folder, setting string) bool {
	if l.created.has(f.Path) {
		return true
	}
	silent := setting == ProjectTrustPi
	return l.Decided != nil && (l.Decided(f.Path, silent) || f.Twin != "" && l.Decided(f.Twin, silent))
}

// home is where rules for a project are saved: in the file whose allow rules
// count or, where there is none, in a new one.
func home(root string) checkout.Folder {
	at := checkout.Around(root)
	if checkout.Exists(root, projectName) {
		return at.Own
	}
	for _, f := range at.Above {
		if checkout.Exists(f.Path, projectName) {
			return f
		}
	}
	return at.Home()
}

// FileFor is the file in which rules for the project with the absolute folder
// root are saved: the one whose allow rules count or, where there is none, the one
// that would be made.
func (l *Loader) FileFor(root string) string { return FilesOf(l.agentDir, home(root).Path).Project }

// move makes the layer of a file in another folder one of the session's: paths
// in its rules mean the same files.
func (c *counted) move(l layer) layer {
	if c.rel == "" {
		return l
	}
	l.allow = moved(l.allow, func(r rule.Rule) []rule.Rule { return r.Below(c.rel) })
	under := func(r rule.Rule) []rule.Rule {
		list := []rule.Rule{r.Under(c.base)}
		if other := r.Under(c.lexical); c.lexical != "" && other.Text != list[0].Text {
			list = append(list, other)
		}
		return list
	}
	l.deny, l.ask = moved(l.deny, under), moved(l.ask, under)
	l.kept, l.keptAsk = *moved(&l.kept, under), *moved(&l.keptAsk, under)
	return l
}

func moved(list *[]rule.Rule, each func(rule.Rule) []rule.Rule) *[]rule.Rule {
	if list == nil {
		return nil
	}
	all := make([]rule.Rule, 0, len(*list))
	for _, r := range *list {
		all = append(all, each(r)...)
	}
	return &all
}

// stack puts the files of a project over what lies below them. While one of them
// is broken, nothing is allowed.
func stack(files []counted, below layer) layer {
	l := files[0].move(files[0].reading.layer()).over(below)
	for i := range files[1:] {
		c := &files[1+i]
		part := c.move(c.reading.layer())
		l.deny, l.ask = joined(part.kept, l.deny), joined(part.keptAsk, l.ask)
		if c.reading.invalid {
			l = layer{allow: part.allow, enabled: part.enabled, redirections: part.redirections, approvals: part.approvals}.over(l)
		}
	}
	return l
}

// strays are the files nearby that do not count.
func (l *Loader) strays(at checkout.Layout) (list []checkout.Stray) {
	for _, s := range at.Strays() {
		if checkout.Exists(s.Path, projectName) {
			s.Path = FilesOf(l.agentDir, s.Path).Project
			list = append(list, s)
		}
	}
	return list
}
