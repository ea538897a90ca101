// Package dialog composes what a person is shown of a call that asks: its pieces
// that need approval, the gravest first, why it asks in words that say what there
// is to fear, what an edit changes, and the whole call for a person who wants to
// read it. It is pure and decides nothing.
package dialog
