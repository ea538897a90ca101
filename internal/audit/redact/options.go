package redact

import (
	"context"
	"strings"
)

// arguments finds secrets by the words of command lines: the values of telling
// options, what the programs of the table take, and what is piped into one.
func arguments(ctx context.Context, s string) []span {
	list := commands(s)
	var found []span
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
func (c command) secrets(s string) []span {
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
	found []span
	// program is the last one met, set tells that a setter was.
	program *invocation
	set     bool
}

// add notes that w.text[k:to] is a secret.
func (sc *wordScan) add(w word, k, to int, kind string) {
	start, end := w.part(sc.s, k, to)
	sc.found = append(sc.found, span{start, end, kind, byPlace})
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
		sc.add(w, k, to, readName(w.text[:k-1]).kind)
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
		sc.add(next, passPrefix(next.text), len(next.text), readName(w.text).kind)
	case sc.set && setting(w.text, next.text):
		sc.add(next, 0, len(next.text), readName(w.text).kind)
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
var variable = wordSet("export declare typeset local readonly env set echo printf make sudo")

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
	n := readName(option)
	if n.strength == mute || n.verb || next[0] == '-' && !random(next, 12) || plain(next) {
		return false
	}
	switch {
	case n.strength == weak && n.kind == "password":
		return looksDrawn(next)
	case n.strength == weak:
		return random(next, 16) || isHex(next) && len(next) >= 24
	case n.bare && n.kind == "secret":
		return looksDrawn(next) // often the name of one
	case isNumber(next):
		return len(next) >= 4
	}
	return !strings.ContainsAny(next, "=") || looksDrawn(next)
}

// setters are words after which a name and a value follow as two words.
var setters = wordSet("set config configure setx setenv put --arg config:set user-secrets secrets:set --set-string set-secret -x -gx -Ux add-config")

// setting tells whether the word, after a setter, names a secret that the next
// word is.
func setting(text, next string) bool {
	if next[0] == '-' || strings.Contains(text, "=") || isDigit(text[0]) {
		return false
	}
	n := readName(text[strings.LastIndexByte(text, '/')+1:])
	if n.strength == mute || n.verb || looksFile(text) || plain(next) {
		return false
	}
	if n.strength == weak || n.bare && n.kind == "secret" {
		return random(next, 12)
	}
	return len(next) >= 4
}

// announcers are words after which a token follows, as in `snyk auth X`.
var announcers = wordSet("login auth authtoken add-authtoken token password passwd unlock unseal setapikey apikey pass secret-key obscure authenticate " +
	"bearer add-token set-token set-key requirepass masterauth add-auth-token logintoken api-key")

func announces(text, next string) bool {
	lower := lowerASCII(text)
	if strings.HasSuffix(lower, "-password") && isAlpha(text[0]) { // set-password
		return looksDrawn(next) && !plain(next)
	}
	if !announcers[lower] && !strings.HasSuffix(lower, "token") {
		return false
	}
	return next[0] != '-' && !strings.ContainsAny(next, ":@=") && random(next, 12) && !plain(next)
}

// wordAssignment tells whether a whole word, quotes removed, is NAME=secret,
// and where the secret begins and ends: it may hold blanks.
func wordAssignment(text string) (k, to int, ok bool) {
	i := strings.IndexByte(text, '=')
	if i <= 0 || i > maxName || !isNameOnly(text[:i]) {
		return 0, 0, false
	}
	n := readName(text[:i])
	v := strings.TrimRight(text[i+1:], ",;")
	if n.strength != strong || n.kind == "authorization" || v == "" || plain(v) || strings.ContainsAny(v, "\n") || isSentence(v) {
		return 0, 0, false
	}
	for j := range len(v) {
		if strings.IndexByte("&;, /|#", v[j]) >= 0 && nameFollows(v, j+1) {
			return 0, 0, false // more than one
		}
	}
	if isNumber(v) && len(v) < 4 || text[0] == '-' && n.bare && n.kind == "secret" && !looksDrawn(v) {
		return 0, 0, false
	}
	return i + 1, i + 1 + len(v), true
}

// looksToken tells whether a word that nothing announces is a token: long, with
// small letters, capitals and digits all over, most of them in one piece.
func looksToken(text string) bool {
	text = strings.TrimRight(text, "=")
	if len(text) < 20 || len(text) > maxToken || strings.HasPrefix(text, "sha") {
		return false
	}
	run, longest := 0, ""
	for i := range len(text) {
		switch {
		case isAlnum(text[i]) || text[i] == '+':
			if run++; run > len(longest) {
				longest = text[i+1-run : i+1]
			}
		case text[i] == '_' || text[i] == '-' || text[i] == '~':
			run = 0
		default:
			return false
		}
	}
	return len(longest) >= 16 && mixed(longest) && drawn(longest) && !plain(text)
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
	return w, random(w.text, 8) && !plain(w.text) && !strings.ContainsAny(w.text, ":/=")
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
