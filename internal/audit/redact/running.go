package redact

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/audit/redact/clue"
	"github.com/pigate/pigate/internal/gate/catalog"
)

// secretPlace is one place where a program takes a secret.
type secretPlace catalog.SecretPlace

// invocation is a program that takes secrets, met in a command at its from-th word.
type invocation struct {
	places []catalog.SecretPlace
	from   int
}

// secretsOf lists where a program takes secrets, beyond options whose names tell;
// nil when there is no such place.
func secretsOf(name string) []catalog.SecretPlace {
	p := catalog.Exact(clue.LowerASCII(name))
	if p == nil {
		return nil
	}
	return p.Secrets
}

// word looks at the i-th word of a command by the entries of the program, and
// adds what is secret of it or of the next.
func (r *invocation) word(c command, i int, add func(w word, k, to int, kind string)) {
	for _, place := range r.places {
		p, since := secretPlace(place), r.from
		if p.After != "" {
			if since = c.indexOf(p.After, r.from+1, i); since < 0 {
				continue
			}
		}
		if w, k, ok := p.option(c, i); ok {
			if v := w.text[k:]; p.isSecret(v) {
				add(w, k, len(w.text), "password")
				return
			}
		}
		if k, to, ok := p.positional(c, since, i); ok {
			add(c.words[i], k, to, "password")
			return
		}
	}
}

func (p secretPlace) isSecret(v string) bool {
	if v == "" || clue.Plain(v) || isSentence(v) || strings.Trim(v, "0123456789:") == "" && strings.Contains(v, ":") {
		return false // ports among them
	}
	return !p.Random || clue.LooksDrawn(v) && !strings.ContainsAny(v, "=")
}

// maxWords is how many words after its name a program's arguments are looked
// for.
const maxWords = 64

// indexOf returns where the word stands among those from to to, or -1. Short
// options match within clusters: -b in -nb.
func (c command) indexOf(text string, from, to int) int {
	for i := from; i < min(to, from+maxWords); i++ {
		w := c.words[i].text
		if c.words[i].op {
			continue
		}
		if w == text || strings.EqualFold(w, text) && len(text) > 2 {
			return i
		}
		if len(text) == 2 && text[0] == '-' && len(w) < 6 && isCluster(w) && strings.IndexByte(w, text[1]) > 0 {
			return i
		}
	}
	return -1
}

func isCluster(w string) bool {
	return len(w) > 1 && w[0] == '-' && clue.IsIdentifier(w[1:])
}

// option returns the secret that the i-th word, an option, carries or takes.
func (p secretPlace) option(c command, i int) (w word, k int, ok bool) {
	w = c.words[i]
	text := w.text
	next, hasNext := c.next(i)
	for _, letters := range p.Joined {
		if v, ok := strings.CutPrefix(text, "-"+letters); ok && v != "" {
			return w, 1 + len(letters), !strings.HasPrefix(v, "=") || len(v) > 1
		}
	}
	for _, o := range p.Options {
		switch {
		case text == o || clustered(text, o):
			if hasNext {
				return next, passPrefix(next.text), true
			}
		case strings.HasPrefix(text, o) && len(text) > len(o)+1 && len(o) > 1 && (text[len(o)] == '=' || text[len(o)] == ':'):
			return w, len(o) + 1 + passPrefix(text[len(o)+1:]), true
		}
	}
	for _, o := range p.Logins {
		switch {
		case text == o || clustered(text, o):
			if hasNext {
				k, ok := p.afterUser(next.text)
				return next, k, ok
			}
		case strings.HasPrefix(text, o+"="), len(o) == 2 && strings.HasPrefix(text, o):
			skip := len(o)
			if text[skip] == '=' {
				skip++
			}
			k, ok := p.afterUser(text[skip:])
			return w, skip + k, ok
		}
	}
	return word{}, 0, false
}

// clustered: a short option at the end of several, as in -su.
func clustered(text, option string) bool {
	return len(option) == 2 && len(text) > 2 && len(text) <= 6 && isCluster(text) && option[0] == '-' && text[len(text)-1] == option[1]
}

// passPrefix is the length of openssl's "pass:".
func passPrefix(v string) int {
	if strings.HasPrefix(v, "pass:") {
		return len("pass:")
	}
	return 0
}

// afterUser returns where the secret begins in user:secret.
func (p secretPlace) afterUser(v string) (k int, ok bool) {
	sep := p.Separator
	if sep == "" {
		sep = ":"
	}
	i := strings.Index(v, sep)
	if i < 0 {
		return 0, false
	}
	if sep == ":" {
		if i = colonIn(v); i < 0 {
			return 0, false
		}
	}
	return i + len(sep), true
}

// positional tells whether the i-th word is an argument that is a secret, and
// which part of it.
func (p secretPlace) positional(c command, since, i int) (k, to int, ok bool) {
	if len(p.Words) == 0 || strings.HasPrefix(c.words[i].text, "-") {
		return 0, 0, false
	}
	at, total := 0, 0
	for j := since + 1; j < min(len(c.words), since+maxWords); j++ {
		if w := c.words[j]; w.op {
			break
		} else if strings.HasPrefix(w.text, "-") {
			continue
		}
		total++
		if j == i {
			at = total
		}
	}
	if at == 0 || total < p.Least || !slices.Contains(p.Words, at) && (at != total || !slices.Contains(p.Words, -1)) {
		return 0, 0, false
	}
	v := c.words[i].text
	if p.Separator != "" {
		_, rest, has := strings.Cut(v, p.Separator)
		secret := rest
		if p.Separator != "=" {
			secret, _, _ = strings.Cut(rest, "@") // scott/tiger@host
		}
		if !has || clue.Plain(secret) || strings.HasPrefix(secret, "/") {
			return 0, 0, false
		}
		k = len(v) - len(rest)
		return k, k + len(secret), true
	}
	return 0, len(v), p.isSecret(v) && !clue.NameFollows(v, 0)
}
