package clue

import (
	"slices"
	"strings"
)

// Strength is how surely a value is a secret by its name.
type Strength int

// The strengths of a name.
const (
	Mute   Strength = iota // the name says nothing
	Weak                   // a secret if it looks random
	Strong                 // a secret unless it is plainly none
)

// Name is what the name of a value (a variable, an option, a field, a header)
// says about it.
type Name struct {
	Strength Strength
	Kind     string
	// Bare: the name is the one telling word and nothing else.
	Bare bool
	// Verb: it begins with what is done, as in --with-token.
	Verb bool
}

// The words of names. Each telling word is looked for as a whole word of the
// name; those of endings also at the end of a longer one (PGPASSWORD).
var (
	StrongWords = map[string]string{
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

	WeakWords = map[string]string{
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

	// KeyOf are the words before "key" that make it one to keep.
	KeyOf = map[string]string{
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
	notKeyOf = WordSet("public publishable pub primary foreign partition sort cache idempotency object routing map " +
		"lookup dict hot unique composite index issue project jira config registry sequence natural item json")

	// asideWords say that the value is about the secret and not the secret.
	asideWords = WordSet("file files path paths dir directory folder uri url urls href link endpoint name names type " +
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

	identWords = WordSet("id ids uuid guid identifier fingerprint thumbprint hash sha sha256 digest checksum")

	verbs = WordSet("no not without with use ask prompt show get print display hide disable enable reset require " +
		"save forget generate gen list rotate delete revoke verify check create new make read set is has allow " +
		"include skip ignore force remove unset refresh validate need needs want can should")
)

// PIN is the kind of names that announce a number to be kept secret.
const PIN = "pin"

// IsPIN reports a number of 4 to 12 digits.
func IsPIN(v string) bool { return IsNumber(v) && len(v) >= 4 && len(v) <= 12 }

// WordSet is the set of the words of a list with blanks between them.
func WordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// MaxName is how much of the end of a long name is looked at, in bytes.
const MaxName = 80

// ReadName judges a name in any of the usual spellings: dbPassword,
// DB_PASSWORD, --db-password, X-Db-Password, db.password.
func ReadName(s string) Name {
	if len(s) > MaxName {
		s = s[len(s)-MaxName:]
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
		if n.Strength == Mute {
			aside = aside || asideWords[w]
			ident = ident || identWords[w]
			continue
		}
		if n = n.beside(words, i, aside, ident); n.Strength == Strong && ofTest(s) {
			n.Strength = Weak
		}
		return n
	}
	return Name{}
}

// ofTest reports the name of a test function: TestToken, BenchmarkSecret.
func ofTest(s string) bool {
	for _, begin := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(s, begin); ok && rest != "" && isUpper(rest[0]) {
			return true
		}
	}
	return false
}

// beside weakens what a telling word says by the words around it.
func (n Name) beside(words []string, i int, aside, ident bool) Name {
	n.Verb = i > 0 && verbs[words[0]]
	n.Bare = len(words) == 1
	switch {
	case aside, ident && (n.Kind == "key" || strings.HasSuffix(n.Kind, "-key")):
		return Name{}
	case ident:
		n.Strength = Weak
	}
	return n
}

// nameAt judges word w, the i-th of a name.
func nameAt(words []string, i int, w string) Name {
	before := ""
	if i > 0 {
		before = words[i-1]
	}
	switch {
	case slices.Contains(words[:i], "existing"): // the name of one that is kept elsewhere
		return Name{}
	case w == "pin":
		return Name{Strength: Weak, Kind: PIN}
	case w == "key":
		if kind, ok := KeyOf[before]; ok {
			return Name{Strength: Strong, Kind: kind}
		}
		if notKeyOf[before] {
			return Name{}
		}
	case w == "sid" && i > 0: // of an account
		return Name{}
	case w == "pass" && i > 0, w == "pw" && i > 0:
		return Name{Strength: Strong, Kind: "password"}
	case w == "phrase" && (before == "seed" || before == "recovery" || before == "pass"):
		return Name{Strength: Strong, Kind: "passphrase"}
	case w == "word" && before == "pass":
		return Name{Strength: Strong, Kind: "password"}
	case w == "token" && (before == "public" || before == "cancellation" || before == "page" || before == "next"):
		return Name{}
	}
	if kind, ok := StrongWords[w]; ok {
		return Name{Strength: Strong, Kind: kind}
	}
	if kind, ok := WeakWords[w]; ok {
		return Name{Strength: Weak, Kind: kind}
	}
	for _, e := range endings {
		if len(w) > len(e) && strings.HasSuffix(w, e) {
			return Name{Strength: Strong, Kind: StrongWords[e]}
		}
	}
	return Name{}
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
		if !IsAlnum(s[i]) {
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
