package text

import "strings"

// Wrap breaks text, in which nothing is hidden any more, into lines of at most
// width columns, but for a single character that is wider: at a blank where there
// is one in the last third of the line.
func Wrap(s string, width int) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		for {
			at := len(prefix(line, width))
			if at == len(line) {
				break
			}
			if blank := strings.LastIndexByte(line[:at], ' '); blank > 0 && Columns(line[:blank]) > width*2/3 {
				at = blank + 1
			}
			lines = append(lines, line[:at])
			line = line[at:]
		}
		lines = append(lines, line)
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	return lines
}

// Clip shortens a line, in which nothing is hidden any more, to at most width
// columns of a terminal.
func Clip(line string, width int) string {
	if Columns(line) <= width {
		return line
	}
	start := prefix(line, width-1)
	if Columns(start) > width-1 {
		start = ""
	}
	return start + "…"
}

// Cut shortens a text to at most n characters; 0 is no bound.
func Cut(s string, n int) string {
	if runes := []rune(s); n > 0 && len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}

// prefix is the longest beginning of a line of at most width columns, and at
// least one character.
func prefix(line string, width int) string {
	used := 0
	for i, r := range line {
		if used += runeColumns(r); used > width && i > 0 {
			return line[:i]
		}
	}
	return line
}

// Columns is how many columns of a terminal a line takes at most, in which
// nothing is hidden any more.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// runeColumns is how many columns a terminal may use for a character: two for
// everything from the Hangul jamo on but dashes, quotes and dots, which errs
// towards shorter lines.
func runeColumns(r rune) int {
	if r >= 0x1100 && (r < 0x2010 || r > 0x2027) {
		return 2
	}
	return 1
}
