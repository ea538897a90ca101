package rule

import (
	"errors"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/glob"
)

// ErrPlace is the error of Above for a folder whose name no pattern can hold.
var ErrPlace = errors.New("the name of the folder holds a character that a path pattern cannot")

// placed reports a rule whose pattern is a path relative to a folder.
func (r Rule) placed() bool {
	if r.Whole || r.Scope != Edit && r.Scope != Read {
		return false
	}
	p := r.Pattern.String()
	return p != "" && p[0] != '/' && p[0] != '~' && !(len(p) > 1 && p[1] == ':')
}

// Under is a rule that denies or asks, with its pattern relative to the folder
// with the absolute path, as a rule for any other folder: it matches the files of
// that folder, and perhaps more, however they are reached. A pattern that begins
// with a star holds everywhere and stays.
func (r Rule) Under(folder string) Rule {
	if !r.placed() || r.Pattern.String()[0] == '*' {
		return r
	}
	folder = strings.TrimRight(strings.ReplaceAll(folder, `\`, "/"), "/")
	return r.with(folder + "/" + r.Pattern.String())
}

// Below are rules for a folder below the one that the rule's pattern is relative
// to, rel being the path of the one in the other with slashes: they match a file
// of that folder only when the rule does. There are none when it matches no file
// there. A rule without such a pattern stays.
func (r Rule) Below(rel string) (list []Rule) {
	if !r.placed() || rel == "" {
		return []Rule{r}
	}
	rests := []string{r.Pattern.String()}
	for _, c := range rel + "/" {
		var next []string
		for _, p := range rests {
			next = append(next, after(p, string(c))...)
		}
		slices.Sort(next)
		rests = slices.Compact(next)
	}
	for _, p := range rests {
		// What reads otherwise at the beginning of a rule is left out.
		if as := r.with(p); p != "" && as.placed() && as.Pattern.String() == p {
			list = append(list, as)
		}
	}
	return list
}

// Above is the rule for a folder above the one that its pattern is relative to,
// rel being the path of the one in the other with slashes: both match the same
// files of the lower one.
func (r Rule) Above(rel string) (Rule, error) {
	if !r.placed() || rel == "" {
		return r, nil
	}
	if strings.ContainsAny(rel, `*?\`) {
		return Rule{}, ErrPlace
	}
	return r.with(rel + "/" + r.Pattern.String()), nil
}

// with is the rule with another path pattern.
func (r Rule) with(pattern string) Rule {
	as, err := Parse(r.Scope + ":" + pattern)
	if err != nil {
		return Rule{}
	}
	as.Effect, as.File, as.Line, as.Reason, as.Until = r.Effect, r.File, r.Line, r.Reason, r.Until
	return as
}

// after are the patterns for what follows the first character of a text that the
// pattern matches.
func after(pattern, char string) (list []string) {
	for pattern != "" {
		c, wild, rest := glob.Next(pattern)
		switch {
		case wild && c == "*":
			list = append(list, pattern)
			pattern = rest
			continue
		case wild || c == char:
			list = append(list, rest)
		}
		return list
	}
	return list
}
