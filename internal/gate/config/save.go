package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pigate/pigate/internal/gate/rule"
)

// Save appends allow rules, one a line, to the file of the project whose
// absolute folder is root, and returns those that were not in its allowlist
// yet. Blank lines are skipped. The next Load sees the rules. The caller has
// made sure that the project is trusted.
//
// Everything else in the file stays as it is, byte for byte. A file that does
// not exist starts as a copy of the effective global allow and deny lists, and
// counts from then on though nobody was asked about the project; one
// without an allowlist gets the effective global one first. Save is all or
// nothing: when a line is no rule, or a file it depends on is invalid, or
// anything cannot be written, it returns an error and the file is untouched.
func (l *Loader) Save(root string, lines []string) (saved []string, err error) {
	texts, err := ruleTexts(lines)
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	files := FilesOf(l.agentDir, root)
	if !filepath.IsAbs(files.Global) || !filepath.IsAbs(files.Project) {
		return nil, errors.New("save rules: the folders of the configuration are not known")
	}
	target, err := saveTarget(files)
	if err != nil {
		return nil, fmt.Errorf("save rules: %w", err)
	}
	err = withLock(l.agentDir, target, func() error {
		saved, err = l.saveTo(root, target, texts)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("save rules: %w", err)
	}
	return saved, nil
}

// ruleTexts returns the rules of the lines, each once.
func ruleTexts(lines []string) ([]string, error) {
	var texts []string
	for _, line := range lines {
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
		if !slices.Contains(texts, r.Text) {
			texts = append(texts, r.Text)
		}
	}
	return texts, nil
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

// saveTo does the work of Save under the lock.
func (l *Loader) saveTo(root, target string, texts []string) (saved []string, err error) {
	body, err := readFile(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l.saveNew(root, target, texts)
	case err != nil:
		return nil, fmt.Errorf("read %s: %s", projectName, cause(err))
	}
	p := parse(body, projectName, false)
	if p.invalid {
		return nil, invalidError(p.why)
	}
	var present, inherit []string
	if p.allow != nil {
		present = trimmed(p.allow.texts)
	} else {
		allow, _, err := l.globalLists()
		if err != nil {
			return nil, err
		}
		present, inherit = allow, allow
	}
	if saved = without(texts, present); len(saved) == 0 {
		return nil, nil
	}
	out := addRules(p, inherit, saved)
	if err := confirm(out, append(present, saved...)); err != nil {
		return nil, err
	}
	return saved, replaceFile(target, out)
}

// saveNew writes a project file where there was none, and remembers that it
// did: the person has chosen every rule in it, so it counts though nobody was
// asked about the project.
func (l *Loader) saveNew(root, target string, texts []string) (saved []string, err error) {
	allow, deny, err := l.globalLists()
	if err != nil {
		return nil, err
	}
	if saved = without(texts, allow); len(saved) == 0 {
		return nil, nil
	}
	// An empty deny list is left out: written down, it would switch off whatever
	// deny rules the global file gets later.
	if len(deny) == 0 {
		deny = nil
	}
	all := append(allow, saved...)
	out := render(nil, all, deny)
	if err := confirm(out, all); err != nil {
		return nil, err
	}
	// Remembered first, the file counts from the moment it is there.
	forget, err := remember(l.agentDir, root)
	if err != nil {
		return nil, fmt.Errorf("remember the project: %w", err)
	}
	if err := createFile(target, out, 0o644); err != nil {
		return nil, errors.Join(err, forget())
	}
	return saved, nil
}

// globalLists returns the effective allow and deny rules of the global file
// alone. It refuses when the file is invalid: the strict lists that are in
// force until it is mended would stay in the project file for good.
func (l *Loader) globalLists() (allow, deny []string, err error) {
	l.mu.Lock()
	global := l.global.read(!l.readOnly)
	l.mu.Unlock()
	if global.invalid {
		return nil, nil, invalidError(global.why)
	}
	merged := global.layer().over(builtIn())
	return ruleText(*merged.allow), ruleText(*merged.deny), nil
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

// without returns the texts that are not present.
func without(texts, present []string) []string {
	var rest []string
	for _, text := range texts {
		if !slices.Contains(present, text) {
			rest = append(rest, text)
		}
	}
	return rest
}

// confirm reads what is about to be written as the gate will read it.
func confirm(out []byte, want []string) error {
	if len(out) > maxSize {
		return errTooLarge
	}
	p := parse(out, projectName, false)
	if p.invalid || p.allow == nil || !slices.Equal(trimmed(p.allow.texts), want) {
		return fmt.Errorf("%s would not read back as it was meant", projectName)
	}
	return nil
}
