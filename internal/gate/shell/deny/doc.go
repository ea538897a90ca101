// Package deny matches the patterns of deny rules by what they mean: options may
// be clustered or not, long or short, abbreviated, and stand in any order and
// place, and words that are not known may be what a pattern names.
package deny
