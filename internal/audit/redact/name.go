package redact

import "strings"

// strength is how surely a value is a secret by its name.
type strength int

const (
	mute   strength = iota // the name says nothing
	weak                   // a secret if it looks random
	strong                 // a secret unless it is plainly none
)

// name is what the name of a value (a variable, an option, a field, a header)
// says about it.
type name struct {
	strength strength
	kind     string
	// bare: the name is the one telling word and nothing else.
	bare bool
	// verb: it begins with what is done, as in --with-token.
	verb bool
}

// The words of names. Each telling word is looked for as a whole word of the
// name; those of endings also at the end of a longer one (PGPASSWORD).
var (
	strongWords = map[string]string{
		"password": "password", "passwd": "password", "passwort": "password", "passphrase": "passphrase",
		"passcode": "password", "pwd": "password", "psswd": "password", "pword": "password", "userpwd": "password",
		"requirepass": "password", "masterauth": "password", "storepass": "password", "keypass": "password",
		"userpass": "password", "sshpass": "password", "sudopass": "password", "dbpass": "password",
		"secret": "secret", "token": "token", "authorization": "authorization",
		"apikey": "api-key", "apitoken": "token", "secretkey": "secret-key", "accesskey": "access-key",
		"privatekey": "private-key", "authkey": "auth-key", "authtoken": "token", "accesstoken": "token",
		"accountkey": "account-key", "sharedkey": "shared-key", "presharedkey": "shared-key", "psk": "shared-key",
		"encryptionkey": "encryption-key", "masterkey": "encryption-key", "signingsecret": "secret",
		"mnemonic": "passphrase", "credential": "credential",
	}
	endings = []string{"password", "passwd", "passphrase", "secret", "token", "apikey"}

	weakWords = map[string]string{
		"pass": "password", "passes": "password", "passwords": "password", "pw": "password",
		"auth": "credential", "oauth": "credential", "creds": "credential", "cred": "credential",
		"credentials": "credential", "login": "credential", "userinfo": "credential", "basic": "credential",
		"tokens": "token", "jwt": "token", "bearer": "token", "pat": "token", "otp": "token", "oauth2": "token",
		"secrets": "secret", "key": "key", "keys": "key", "apikeys": "api-key", "appid": "api-key",
		"sig": "signature", "signature": "signature", "hmac": "signature",
		"session": "session", "sessionid": "session", "sid": "session", "phpsessid": "session",
		"jsessionid": "session", "cookie": "cookie", "csrf": "session", "xsrf": "session",
		"salt": "secret", "seed": "secret", "license": "license", "licence": "license", "dsn": "credential",
		"ticket": "session", "sas": "signature", "webhook": "webhook", "plaintext": "secret",
	}

	// keyOf are the words before "key" that make it one to keep.
	keyOf = map[string]string{
		"api": "api-key", "access": "access-key", "secret": "secret-key", "private": "private-key",
		"account": "account-key", "auth": "auth-key", "encryption": "encryption-key", "encrypt": "encryption-key",
		"signing": "signing-key", "sign": "signing-key", "master": "encryption-key", "shared": "shared-key",
		"preshared": "shared-key", "storage": "account-key", "app": "api-key", "application": "api-key",
		"subscription": "api-key", "service": "api-key", "client": "private-key", "admin": "api-key",
		"server": "api-key", "deploy": "api-key", "jwt": "signing-key", "hmac": "signing-key", "aes": "encryption-key",
		"cipher": "encryption-key", "consumer": "api-key", "license": "license", "licence": "license",
		"ingest": "api-key", "ingestion": "api-key", "write": "api-key", "integration": "api-key",
		"root": "encryption-key", "unseal": "encryption-key", "session": "signing-key", "cookie": "signing-key",
		"webhook": "signing-key", "nuget": "api-key", "openai": "api-key", "stripe": "api-key",
		"anthropic": "api-key", "sendgrid": "api-key", "datadog": "api-key", "recovery": "encryption-key",
	}

	// notKeyOf are those that make it a name of something, or public.
	notKeyOf = wordSet("public publishable pub primary foreign partition sort cache idempotency object routing map " +
		"lookup dict hot unique composite index issue project jira config registry sequence natural item json")

	// asideWords say that the value is about the secret and not the secret.
	asideWords = wordSet("file files path paths dir directory folder uri url urls href link endpoint name names type " +
		"types mode length len size count counts total number num limit limits max min ttl expiry expires expiration " +
		"expired age lifetime duration policy policies field fields column env var variable vars prefix suffix format " +
		"header headers ref refs reference store storage manager provider providers helper command cmd enabled disabled " +
		"required optional timeout host hostname port username group groups rotation version versions " +
		"algorithm alg algo label labels title text message messages msg prompt error errors status state stdin fd " +
		"pattern regex bucket budget usage project region location rate created updated at issuer audience aud scope " +
		"scopes class strategy method func function handler middleware docs doc " +
		"example template schema kind source src script policyname strength rule rules reset change changed check " +
		"valid validator validation validate mount volume volumes vault arn namespace ns view form input " +
		"component button screen cost price stream counter pos position index idx offset window plugin backend " +
		"frontend board pair stroke word down up press pressed event map set list array")

	identWords = wordSet("id ids uuid guid identifier fingerprint thumbprint hash sha sha256 digest checksum")

	verbs = wordSet("no not without with use ask prompt show get print display hide disable enable reset require " +
		"save forget generate gen list rotate delete revoke verify check create new make read set is has allow " +
		"include skip ignore force remove unset refresh validate need needs want can should")
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// maxName is how much of the end of a long name is looked at, in bytes.
const maxName = 80

// readName judges a name in any of the usual spellings: dbPassword,
// DB_PASSWORD, --db-password, X-Db-Password, db.password.
func readName(s string) name {
	if len(s) > maxName {
		s = s[len(s)-maxName:]
	}
	var buf [16]string
	words := splitName(s, buf[:0])
	aside, ident := false, false
	for i := len(words) - 1; i >= 0; i-- {
		w := strings.TrimRight(words[i], "0123456789")
		if w == "" {
			continue
		}
		n := nameAt(words, i, w)
		if n.strength == mute {
			aside = aside || asideWords[w]
			ident = ident || identWords[w]
			continue
		}
		return n.beside(words, i, aside, ident)
	}
	return name{}
}

// beside weakens what a telling word says by the words around it.
func (n name) beside(words []string, i int, aside, ident bool) name {
	n.verb = i > 0 && verbs[words[0]]
	n.bare = len(words) == 1
	switch {
	case aside, ident && (n.kind == "key" || strings.HasSuffix(n.kind, "-key")):
		return name{}
	case ident:
		n.strength = weak
	}
	return n
}

// nameAt judges word w, the i-th of a name.
func nameAt(words []string, i int, w string) name {
	before := ""
	if i > 0 {
		before = words[i-1]
	}
	switch {
	case w == "key":
		if kind, ok := keyOf[before]; ok {
			return name{strength: strong, kind: kind}
		}
		if notKeyOf[before] {
			return name{}
		}
	case w == "sid" && i > 0: // of an account
		return name{}
	case w == "pass" && i > 0, w == "pw" && i > 0:
		return name{strength: strong, kind: "password"}
	case w == "phrase" && (before == "seed" || before == "recovery" || before == "pass"):
		return name{strength: strong, kind: "passphrase"}
	case w == "word" && before == "pass":
		return name{strength: strong, kind: "password"}
	case w == "token" && (before == "public" || before == "cancellation" || before == "page" || before == "next"):
		return name{}
	}
	if kind, ok := strongWords[w]; ok {
		return name{strength: strong, kind: kind}
	}
	if kind, ok := weakWords[w]; ok {
		return name{strength: weak, kind: kind}
	}
	for _, e := range endings {
		if len(w) > len(e) && strings.HasSuffix(w, e) {
			return name{strength: strong, kind: strongWords[e]}
		}
	}
	return name{}
}

// splitName cuts a name into lower-case words, at most cap(words) of its end.
func splitName(s string, words []string) []string {
	start := -1
	flush := func(end int) {
		if start < 0 || start == end {
			return
		}
		if len(words) == cap(words) {
			copy(words, words[1:])
			words = words[:len(words)-1]
		}
		words = append(words, strings.ToLower(s[start:end]))
		start = -1
	}
	for i := range len(s) {
		if !isAlnum(s[i]) {
			flush(i)
			continue
		}
		if start >= 0 && isUpper(s[i]) {
			afterLower := !isUpper(s[i-1])
			endsCapitals := isUpper(s[i-1]) && i+1 < len(s) && isLower(s[i+1])
			if afterLower || endsCapitals {
				flush(i)
			}
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(s))
	return words
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlpha(c byte) bool { return isUpper(c) || isLower(c) }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
func isBlank(c byte) bool { return c == ' ' || c == '\t' }
func isSpace(c byte) bool { return isBlank(c) || c == '\n' || c == '\r' || c == '\v' || c == '\f' }
