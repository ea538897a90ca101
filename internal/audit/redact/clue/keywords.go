package clue

// Keywords finds which of a set of lower-case words, of two bytes or more,
// stand anywhere in a text, in one pass.
type Keywords struct {
	// Words are the words of the set.
	Words []string
	// pair has a bit for each two bytes that begin a word, byFirst the words
	// that begin with a byte.
	pair    [1 << 13]byte
	byFirst [256][]int
}

// NewKeywords makes the set of the words.
func NewKeywords(words []string) *Keywords {
	k := &Keywords{Words: words}
	for i, w := range words {
		p := pairOf(w[0], w[1])
		k.pair[p>>3] |= 1 << (p & 7)
		k.byFirst[w[0]] = append(k.byFirst[w[0]], i)
	}
	return k
}

func pairOf(a, b byte) int { return int(a)<<8 | int(b) }

// Each calls hit with the index of every word at every place where it stands
// in s, which must be lower case.
func (k *Keywords) Each(s string, hit func(word, at int)) {
	for i := 0; i+1 < len(s); i++ {
		p := pairOf(s[i], s[i+1])
		if k.pair[p>>3]&(1<<(p&7)) == 0 {
			continue
		}
		for _, w := range k.byFirst[s[i]] {
			if word := k.Words[w]; len(s)-i >= len(word) && s[i:i+len(word)] == word {
				hit(w, i)
			}
		}
	}
}

// LowerASCII lowers A to Z and keeps every offset, which strings.ToLower does
// not.
func LowerASCII(s string) string {
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for j := i; j < len(b); j++ {
				if 'A' <= b[j] && b[j] <= 'Z' {
					b[j] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
