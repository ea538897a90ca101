package clue

import (
	"strings"
)

// Plain tells whether a value is plainly no secret: it has no letter or digit,
// refers to one kept elsewhere, stands for one that is to be filled in, or is a
// path or an address.
func Plain(v string) bool {
	v = strings.Trim(v, " \t\r\n\"'`\\,;")
	v = strings.TrimSuffix(v, `\n`) // of a format
	if len(v) > maxPlain {
		return !HasAlnum(v)
	}
	return Unfilled(v) || isPath(v) || isAddress(v)
}

// maxPlain is the length from which a value with a letter in it is not plain.
const maxPlain = 256

// Unfilled tells whether a value has no letter or digit of its own.
func Unfilled(v string) bool {
	return !HasAlnum(v) || len(v) <= maxPlain && (placeholder(v) || refers(v))
}

var (
	// reference is a value that a shell, a template or a person fills in.
	reference = Pattern(`\$\{\{[^{}]*\}\}|\$?\{\{[^{}]*\}\}|\$\{[^{}]*\}|\$\([^()]*(?:\([^()]*\)[^()]*)*\)?|` +
		"`[^`]*`?" + `|\$(?:env:)?[A-Z_][A-Z0-9_]*\b|\$(?:env:)?[a-z_]+[A-Za-z_]*[0-9]{0,2}\b|\$[0-9@*#?!]|<[A-Za-z_][^<>]*>`)
	// slot is another sign for one, which a password could hold as well.
	slot = Pattern(`^(?:%[A-Za-z_][A-Za-z0-9_]*%|\{[A-Za-z_][\w.]*\}|\[[A-Za-z][A-Za-z _-]*\]|%\([a-z_]+\)s|%[sdvq]|@@[A-Z_]+@@|![A-Za-z_]+!|#\{[^{}]*\})+$`)
	// defaulted is a reference with a default value, which may be a secret.
	defaulted = Pattern(`\$\{\w+:?[-=]([^{}]+)\}`)
)

// refers tells whether a value is references, alone or joined by words.
func refers(v string) bool {
	if !strings.ContainsAny(v, "$`<{[%@!#") {
		return false
	}
	if m := defaulted().FindStringSubmatch(v); m != nil && LooksDrawn(m[1]) {
		return false
	}
	if slot().MatchString(v) {
		return true
	}
	rest := reference().ReplaceAllString(v, "")
	if len(rest) == len(v) {
		return false
	}
	rest, _, _ = strings.Cut(rest, "@") // after an @ it is a host
	for i := range len(rest) {
		if !IsAlpha(rest[i]) && strings.IndexByte(" _-./:\"'\\,;()", rest[i]) < 0 {
			return false
		}
	}
	return true
}

// version is a dotted number with words behind it, as in the coordinates of a
// package: 2.0.6=default, 1.4.0-rc.2.
var version = Pattern(`^[vV]?\d+(?:\.\d+)+(?:[-+=.][A-Za-z]+(?:\.?\d+)?)*$`)

// IsVersion reports what reads as the version of a program or package.
func IsVersion(v string) bool { return version().MatchString(v) }

// commonplace are passwords that are the names of programs, users and images, as
// their manuals set them.
var commonplace = WordSet("postgres postgresql mysql mariadb mongo mongodb redis rabbitmq rabbit minio minioadmin elastic " +
	"admin administrator root guest user test demo oracle sqlserver neo4j grafana keycloak nexus sonar jenkins app dev local docker")

// Commonplace reports a password that stands in many a text as the name of a
// program, a user or an image.
func Commonplace(secret string) bool { return commonplace[strings.ToLower(secret)] }

// standIns are words that stand where a secret is to go, and those that say
// that there is none. Values made of them alone are no secrets.
var standIns = WordSet("your my the a an insert enter put add replace with here this that value goes change changeme " +
	"changeit me it placeholder example sample dummy fake mock redacted masked hidden removed omitted censored " +
	"todo tbd fixme none null nil undefined nan true false yes no on off enabled disabled default empty unset " +
	"api key keys token tokens secret secrets password passwords passwd passphrase pass pwd pw apikey auth " +
	"authorization credential credentials access private public client id user username name account app new old " +
	"test testing tests sk pk rk ghp gho ghs ghu glpat npm xoxb xoxp hf " + // the beginnings of tokens
	"some any foo bar baz xxx yyy zzz xxxx xxxxx abc hash string str text bytes int integer number bool boolean " +
	"object required optional prompt ask env inherit always never auto plain bearer basic digest oauth oauth2 jwt " +
	"github gitlab openai anthropic aws azure google slack personal generated from of to for in is not be must " +
	"mysecret mytoken mypassword yourpassword yourtoken yoursecret yourapikey stdin type field length " +
	"function const var let import export return async await self args kwargs stringliteral")

func placeholder(v string) bool {
	if strings.HasSuffix(v, "EXAMPLE") || strings.HasSuffix(v, "EXAMPLEKEY") { // those of Amazon's manuals
		return true
	}
	if len(v) < 16 && (strings.Contains(v, "...") || strings.Contains(v, "…")) {
		return true
	}
	if sameLetter(v) {
		return true
	}
	if len(v) > 64 {
		return false
	}
	start, words := -1, 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && IsAlnum(v[i]) {
			if start < 0 {
				start = i
			}
			continue
		}
		if i < len(v) && v[i] >= 0x80 {
			return false
		}
		if start >= 0 {
			w := strings.ToLower(v[start:i])
			if !standIns[w] && !sameLetter(w) {
				return false
			}
			words++
			start = -1
		}
	}
	return words > 0
}

// sameLetter: xxxx, ****, 0000.
func sameLetter(v string) bool {
	if len(v) < 2 || IsDigit(v[0]) && v[0] != '0' {
		return false
	}
	for i := 1; i < len(v); i++ {
		if v[i]|0x20 != v[0]|0x20 {
			return false
		}
	}
	return true
}

// isPath tells paths from base64, which may begin with a slash too.
func isPath(v string) bool {
	switch {
	case v[0] == '@':
		// a file to read it from, in curl and others
		v = strings.TrimPrefix(v[1:], "-")
		return v == "" || isPath(v) || LooksFile(v) || strings.HasPrefix(v, "env:") || strings.HasPrefix(v, "keychain:")
	case v[0] == '~':
		return len(v) == 1 || v[1] == '/' || strings.Contains(v, "/")
	case v[0] != '/' && v[0] != '.' && !isDrive(v):
		return LooksFile(v) || isRelative(v)
	case strings.HasPrefix(v, "./"), strings.HasPrefix(v, "../"), strings.HasPrefix(v, ".\\"):
	case v[0] == '.':
		return LooksFile(v) || !strings.ContainsAny(v, "/\\") && !Random(v, 8) && !LooksDrawn(v)
	}
	if strings.ContainsAny(v, "+=") {
		return false
	}
	for part := range strings.SplitSeq(v, "/") {
		if Random(part, 16) && Mixed(part) {
			return false
		}
	}
	return true
}

// isRelative knows relative paths of lower-case words.
func isRelative(v string) bool {
	if !strings.Contains(strings.TrimRight(v, "/"), "/") {
		return false
	}
	for i := range len(v) {
		if !isLower(v[i]) && !IsDigit(v[i]) && strings.IndexByte("/_.-", v[i]) < 0 {
			return false
		}
	}
	return !Random(v, 8)
}

func isDrive(v string) bool {
	return len(v) > 2 && IsAlpha(v[0]) && v[1] == ':' && (v[2] == '\\' || v[2] == '/')
}

var fileName = Pattern(`^[\w./\\{}*-]*\.(?:pem|key|crt|cert|p12|pfx|jks|pub|txt|json|ya?ml|toml|ini|env|conf|cfg|` +
	`properties|xml|html?|md|go|py|rb|rs|js|ts|tsx|jsx|mjs|sh|bash|java|kt|c|h|cpp|cs|php|sql|log|csv|gpg|age|asc|lock|` +
	`enc|bak|tar|gz|zip|db|sqlite)$`)

// LooksFile reports what reads as the name of a file.
func LooksFile(v string) bool { return len(v) < 200 && fileName().MatchString(v) }

var address = Pattern(`^(?:[a-z][a-z0-9+.-]{1,15}://[^\s@?]*|(?:env|file|vault|ssm|keyring|arn|gcpsm):\S*|` +
	`(?:id|type|src|source|env)=\S*|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|[a-z][a-z.-]*:\d{2,5}|v?\d+(?:\.\d+){1,3}(?:-[a-z0-9.]+)?|` +
	`\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?|sha(?:1|256|384|512)[:-]\S+)$`)

// rooted are values in the words of a program, settled when it runs.
var rooted = Pattern(`^!?(?:process\.env|import\.meta|os\.(?:environ|getenv|Getenv)|env|ENV|secrets|vars|self|this|config|cfg|` +
	`args|opts|options|props|req|ctx|settings|\.?Values)\??[.\[(][A-Za-z_.\[\]()"'?!,: -]*$`)

// call is a call of a function with short arguments.
var call = Pattern(`^[A-Za-z_][\w.:]*\([\w., ]*\)$`)

func isAddress(v string) bool {
	return address().MatchString(v) || rooted().MatchString(v) || call().MatchString(v)
}
