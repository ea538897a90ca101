package clue

import "strings"

// serial are UUIDs and times, which number things.
var serial = Pattern(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(?:[T_-]\d\d[:-]?\d\d[:-]?\d\d(?:[.-]\d+)?Z?)?_?`)

// Random tells whether s looks drawn by a machine and not written by a person:
// a run of at least n letters and digits that keeps changing between small
// letters, capitals and digits. Words, names of variables, versions and dates
// do not; most tokens and hexadecimal keys do.
func Random(s string, n int) bool {
	if strings.Count(s, "-") >= 4 {
		s = serial().ReplaceAllString(s, "")
	}
	run, total, joined := 0, 0, true
	best := false
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && (IsAlnum(s[i]) || s[i] == '+' || s[i] == '/' && i > 0 || s[i] == '=') {
			run++
			total++
			continue
		}
		if run >= n && Drawn(s[start:i]) {
			best = true
		}
		if i < len(s) && s[i] != '-' && s[i] != '_' && s[i] != '.' && s[i] != '~' {
			joined = false
		}
		run, start = 0, i+1
	}
	if best {
		return true
	}
	// The alphabet of base64 for URLs cuts tokens into pieces.
	return joined && total >= n+4 && Mixed(s) && Drawn(s)
}

// Drawn judges one run by how often the class of its letters changes.
func Drawn(s string) bool {
	digits, letters, changes := 0, 0, 0
	var last byte
	for i := range len(s) {
		var class byte
		switch c := s[i]; {
		case IsDigit(c):
			digits++
			class = 'd'
		case isUpper(c):
			letters++
			class = 'U'
		case isLower(c):
			letters++
			class = 'l'
		default:
			continue
		}
		// A capital before small letters begins a word.
		if last != 0 && class != last && !(last == 'U' && class == 'l') {
			changes++
		}
		last = class
	}
	if letters == 0 {
		return false
	}
	if digits >= 2 {
		return changes*6 >= len(s)
	}
	return changes*4 >= len(s)
}

// Mixed tells whether s has small letters, capitals and digits.
func Mixed(s string) bool {
	var lower, upper, digit bool
	for i := range len(s) {
		lower = lower || isLower(s[i])
		upper = upper || isUpper(s[i])
		digit = digit || IsDigit(s[i])
	}
	return lower && upper && digit
}

// LooksDrawn tells whether a value that a name announces looks like a secret
// and not like the next word of a sentence or of a program: it has digits
// among letters, signs that no word has, capitals within, or great length.
func LooksDrawn(s string) bool {
	if len(s) < 6 {
		return false
	}
	var digit, letter, sign, inner bool
	for i := range len(s) {
		c := s[i]
		switch {
		case IsDigit(c):
			digit = true
		case IsAlpha(c):
			letter = true
			inner = inner || i > 1 && isUpper(c) && isLower(s[i-1])
		case c == '!' || c == '#' || c == '$' || c == '%' || c == '^' || c == '&' || c == '*' || c == '+' || c == '@' || c == '=' || c == '~':
			sign = true
		case IsSpace(c):
			return false
		}
	}
	return letter && (digit || sign || len(s) >= 20 && inner)
}
