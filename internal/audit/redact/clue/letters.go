package clue

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// IsDigit reports an ASCII digit.
func IsDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsAlpha reports an ASCII letter.
func IsAlpha(c byte) bool { return isUpper(c) || isLower(c) }

// IsAlnum reports an ASCII letter or digit.
func IsAlnum(c byte) bool { return IsAlpha(c) || IsDigit(c) }

// IsBlank reports a space or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsSpace reports white space of ASCII.
func IsSpace(c byte) bool { return IsBlank(c) || c == '\n' || c == '\r' || c == '\v' || c == '\f' }

// HasAlnum reports a letter or digit; what is no ASCII counts as one.
func HasAlnum(s string) bool {
	for i := range len(s) {
		if IsAlnum(s[i]) || s[i] >= 0x80 {
			return true
		}
	}
	return false
}

// IsNumber reports decimal digits alone, at least one.
func IsNumber(v string) bool {
	for i := range len(v) {
		if !IsDigit(v[i]) {
			return false
		}
	}
	return v != ""
}

// IsHex reports hexadecimal digits alone, at least one.
func IsHex(v string) bool {
	for i := range len(v) {
		if c := v[i] | 0x20; !IsDigit(v[i]) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return v != ""
}

// IsIdentifier reports ASCII letters and underscores alone, at least one.
func IsIdentifier(v string) bool {
	for i := range len(v) {
		if !IsAlpha(v[i]) && v[i] != '_' {
			return false
		}
	}
	return v != ""
}

// ByteAt returns s[i], and 0 outside the text.
func ByteAt(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

// SkipBlanks returns the index behind the blanks at s[i], at most 32 of them.
func SkipBlanks(s string, i int) int {
	for n := 0; n < 32 && i < len(s) && IsBlank(s[i]); n++ {
		i++
	}
	return i
}

// IsPrintable reports ASCII text without control characters other than white space.
func IsPrintable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 && !IsSpace(s[i]) || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
