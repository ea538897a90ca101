package redact

import (
	"context"
	"github.com/pigate/pigate/internal/audit/redact/clue"
	"strings"
)

// arguments finds secrets by the words of command lines: the values of telling
// options, what the programs of the table take, and what is piped into one.
func arguments(ctx context.Context, s string) []clue.Span {
	list := commands(s)
	var found []clue.Span
	for i, c := range list {
		if ctx.Err() != nil {
			return nil
		}
		found = append(found, c.secrets(s)...)
		if c.piped && i > 0 && c.readsSecret() {
			found = append(found, list[i-1].printed(s, c.isNamed("chpasswd"))...)
		}
		found = append(found, c.hereString(s)...)
	}
	return found
}

// secrets returns the secrets among the words of a command.
func (c command) secrets(s string) []clue.Span {
	scan := wordScan{command: c, s: s}
	for i, w := range c.words {
		if !w.op && w.text != "" {
			scan.word(i)
		}
	}
	if w, ok := c.userAndPassword(); ok {
		scan.add(w, 0, len(w.text), "password")
	}
	return scan.found
}

// wordScan goes through the words of a command.
type wordScan struct {
	command
	s     string
	found []clue.Span
	// program is the last one met, set tells that a setter was.
	program *invocation
	set     bool
}

// add notes that w.text[k:to] is a secret.
func (sc *wordScan) add(w word, k, to int, kind string) {
	start, end := w.part(sc.s, k, to)
	sc.found = append(sc.found, clue.Span{Start: start, End: end, Kind: kind, Rank: clue.ByPlace})
}

// word looks at the i-th word by itself and with the next.
func (sc *wordScan) word(i int) {
	w := sc.words[i]
	if places := secretsOf(base(w.text)); places != nil && w.text[0] != '-' {
		sc.program = &invocation{places: places, from: i}
		return
	}
	if next, ok := sc.next(i); ok && sc.before(w, next) {
		return
	}
	sc.set = sc.set || setters[w.text]
	if k, to, ok := wordAssignment(w.text); ok && !sc.isScript(i, k) {
		sc.add(w, k, to, clue.ReadName(w.text[:k-1]).Kind)
		return
	}
	text := strings.TrimRight(w.text, ",;:")
	if looksToken(text) && !(i > 0 && strings.HasPrefix(sc.words[i-1].text, "ssh-")) {
		sc.add(w, 0, len(text), "token")
		return
	}
	if sc.program != nil {
		sc.program.word(sc.command, i, sc.add)
	}
}

// before tells whether the word makes the next a secret.
func (sc *wordScan) before(w, next word) bool {
	switch {
	case secretOption(w.text, next.text):
		sc.add(next, passPrefix(next.text), len(next.text), clue.ReadName(w.text).Kind)
	case sc.set && setting(w.text, next.text):
		sc.add(next, 0, len(next.text), clue.ReadName(w.text).Kind)
	case announces(w.text, next.text):
		sc.add(next, 0, len(next.text), "token")
	default:
		return false
	}
	return true
}

// next returns the word after the i-th unless an operator stands there.
func (c command) next(i int) (word, bool) {
	if i+1 < len(c.words) && !c.words[i+1].op && c.words[i+1].text != "" {
		return c.words[i+1], true
	}
	return word{}, false
}

// variable are words before a variable, beside options.
var variable = clue.WordSet("export declare typeset local readonly env set echo printf make sudo")

// isScript tells whether the i-th word, NAME=value with the value from k, is a
// command line of its own: ssh host 'NAME=value command'.
func (c command) isScript(i, k int) bool {
	w := c.words[i]
	if i == 0 || !strings.ContainsAny(w.text[k:], " \t") || len(w.text) == w.end-w.start {
		return false
	}
	before := c.words[i-1].text
	if before == "-c" || before == "-e" && strings.ContainsAny(w.text, "(;") {
		return true
	}
	return before == "" || before[0] != '-' && !variable[before]
}

// isNamed tells whether one of the words is the program's name.
func (c command) isNamed(program string) bool {
	for _, w := range c.words {
		if !w.op && base(w.text) == program {
			return true
		}
	}
	return false
}

// secretOption tells whether the option takes the next word and that is a
// secret: --token X, -password X.
func secretOption(option, next string) bool {
	if option[0] != '-' && option[0] != '/' || strings.ContainsAny(option, "=: ") || len(option) < 4 || strings.LastIndexByte(option, '/') > 0 {
		return false
	}
	n := clue.ReadName(option)
	if n.Strength == clue.Mute || n.Verb || next[0] == '-' && !clue.Random(next, 12) || clue.Plain(next) {
		return false
	}
	switch {
	case n.Kind == clue.PIN:
		return clue.IsPIN(next)
	case n.Strength == clue.Weak && n.Kind == "password":
		return clue.LooksDrawn(next)
	case n.Strength == clue.Weak:
		return clue.Random(next, 16) || clue.IsHex(next) && len(next) >= 24
	case n.Bare && n.Kind == "secret":
		return clue.LooksDrawn(next) // often the name of one
	case clue.IsNumber(next):
		return len(next) >= 4
	}
	return !strings.ContainsAny(next, "=") || clue.LooksDrawn(next)
}

// setters are words after which a name and a value follow as two words.
var setters = clue.WordSet("set config configure setx setenv put --arg config:set user-secrets secrets:set --set-string set-secret -x -gx -Ux add-config")

// setting tells whether the word, after a setter, names a secret that the next
// word is.
func setting(text, next string) bool {
	if next[0] == '-' || strings.Contains(text, "=") || clue.IsDigit(text[0]) {
		return false
	}
	n := clue.ReadName(text[strings.LastIndexByte(text, '/')+1:])
	if n.Strength == clue.Mute || n.Verb || clue.LooksFile(text) || clue.Plain(next) {
		return false
	}
	if n.Strength == clue.Weak || n.Bare && n.Kind == "secret" {
		return clue.Random(next, 12)
	}
	return len(next) >= 4
}

// announcers are words after which a token follows, as in `snyk auth X`.
var announcers = clue.WordSet("login auth authtoken add-authtoken token password passwd unlock unseal setapikey apikey pass secret-key obscure authenticate " +
	"bearer add-token set-token set-key requirepass masterauth add-auth-token logintoken api-key")

func announces(text, next string) bool {
	lower := clue.LowerASCII(text)
	if strings.HasSuffix(lower, "-password") && clue.IsAlpha(text[0]) { // set-password
		return clue.LooksDrawn(next) && !clue.Plain(next)
	}
	if !announcers[lower] && !strings.HasSuffix(lower, "token") {
		return false
	}
	return next[0] != '-' && !strings.ContainsAny(next, ":@=") && clue.Random(next, 12) && !clue.Plain(next)
}

// wordAssignment tells whether a whole word, quotes removed, is NAME=secret,
// and where the secret begins and ends: it may hold blanks.
func wordAssignment(text string) (k, to int, ok bool) {
	i := strings.IndexByte(text, '=')
	if i <= 0 || i > clue.MaxName || !isNameOnly(text[:i]) {
		return 0, 0, false
	}
	n := clue.ReadName(text[:i])
	v := strings.TrimRight(text[i+1:], ",;")
	if n.Strength != clue.Strong || n.Kind == "authorization" || v == "" || clue.Plain(v) || strings.ContainsAny(v, "\n") || isSentence(v) {
		return 0, 0, false
	}
	for j := range len(v) {
		if strings.IndexByte("&;, /|#", v[j]) >= 0 && clue.NameFollows(v, j+1) {
			return 0, 0, false // more than one
		}
	}
	if clue.IsNumber(v) && len(v) < 4 || text[0] == '-' && n.Bare && n.Kind == "secret" && !clue.LooksDrawn(v) {
		return 0, 0, false
	}
	return i + 1, i + 1 + len(v), true
}

// looksToken tells whether a word that nothing announces is a token: long, with
// small letters, capitals and digits all over, most of them in one piece.
func looksToken(text string) bool {
	text = strings.TrimRight(text, "=")
	if len(text) < 20 || len(text) > clue.MaxToken || strings.HasPrefix(text, "sha") {
		return false
	}
	run, longest := 0, ""
	for i := range len(text) {
		switch {
		case clue.IsAlnum(text[i]) || text[i] == '+':
			if run++; run > len(longest) {
				longest = text[i+1-run : i+1]
			}
		case text[i] == '_' || text[i] == '-' || text[i] == '~':
			run = 0
		default:
			return false
		}
	}
	return len(longest) >= 16 && clue.Mixed(longest) && clue.Drawn(longest) && !clue.Plain(text)
}

func isNameOnly(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) && s[i] != '/' && s[i] != ':' {
			return false
		}
	}
	return true
}

// userAndPassword finds -p X beside -u Y in a command of any program: its X
// where that looks drawn.
func (c command) userAndPassword() (w word, ok bool) {
	user, at := false, -1
	for i, w := range c.words {
		switch {
		case w.op:
		case w.text == "-u" || w.text == "-U" || strings.HasPrefix(w.text, "--user"):
			user = true
		case w.text == "-p" || w.text == "-P":
			if _, has := c.next(i); has && at < 0 {
				at = i
			}
		}
	}
	if !user || at < 0 {
		return word{}, false
	}
	w = c.words[at+1]
	return w, clue.Random(w.text, 8) && !clue.Plain(w.text) && !strings.ContainsAny(w.text, ":/=")
}

// base is the name of a program without its folder and ending.
func base(text string) string {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == '/' || text[i] == '\\' {
			text = text[i+1:]
			break
		}
	}
	return strings.TrimSuffix(text, ".exe")
}
