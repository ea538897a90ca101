package shell

// inside returns the source for shell text found in a word of s, or nil when
// the line holds more text within text than is read.
func (s *source) inside(text string, start, end int) *source {
	b := s.b
	b.nested += len(text)
	b.texts++
	if s.depth >= maxTexts || b.nested > maxNestedBytes || b.texts > maxNestedTexts {
		b.out.Unparsed = "the command holds too much shell text within shell text"
		return nil
	}
	n := &source{b: b, text: text, depth: s.depth + 1, elsewhere: s.elsewhere}
	n.start, n.end = s.span(start, end)
	return n
}
