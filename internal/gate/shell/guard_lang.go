package shell

import "strings"

// perlModule reports whether -M or -m names just a module and what to import.
func perlModule(value string) bool {
	return strings.IndexFunc(value, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(":_=,-", r))
	}) < 0
}
