// Package suggest drafts rules from a history of calls: allow rules from what
// people approved and from what ran, deny rules, as questions, from what people
// refused again and again. A draft carries its evidence, its risk in words and
// what it would have saved, and is verified by the gate's own evaluate function
// on every call it claims.
//
// Frequency alone never makes a draft. What a person refused, what a deny rule
// names, what lets a dangerous call of package dangerous run and what touches
// pigate's or Pi's own files is not drafted, however often it ran.
package suggest
