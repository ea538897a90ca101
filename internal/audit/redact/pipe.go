package redact

import (
	"strings"

	"github.com/pigate/pigate/internal/audit/redact/clue"
)

// readers are programs that read a secret from standard input, each with the
// words of which one must be among its own ("" for none).
var readers = map[string][]string{
	"sudo": {"-S"}, "su": {""}, "passwd": {""}, "chpasswd": {""}, "smbpasswd": {"-s"}, "kinit": {""},
	"cryptsetup": {""}, "gpg": {"--passphrase-fd"}, "openssl": {"stdin"}, "gh": {"secret", "login"},
	"glab": {"login"}, "wrangler": {"secret"}, "docker": {"secret"}, "podman": {"secret"}, "npm": {"login"},
	"vercel": {"env"}, "gcloud": {"secrets"}, "vault": {"-"}, "pass": {"insert"}, "gopass": {"insert"},
	"secret-tool": {"store"}, "ansible-vault": {"encrypt_string"}, "kubeseal": {""}, "bw": {"unlock"},
	"op": {"signin"}, "htpasswd": {"-i"}, "fly": {"secrets"}, "flyctl": {"secrets"}, "pulumi": {"--secret"},
	"wpa_passphrase": {""}, "firebase": {"functions:secrets:set"},
}

// readsSecret tells whether the command reads a secret from its input.
func (c command) readsSecret() bool {
	for i, w := range c.words {
		if w.op {
			continue
		}
		if isStdinOption(w.text) {
			return true
		}
		for _, with := range readers[base(w.text)] {
			if with == "" || c.indexOf(with, i+1, len(c.words)) >= 0 {
				return true
			}
		}
	}
	return false
}

// isStdinOption: --password-stdin, --with-token and the like.
func isStdinOption(text string) bool {
	switch text {
	case "--stdin", "--with-token":
		return true
	}
	before, ok := strings.CutSuffix(text, "stdin")
	return ok && clue.ReadName(before).Strength != clue.Mute
}

// printed returns the arguments of echo or printf, which another command reads
// as a secret; with pairs, what follows user: in each.
func (c command) printed(s string, pairs bool) []clue.Span {
	var found []clue.Span
	printing := false
	for _, w := range c.words {
		switch b := base(w.text); {
		case w.op && printing:
			return found
		case w.op:
		case !printing:
			printing = b == "echo" || b == "printf" || b == "print" || b == "yes"
		case strings.HasPrefix(w.text, "-") && len(w.text) < 4, strings.Contains(w.text, "%"):
		default:
			k := 0
			if pairs {
				k = strings.IndexByte(w.text, ':') + 1
			}
			v := strings.TrimSuffix(w.text[k:], `\n`)
			if v == "" || clue.Plain(v) || isSentence(v) {
				continue
			}
			start, end := w.from(s, k)
			if len(v) < len(w.text[k:]) {
				end -= len(`\n`)
			}
			found = append(found, clue.Span{Start: start, End: end, Kind: "password", Rank: clue.ByPlace})
		}
	}
	return found
}

// hereString returns the word after <<< where the command reads a secret.
func (c command) hereString(s string) []clue.Span {
	for i, w := range c.words {
		if !w.op || w.text != "<<<" {
			continue
		}
		v, ok := c.next(i)
		if !ok || clue.Plain(v.text) || !c.readsSecret() {
			return nil
		}
		start, end := v.from(s, 0)
		return []clue.Span{{Start: start, End: end, Kind: "password", Rank: clue.ByPlace}}
	}
	return nil
}
