// Package clue tells by what secrets are recognised: names that announce one,
// values that look drawn at random or stand for none, and the words around which
// an expression is worth running. It knows no form of a single service and no
// program; package redact does.
package clue
