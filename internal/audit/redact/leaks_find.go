package redact

import (
	"context"
	"fmt"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"math"
	"math/bits"
	"regexp"
	"strings"
)

// find returns what the rules of gitleaks match in s.
func (l *leaks) find(ctx context.Context, s string) ([]clue.Span, error) {
	stretches := make(map[int][]clue.Span)
	l.words.Each(clue.LowerASCII(s), func(word, at int) {
		for _, r := range l.byWord[word] {
			stretches[r] = clue.AddStretch(stretches[r], s, at)
		}
	})
	var found []clue.Span
	for r, list := range stretches {
		for _, part := range list {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			spans, err := l.rules[r].find(s, part.Start, part.End)
			if err != nil {
				return nil, err
			}
			found = append(found, spans...)
		}
	}
	return found, nil
}

// find returns what the rule matches in s[from:to].
func (r *leakRule) find(s string, from, to int) ([]clue.Span, error) {
	regex, err := r.regex()
	if err != nil {
		return nil, fmt.Errorf("rule %s of gitleaks: %w", r.id, err)
	}
	part := s[from:to]
	if r.rank == clue.ByGuess && !varied(part) {
		return nil, nil
	}
	var found []clue.Span
	for _, at := range regex.FindAllStringSubmatchIndex(part, -1) {
		start, end := r.secret(at)
		secret := part[start:end]
		if r.entropy > 0 && entropy(secret) <= r.entropy || clue.Unfilled(secret) || r.rank == clue.ByGuess && clue.IsVersion(secret) {
			continue
		}
		allowed, err := r.allows(part, at[0], at[1], secret)
		if err != nil {
			return nil, fmt.Errorf("rule %s of gitleaks: %w", r.id, err)
		}
		if allowed {
			continue
		}
		// A rule may know fewer letters of a token than it has.
		for end < len(part) && clue.IsAlnum(part[end]) {
			end++
		}
		found = append(found, clue.Span{Start: from + start, End: from + end, Kind: r.id, Rank: r.rank})
	}
	return found, nil
}

// secret picks the group of a match that is the secret: the one the rule
// names, else the first that is not empty, else all.
func (r *leakRule) secret(at []int) (start, end int) {
	if g := 2 * r.group; g > 0 && g+1 < len(at) && at[g] >= 0 {
		return at[g], at[g+1]
	}
	for g := 2; g+1 < len(at); g += 2 {
		if at[g] < at[g+1] {
			return at[g], at[g+1]
		}
	}
	return at[0], at[1]
}

// allows tells whether an allowlist of the rule covers the match s[start:end].
func (r *leakRule) allows(s string, start, end int, secret string) (bool, error) {
	for _, a := range r.allowed {
		target := secret
		switch a.RegexTarget {
		case "match":
			target = s[start:end]
		case "line":
			target = lineOf(s, start)
		}
		regexes, err := a.compiled()
		if err != nil {
			return false, err
		}
		byRegex, byWord := matchesAny(regexes, target), containsAny(a.StopWords, secret)
		if strings.EqualFold(a.Condition, "AND") || a.Condition == "&&" {
			// There is no path, so a list that also wants one allows nothing.
			if len(a.Paths) == 0 && (len(regexes) == 0 || byRegex) && (len(a.StopWords) == 0 || byWord) {
				return true, nil
			}
		} else if byRegex || byWord {
			return true, nil
		}
	}
	return false, nil
}

func matchesAny(list []*regexp.Regexp, s string) bool {
	for _, r := range list {
		if r.MatchString(s) {
			return true
		}
	}
	return false
}

func containsAny(words []string, s string) bool {
	if len(words) == 0 {
		return false
	}
	s = strings.ToLower(s)
	for _, w := range words {
		if strings.Contains(s, strings.ToLower(w)) {
			return true
		}
	}
	return false
}

// lineOf is the line around s[at], of a long one the part nearby.
func lineOf(s string, at int) string {
	from, to := max(0, at-clue.AfterKeyword), min(len(s), at+clue.AfterKeyword)
	start := from + strings.LastIndexByte(s[from:at], '\n') + 1
	if n := strings.IndexByte(s[at:to], '\n'); n >= 0 {
		to = at + n
	}
	return s[start:to]
}

// varied tells whether s has a word with a digit and at least twelve different
// letters. Nothing else has the entropy that the generic rule asks for, and
// this is much cheaper to see.
func varied(s string) bool {
	var low, high uint64
	digit := false
	for i := range len(s) {
		c := s[i]
		if !clue.IsAlnum(c) && strings.IndexByte("_.=+/-", c) < 0 && c < 0x80 {
			low, high, digit = 0, 0, false
			continue
		}
		digit = digit || clue.IsDigit(c)
		if c < 64 {
			low |= 1 << c
		} else {
			high |= 1 << (c & 63)
		}
		if digit && bits.OnesCount64(low)+bits.OnesCount64(high) >= 12 {
			return true
		}
	}
	return false
}

// entropy is Shannon's, in bits for each byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	var sum float64
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
