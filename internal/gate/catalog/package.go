package catalog

import (
	"strings"
	"unicode"
)

// Name returns the name of the program that a package is run for: without its
// version, its extras and where it comes from. It is the word itself where that
// is all there is. A package that known has as a name of a program is
// that program. Sources: the manuals of npm exec, npm-package-arg, uvx, pipx run,
// go run and nix run.
func (k Packages) Name(known *Catalog, word string) string {
	name := word
	switch k {
	case NodePackages:
		name = nodePackage(word)
	case PythonPackages:
		name = pythonPackage(word)
	case GoPackages:
		name = goPackage(word)
	case NixPackages:
		if _, attribute, ok := strings.Cut(word, "#"); ok {
			name = attribute[strings.LastIndexByte(attribute, '.')+1:]
		}
	default:
		return word
	}
	if name == "" {
		return word
	}
	if strings.Contains(name, "/") || name != word {
		if p := known.Exact(strings.ToLower(name)); p != nil {
			return p.Names[0]
		}
	}
	return name
}

// nodePackage takes the version off name@5, @scope/name@5, npm:name@5,
// alias@npm:name@5, github:user/name#tag and name@https://….
func nodePackage(word string) string {
	for _, from := range [...]string{"npm:", "jsr:"} {
		if at := strings.LastIndex(word, from); at == 0 || at > 0 && word[at-1] == '@' {
			word = strings.TrimPrefix(word[at+len(from):], "/")
		}
	}
	if at := strings.IndexByte(word[min(1, len(word)):], '@'); at >= 0 && !strings.Contains(word[:at+1], "://") {
		word = word[:at+1]
	}
	word, _, _ = strings.Cut(word, "#")
	return strings.TrimSuffix(word, ".git")
}

// pythonPackage takes off what may follow a name in a requirement, as PEP 508 has
// it, and uvx's name@0.4.
func pythonPackage(word string) string {
	if strings.Contains(word, "://") || strings.HasPrefix(word, ".") || strings.HasPrefix(word, "/") {
		return word
	}
	end := strings.IndexFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '.'
	})
	if end < 0 {
		return word
	}
	return word[:end]
}

// goPackage takes off the version of a module, and the element of its path that
// only tells the major version.
func goPackage(word string) string {
	word, _, _ = strings.Cut(word, "@")
	word = strings.TrimRight(word, "/")
	at := strings.LastIndexByte(word, '/')
	if last := word[at+1:]; at > 0 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		return word[:at]
	}
	return word
}
