package redact

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"github.com/pigate/pigate/internal/audit/redact/clue"
)

// leakRules is gitleaks' own rule file, unchanged, its licence beside it. `make
// refresh-secrets` copies both from the version that tools/go.mod names.
//
//go:embed gitleaks/gitleaks.toml
var leakRules []byte

// leaks holds the rules of gitleaks.
//
// They are matched here rather than by the library's detector. That one gives
// lines and columns of the match instead of the bytes of the secret, passes
// over lines with the comment "gitleaks:allow" or that an allowlist for source
// trees covers (the text is hostile), cannot be stopped within a text, and
// brings readers for a dozen archive formats into the binary. Its package of
// rules alone would still bring a reader of configuration files, a file system
// and a runtime for WebAssembly.
type leaks struct {
	rules []*leakRule
	words *clue.Keywords
	// byWord are the rules that each keyword calls for.
	byWord [][]int
}

// leakRule is one rule of gitleaks.
type leakRule struct {
	id      string
	entropy float64
	group   int
	rank    int
	allowed []leakAllowlist
	// regex is compiled when a keyword first calls for it.
	regex func() (*regexp.Regexp, error)
}

// leakAllowlist lists what a rule matches though it is no secret.
type leakAllowlist struct {
	Condition   string
	RegexTarget string
	Paths       []string
	Regexes     []string
	StopWords   []string

	compiled func() ([]*regexp.Regexp, error)
}

// leakFile is the part of gitleaks' rule file that is used.
type leakFile struct {
	Rules []struct {
		ID          string
		Regex       string
		Path        string
		SecretGroup int
		Entropy     float64
		Keywords    []string
		Allowlists  []leakAllowlist
	}
}

// ownShapes are rules of gitleaks that detectors of this package replace: they
// find the same with the bounds of the secret alone, or also where it is short
// or a word.
var ownShapes = []string{"private-key", "jwt", "curl-auth-user", "curl-auth-header", "slack-webhook-url"}

// loadLeaks reads the rules that come with gitleaks, once in a process.
var loadLeaks = sync.OnceValues(func() (*leaks, error) {
	var file leakFile
	if err := toml.Unmarshal(leakRules, &file); err != nil {
		return nil, fmt.Errorf("read the rules of gitleaks: %w", err)
	}
	l := &leaks{}
	index := map[string]int{}
	var words []string
	for _, r := range file.Rules {
		// Rules for files of a certain name do not apply to text without one.
		if r.Regex == "" || r.Path != "" || slices.Contains(ownShapes, r.ID) {
			continue
		}
		if len(r.Keywords) == 0 || len(r.ID) > maxKind {
			return nil, fmt.Errorf("read the rules of gitleaks: %s has no keywords or too long a name", r.ID)
		}
		rule := &leakRule{id: r.ID, entropy: r.Entropy, group: r.SecretGroup, rank: clue.ByShape, allowed: r.Allowlists, regex: lazily(r.Regex)}
		if strings.HasPrefix(r.ID, "generic") {
			rule.rank = clue.ByGuess
		}
		l.rules = append(l.rules, rule)
		for i := range r.Allowlists {
			r.Allowlists[i].compiled = lazilyAll(r.Allowlists[i].Regexes)
		}
		for _, k := range r.Keywords {
			k = strings.ToLower(k)
			if len(k) < 2 {
				return nil, fmt.Errorf("read the rules of gitleaks: %s has a keyword of one letter", r.ID)
			}
			at, known := index[k]
			if !known {
				at = len(words)
				index[k], words, l.byWord = at, append(words, k), append(l.byWord, nil)
			}
			l.byWord[at] = append(l.byWord[at], len(l.rules)-1)
		}
	}
	l.words = clue.NewKeywords(words)
	return l, nil
})

func lazily(expr string) func() (*regexp.Regexp, error) {
	return sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(expr) })
}

func lazilyAll(exprs []string) func() ([]*regexp.Regexp, error) {
	return sync.OnceValues(func() ([]*regexp.Regexp, error) {
		list := make([]*regexp.Regexp, len(exprs))
		for i, expr := range exprs {
			var err error
			if list[i], err = regexp.Compile(expr); err != nil {
				return nil, err
			}
		}
		return list, nil
	})
}
