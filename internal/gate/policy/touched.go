package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/touch"
	"github.com/pigate/pigate/internal/text"
)

// line is the command line of the call with the folders that it goes through.
func (c *Call) line() *touch.Line {
	return touch.NewLine(c.Analysis, c.Command, c.Request.place())
}

func (e *evaluation) line() *touch.Line {
	if e.folders == nil {
		e.folders = e.call.line()
	}
	return e.folders
}

// touched lists the files that unit i touches. With reads, programs that only
// read are looked at too.
func (e *evaluation) touched(i int, reads bool) []touch.Touch {
	r, w := e.line().Needs(i)
	if !w && !(r && reads) {
		return nil
	}
	if e.touches == nil {
		e.touches = map[int][]touch.Touch{}
	}
	list, known := e.touches[i]
	if !known {
		list = e.line().Unit(i)
		e.touches[i] = list
	}
	return list
}

// denyTouches tries the deny rules for files on what the commands touch.
func (e *evaluation) denyTouches() {
	deny := &e.policy.deny
	whole := deny.wholeTool("", rule.Edit)
	if len(deny.edit)+len(deny.read) == 0 && whole == nil {
		return
	}
	a := e.call.Analysis
	for i := range a.Units {
		f := fileDenial{evaluation: e, span: unitSpan(&a.Units[i])}
		for _, t := range e.touched(i, len(deny.read) > 0) {
			switch {
			case !t.Action.Writes():
				f.try(deny.read, t)
			default:
				if whole != nil && !t.Maybe {
					f.deny(whole, t)
				}
				f.try(deny.edit, t)
			}
		}
	}
	if len(deny.read) == 0 {
		return
	}
	for k := range a.Inputs {
		in := &a.Inputs[k]
		f := fileDenial{evaluation: e, span: [2]int{in.Start, in.End}}
		for _, t := range e.line().Input(in) {
			f.try(deny.read, t)
		}
	}
}

// fileDenial is the search for the deny rules for files that hold for one unit;
// each rule is given once.
type fileDenial struct {
	*evaluation
	span   [2]int // of the unit, for words that stand elsewhere
	hit    []*rule.Rule
	doubts []*rule.Rule
}

func unitSpan(u *shell.Unit) [2]int { return [2]int{u.Start, u.End} }

// try compares rules with what is touched.
func (f *fileDenial) try(rules []*rule.Rule, t touch.Touch) {
	for _, r := range rules {
		switch f.matches(r, t) {
		case touch.Yes:
			f.deny(r, t)
		case touch.Perhaps:
			f.doubt(r, t)
		case touch.No:
		}
	}
}

// matches says whether a rule covers what is touched. A folder that is walked
// perhaps holds what a rule means; one that may be moved or deleted as a whole
// holds it when the rule begins with the folder's name.
func (f *fileDenial) matches(r *rule.Rule, t touch.Touch) touch.Match {
	at := f.call.Request.place()
	fold, pattern := at.FoldCase(), r.Pattern.String()
	home := paths.Slash(f.call.Request.Home, at)
	roots := append([]string{f.call.Request.ProjectRoot()}, f.siblings()...)
	may := func(p touch.Path, below bool) bool {
		return slices.ContainsFunc(roots, func(root string) bool { return p.May(pattern, root, home, fold, below) })
	}
	found := touch.No
	if abs, known := t.Path.Known(); known {
		for _, s := range f.spellings(abs) {
			if r.Pattern.Match(s, fold) || t.Reach != touch.Itself && r.Pattern.Match(s+"/", fold) {
				found = touch.Yes
				break
			}
			if t.Reach == touch.Tree && begins(r.Pattern.LiteralPrefix(), s, fold) {
				found = touch.Perhaps
			}
		}
		for _, long := range shortNames(t.Path, at) {
			if found == touch.No && may(long, false) {
				found = touch.Perhaps
			}
		}
	} else if may(t.Path, false) {
		found = touch.Perhaps
	}
	switch {
	case found == touch.Yes && t.Maybe:
		return touch.Perhaps
	case found == touch.No && t.Reach == touch.Below && may(t.Path, true):
		return touch.Perhaps
	}
	return found
}

// begins reports that the beginning of a pattern lies below a folder.
func begins(pattern, folder string, fold bool) bool {
	if folder == "." {
		return pattern != "" && !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "~")
	}
	_, inside := paths.Inside(pattern, folder, fold)
	return inside
}

// shortNames are what a path with short names of Windows may stand for.
func shortNames(p touch.Path, at paths.Place) []touch.Path {
	if !at.Windows() {
		return nil
	}
	return p.Long()
}

// resource is what a reason names: the word, at its place in the line.
func (f *fileDenial) resource(t touch.Touch) Resource {
	res := Resource{Kind: EditPath, Text: argv.Shown(t.Word.Text), Start: t.Word.Start, End: t.Word.End}
	if abs, known := t.Path.Known(); known {
		res = f.call.Request.pathResource(abs)
		res.Start, res.End = t.Word.Start, t.Word.End
	}
	if res.End <= res.Start {
		res.Start, res.End = f.span[0], f.span[1]
	}
	return res
}

func (f *fileDenial) deny(r *rule.Rule, t touch.Touch) {
	if !slices.Contains(f.hit, r) {
		f.hit = append(f.hit, r)
		f.denied = append(f.denied, ruleReason(r, f.resource(t)))
	}
}

// doubt asks about a command that a rule could deny.
func (f *fileDenial) doubt(r *rule.Rule, t touch.Touch) {
	if slices.Contains(f.doubts, r) {
		return
	}
	f.doubts = append(f.doubts, r)
	res, named := f.resource(t), ruleReason(r, Resource{})
	what := map[touch.Action]string{touch.Read: "reads", touch.Write: "writes", touch.Delete: "deletes", touch.Execute: "runs"}[t.Action]
	f.fixed = append(f.fixed, Reason{Cause: CauseCouldBeDenied, Rule: named.Rule, File: named.File, Line: named.Line, Resource: res.Text, Start: res.Start, End: res.End,
		Detail: fmt.Sprintf("it cannot be told which files it %s, and rule %q would deny one", what, text.Visible(r.Text))})
}

// outside returns the file outside the project that the unit writes or deletes
// and that the rule, which has a wildcard, does not spell; nil when there is none.
func (e *evaluation) outside(i int, r *rule.Rule) *Reason {
	if e.policy.Settings.Outside == OutsideAllow || !r.Pattern.Wild() {
		return nil
	}
	for _, t := range e.touched(i, false) {
		if !t.Action.Writes() || t.Maybe {
			continue
		}
		folder, ok := e.leaves(t)
		if !ok || e.spells(r, folder) {
			continue
		}
		u := &e.call.Analysis.Units[i]
		reason := unitReason(u, CauseOutside, fmt.Sprintf("it %s %s, outside the project", verbs[t.Action], text.Visible(folder)))
		if t.Word.End > t.Word.Start {
			reason.Start, reason.End = t.Word.Start, t.Word.End
		}
		return &reason
	}
	return nil
}

var verbs = map[touch.Action]string{touch.Write: "writes", touch.Delete: "deletes"}

// leaves returns the path, or the folder that all it may be lies below, when that
// is neither in the project nor in a temporary folder.
func (e *evaluation) leaves(t touch.Touch) (folder string, ok bool) {
	folder, placed := t.Path.Folder()
	if !placed || harmlessDevice(folder) {
		return "", false
	}
	_, known := t.Path.Known()
	sides := []string{folder}
	if real := e.links.Resolve(folder); known && real != folder && t.Action != touch.Delete {
		sides = append(sides, real)
	}
	for _, side := range sides {
		if !e.inProject(side) && !e.call.Request.temporary(side, known && (t.Action == touch.Delete || t.Reach == touch.Listing)) {
			return side, true
		}
	}
	return "", false
}

func (e *evaluation) inProject(abs string) bool {
	root := e.call.Request.ProjectRoot()
	fold := e.call.Request.place().FoldCase()
	for _, base := range append([]string{root, e.links.Resolve(root)}, e.siblings()...) {
		if _, inside := paths.Inside(abs, base, fold); inside {
			return true
		}
	}
	return false
}

// harmlessDevice reports a file that keeps nothing of what is written.
func harmlessDevice(abs string) bool {
	return abs == "/dev/null" || abs == "/dev/stdout" || abs == "/dev/stderr" || abs == "/dev/tty" || strings.HasPrefix(abs, "/dev/fd/")
}

// temporaryFolders are where every program may write.
var temporaryFolders = []string{"/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders"}

// temporary reports a path below a temporary folder; the folder itself counts
// when something below it is meant.
func (r Request) temporary(abs string, itself bool) bool {
	folders := temporaryFolders
	at := r.place()
	if at.Windows() {
		folders = []string{"C:/Windows/Temp", "C:/Temp", paths.Slash(r.Home, at) + "/AppData/Local/Temp"}
	}
	for _, folder := range folders {
		if rel, inside := paths.Inside(abs, folder, at.FoldCase()); inside && (rel != "." || !itself) {
			return true
		}
	}
	return false
}

// spells reports that a word of the rule names the path, or, before a wildcard, a
// folder above it that is not the root.
func (e *evaluation) spells(r *rule.Rule, abs string) bool {
	at := e.call.Request.place()
	for word := range strings.FieldsSeq(r.Pattern.String()) {
		for {
			if e.spelledBy(word, abs, at) {
				return true
			}
			_, rest, more := strings.Cut(word, "=")
			if !more {
				break
			}
			word = rest
		}
	}
	return false
}

func (e *evaluation) spelledBy(word, abs string, at paths.Place) bool {
	literal := word
	if k := strings.IndexAny(word, "*?"); k >= 0 {
		literal = word[:k]
		cut := strings.LastIndexByte(literal, '/')
		if literal = literal[:cut+1]; cut < 1 {
			return false
		}
	} else if !strings.ContainsAny(word, "/~") && word != ".." {
		return false
	}
	named, ok := paths.ShellTarget(strings.ReplaceAll(literal, "$HOME", "~"), at)
	if !ok {
		return false
	}
	rel, inside := paths.Inside(abs, named, at.FoldCase())
	if literal == word {
		return inside && (rel == "." || strings.HasSuffix(word, "/"))
	}
	return inside
}
