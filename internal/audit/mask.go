package audit

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/pigate/pigate/internal/audit/redact"
	"github.com/pigate/pigate/internal/audit/redact/clue"
)

// Masker replaces the secrets in a text and says what it replaced. After an
// error the text is dropped.
type Masker interface {
	Text(ctx context.Context, s string) (masked string, found []redact.Mask, err error)
}

// veil takes secrets out of entries.
type veil struct {
	masker   Masker
	programs *redact.Programs

	mu         sync.Mutex
	clean      map[string]struct{} // texts without secrets: most come again and again
	generation int                 // of programs, when they were found to be so
}

func newVeil(m Masker, programs *redact.Programs) *veil {
	return &veil{masker: m, programs: programs, clean: map[string]struct{}{}, generation: programs.Generation()}
}

// maxCleanText is the longest text, in bytes, that is remembered as clean.
const maxCleanText = 512

// secret is one that was found, and what stands in its place.
type secret struct{ text, mask string }

// text masks one text. The secrets found are returned for the other fields of
// the same entry, where they may stand without what gave them away.
func (v *veil) text(ctx context.Context, s string) (masked string, found []secret, err error) {
	if v.known([]byte(s)) {
		return s, nil, nil
	}
	_, masks, err := v.masker.Text(ctx, commandsIn(s))
	if err != nil {
		return "", nil, err
	}
	if len(masks) == 0 {
		v.remember(s)
		return s, nil, nil
	}
	var b strings.Builder
	done := 0
	for _, m := range masks {
		f := secret{s[m.Start:m.End], "[secret:" + m.Kind + ":" + m.Digest + "]"}
		found = append(found, f)
		b.WriteString(s[done:m.Start] + f.mask)
		done = m.End
	}
	return b.String() + s[done:], found, nil
}

// commandsIn is a text of the same length in which the command of a shell rule
// begins like any other, so that what tells a secret by the program sees it.
func commandsIn(s string) string { return strings.ReplaceAll(s, "shell:", "shell;") }

// known reports that a text is remembered as clean.
func (v *veil) known(s []byte) bool {
	if len(s) > maxCleanText {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if now := v.programs.Generation(); now != v.generation {
		clear(v.clean)
		v.generation = now
	}
	_, ok := v.clean[string(s)]
	return ok
}

func (v *veil) remember(s string) {
	if len(s) > maxCleanText {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.clean) >= maxRemembered {
		clear(v.clean)
	}
	v.clean[s] = struct{}{}
}

// name masks a text of the public part. What cannot be searched is dropped.
func (v *veil) name(ctx context.Context, s string) string {
	masked, _, err := v.text(ctx, s)
	if err != nil {
		return dropped
	}
	return masked
}

// dropped stands for a text that could not be searched for secrets.
const dropped = "[dropped]"

// body masks every text of a private part, one JSON object, and notes the
// fields in it. When the search fails nothing of the part is kept.
func (v *veil) body(ctx context.Context, body []byte) []byte {
	var secrets []secret
	masked, err := mapStrings(body, func(at *position, s []byte) (string, bool, error) {
		if at.ours() || v.known(s) {
			return "", false, nil
		}
		text := unquoted(s)
		out, found, err := v.text(ctx, text)
		secrets = append(secrets, found...)
		return out, out != text, err
	})
	var fields []string
	if err == nil && len(secrets) > 0 {
		masked, fields, err = spread(body, masked, secrets)
	}
	if err != nil {
		return object(struct {
			Dropped string `json:"dropped"`
		}{err.Error()})
	}
	if len(fields) == 0 {
		return masked
	}
	return splice(masked, object(struct {
		Masked []string `json:"masked"`
	}{fields}))
}

// shortest is the length of the shortest secret that is looked for in other
// fields: what is shorter stands in many innocent words.
const shortest = 4

// spread replaces the secrets found in one field in all the others, and returns
// the pointers of the fields that differ from the original.
func spread(original, masked []byte, secrets []secret) ([]byte, []string, error) {
	var pairs []string
	slices.SortStableFunc(secrets, func(a, b secret) int { return len(b.text) - len(a.text) })
	for _, s := range secrets {
		if len(s.text) >= shortest && !clue.Commonplace(s.text) {
			pairs = append(pairs, s.text, s.mask)
		}
	}
	replacer := strings.NewReplacer(pairs...)
	masked, err := mapStrings(masked, func(at *position, s []byte) (string, bool, error) {
		if at.ours() {
			return "", false, nil
		}
		text := unquoted(s)
		replaced := replacer.Replace(text)
		return replaced, replaced != text, nil
	})
	if err != nil {
		return nil, nil, err
	}
	// The strings are the same in number and order.
	var before []string
	_, err = mapStrings(original, func(_ *position, s []byte) (string, bool, error) {
		before = append(before, unquoted(s))
		return "", false, nil
	})
	if err != nil {
		return nil, nil, err
	}
	var fields []string
	i := 0
	_, err = mapStrings(masked, func(at *position, s []byte) (string, bool, error) {
		if before[i] != unquoted(s) {
			if field := at.pointer(); !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
		i++
		return "", false, nil
	})
	return masked, fields, err
}
