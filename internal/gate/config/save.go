package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/config/disk"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Save is Add of allow rules to the file of the project whose absolute folder is
// root.
func (l *Loader) Save(root string, lines []string) (saved []string, err error) {
	return l.Add(Addition{Root: root, Effect: rule.Allow, Lines: lines})
}

// Addition is what is to be appended to a configuration file.
type Addition struct {
	// Root is the absolute folder of the project that is meant, "" for the global
	// file. The rules go to the file that FileFor names, with paths as they are
	// written there.
	Root string
	// Effect is the list that the rules join.
	Effect rule.Effect
	// Lines are the rules, one each; blank lines are skipped.
	Lines []string
	// Until is when they end, the zero time for rules that do not.
	Until time.Time
}

// Add appends rules to a list of a configuration file, and returns those that
// were not in it yet; one that ends is not the same as one that does not. The next Load sees the rules. The caller has made sure that
// the project is trusted.
//
// Everything else in the file stays as it is, byte for byte. A project's file
// that does not exist starts as a copy of the effective global allow and deny
// lists, and counts from then on though nobody was asked about the project; one
// without the list gets the effective global one first, and a global file that
// does not exist the defaults. Add is all or nothing: when a line is no rule, or
// a file it depends on is invalid, or anything cannot be written, it returns an
// error and the file is untouched.
func (l *Loader) Add(a Addition) (saved []string, err error) {
	rules, err := a.rules()
	if err != nil || len(rules) == 0 {
		return nil, err
	}
	if rules, err = a.move(rules); err != nil {
		return nil, err
	}
	target, err := l.target(a.Root, true)
	if err == nil {
		err = disk.WithLock(l.agentDir, target, func() error {
			var c change
			if c, err = l.change(target, a, rules); err == nil {
				saved, err = c.saved, l.write(c, a.Root)
			}
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("save rules: %w", err)
	}
	return saved, nil
}

// Preview is what Add would do, without doing it: the text of the file before
// ("" when it does not exist) and after. Where the folder of the file is missing
// it is not created.
func (l *Loader) Preview(a Addition) (before, after string, err error) {
	rules, err := a.rules()
	if err == nil {
		rules, err = a.move(rules)
	}
	if err != nil {
		return "", "", err
	}
	target, err := l.target(a.Root, false)
	if err == nil {
		var c change
		c, err = l.change(target, a, rules)
		before, after = string(c.before), string(c.after)
	}
	if err != nil {
		return "", "", fmt.Errorf("save rules: %w", err)
	}
	return before, after, nil
}

// move makes the addition one to the file whose allow rules count for the
// project, in which paths are relative to that file's folder.
func (a *Addition) move(rules []rule.Rule) ([]rule.Rule, error) {
	if !filepath.IsAbs(a.Root) {
		return rules, nil
	}
	to := home(a.Root)
	a.Root = to.Path
	for i := range rules {
		moved, err := rules[i].Above(to.Rel)
		if err != nil {
			return nil, fmt.Errorf("save rules: %q: %w", rules[i].Text, err)
		}
		rules[i] = moved
	}
	return rules, nil
}

// target is the file of an addition, behind all symbolic links.
func (l *Loader) target(root string, create bool) (string, error) {
	files := FilesOf(l.agentDir, root)
	switch {
	case !filepath.IsAbs(files.Global) || root != "" && !filepath.IsAbs(files.Project):
		return "", errors.New("the folders of the configuration are not known")
	case root == "":
		return globalTarget(files.Global, create)
	}
	if _, err := os.Stat(filepath.Dir(files.Project)); !create && errors.Is(err, fs.ErrNotExist) {
		return files.Project, nil
	}
	return saveTarget(files)
}

// globalTarget is the global file behind its symbolic links. With create one that
// does not exist is made with the defaults.
func globalTarget(path string, create bool) (string, error) {
	if create {
		if err := seed(path); err != nil {
			return "", fmt.Errorf("create %s: %s", path, disk.Cause(err))
		}
	}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil
	}
	return target, err
}

// rules returns the rules of the lines, each once.
func (a Addition) rules() ([]rule.Rule, error) {
	var rules []rule.Rule
	for _, line := range a.Lines {
		r, err := rule.Parse(line)
		if r.Text == "" {
			continue
		}
		if err == nil && !utf8.ValidString(r.Text) {
			err = errors.New("the text is not UTF-8")
		}
		if err != nil {
			return nil, fmt.Errorf("save rules: %q is no rule: %w", r.Text, err)
		}
		if !slices.ContainsFunc(rules, func(other rule.Rule) bool { return other.Text == r.Text }) {
			r.Effect, r.Until = a.Effect, a.Until
			rules = append(rules, r)
		}
	}
	return rules, nil
}

// saveTarget makes the folder of the project file and returns the file itself,
// behind all symbolic links, so that a link stays a link.
func saveTarget(files Files) (string, error) {
	dir, name := filepath.Split(files.Project)
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("create %s: %w", filepath.Dir(projectName), err)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	target := filepath.Join(dir, name)
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return target, nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink != 0:
		if target, err = filepath.EvalSymlinks(target); err != nil {
			return "", err
		}
	}
	if sameFile(target, files.Global) {
		return "", fmt.Errorf("%s is a link to the global file, which is never changed", projectName)
	}
	return target, nil
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// globalLists returns what the global file alone makes effective, with lists of
// its own. It refuses when the file is invalid: the strict lists that are in
// force until it is mended would stay in the project file for good.
func (l *Loader) globalLists() (layer, error) {
	l.mu.Lock()
	global := l.global.read(!l.readOnly)
	l.mu.Unlock()
	if global.invalid {
		return layer{}, invalidError(global.why)
	}
	merged := global.layer().over(builtIn())
	for _, list := range []**[]rule.Rule{&merged.allow, &merged.deny, &merged.ask} {
		own := slices.Clone(**list)
		*list = &own
	}
	return merged, nil
}

func invalidError(why Warning) error { return fmt.Errorf("the file must be mended first: %s", why) }

func ruleText(rules []rule.Rule) []string {
	texts := make([]string, len(rules))
	for i, r := range rules {
		texts[i] = r.Text
	}
	return texts
}

func trimmed(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = strings.TrimSpace(text)
	}
	return out
}

// without returns the rules whose texts are not present. A rule that ends is not
// among those.
func without(rules []rule.Rule, present []string) []rule.Rule {
	var rest []rule.Rule
	for _, r := range rules {
		if !r.Until.IsZero() || !slices.Contains(present, r.Text) {
			rest = append(rest, r)
		}
	}
	return rest
}

// lasting are the texts of the rules that do not end.
func lasting(rules []rule.Rule) []string {
	texts := []string{}
	for _, r := range rules {
		if r.Until.IsZero() {
			texts = append(texts, r.Text)
		}
	}
	return texts
}
