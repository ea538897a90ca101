package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/pigate/pigate/internal/gate/config/disk"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Prune takes the rules for which unwanted reports true out of the file that
// FileFor names for the project whose absolute folder is root, or of the global file for "", and
// returns them. Every other byte of the file stays as it is. A file that does not
// exist has none. Prune is all or nothing: of an invalid file, or one that cannot
// be written, it returns an error and leaves it alone.
func (l *Loader) Prune(root string, unwanted func(rule.Rule) bool) (removed []rule.Rule, err error) {
	return l.Replace(root, unwanted, nil)
}

// Replace is Prune that also appends allow rules, one a line, to the allow list of
// the same file, in one write. A rule that stays there already is not written twice.
// Where nothing is unwanted it adds nothing. The rules are written as they are:
// paths in them are relative to the folder of the file.
func (l *Loader) Replace(root string, unwanted func(rule.Rule) bool, lines []string) (removed []rule.Rule, err error) {
	added, err := Addition{Effect: rule.Allow, Lines: lines}.rules()
	if err != nil {
		return nil, err
	}
	if filepath.IsAbs(root) {
		root = home(root).Path
	}
	files := FilesOf(l.agentDir, root)
	name, path := projectName, files.Project
	if root == "" {
		name, path = files.Global, files.Global
	}
	if _, err := disk.Read(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	target, err := l.target(root, true)
	if err == nil {
		err = disk.WithLock(l.agentDir, target, func() error {
			before, err := disk.Read(target)
			if err != nil {
				return fmt.Errorf("read %s: %s", name, disk.Cause(err))
			}
			p := parse(before, name, root == "")
			if p.invalid {
				return invalidError(p.why)
			}
			after := p.without(unwanted, &removed)
			if len(removed) == 0 {
				return nil
			}
			if p = parse(after, name, root == ""); !p.invalid {
				var present []string
				if p.allow != nil {
					present = lasting(p.allow.rules)
				}
				if fresh := without(added, present); len(fresh) > 0 {
					after = addRules(p, rule.Allow, nil, fresh)
					p = parse(after, name, root == "")
				}
			}
			if p.invalid || len(after) > disk.MaxSize {
				return fmt.Errorf("%s would not read back as it was meant", name)
			}
			return disk.Replace(target, after)
		})
	}
	if err != nil {
		return nil, fmt.Errorf("prune rules: %w", err)
	}
	return removed, nil
}

// cut is a part of a file's text that goes, and what takes its place.
type cut struct {
	from, to int
	instead  string
}

// without is the text of a valid file without the unwanted rules, which it
// appends to removed.
func (p *fileValues) without(unwanted func(rule.Rule) bool, removed *[]rule.Rule) []byte {
	var cuts []cut
	for _, list := range []*ruleList{p.allow, p.deny, p.ask} {
		if list == nil {
			continue
		}
		var gone []int // indexes of elements
		for i, r := range list.rules {
			if unwanted(r) {
				*removed = append(*removed, r)
				gone = append(gone, list.elements[i])
			}
		}
		cuts = append(cuts, list.cuts(gone)...)
	}
	slices.SortFunc(cuts, func(a, b cut) int { return b.from - a.from })
	out := slices.Clone(p.doc.body)
	for _, c := range cuts {
		out = slices.Concat(out[:c.from], []byte(c.instead), out[c.to:])
	}
	if p.doc.bom {
		out = append(slices.Clone(byteOrderMark), out...)
	}
	return out
}

// cuts take elements out of a list: with the comma before them, or those at the
// front with the comma after them.
func (l *ruleList) cuts(gone []int) (cuts []cut) {
	elements := l.array.Elements
	if len(gone) == 0 {
		return nil
	}
	if len(gone) == len(elements) {
		return []cut{{l.value.StartOffset, l.value.EndOffset, "[]"}}
	}
	kept := 0 // the first element that stays
	for slices.Contains(gone, kept) {
		kept++
	}
	for _, i := range gone {
		if i < kept {
			cuts = append(cuts, cut{from: elements[i].StartOffset, to: elements[i+1].StartOffset})
		} else {
			cuts = append(cuts, cut{from: elements[i-1].EndOffset, to: elements[i].EndOffset})
		}
	}
	return cuts
}
