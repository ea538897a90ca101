// Package redact takes secrets out of text before anything is written.
//
// Two kinds of knowledge find them. The rules of gitleaks know what the tokens
// of some two hundred services look like. What has no look of its own is known
// by its place: the value of a telling name (PASSWORD=…, --token …, a header,
// a field of JSON), the password in a URL, the option or argument of a program
// that takes a secret, what is piped into one, a private key.
//
// A secret is replaced by a mask:
//
//	[secret:github-pat:5f0c1d9a]
//
// that is, its kind (lower-case letters, digits and hyphens) and the first
// eight hexadecimal digits of an HMAC-SHA-256 of the secret. The same secret
// has the same digest in every text and process with the same key, so it can
// be recognised without being known; without the key a digest cannot be tried
// against guesses, and at 32 bits it names no long secret even with it. Masks
// hold no quotes, blanks or shell operators and stay whole when masked again.
//
// When in doubt a value is masked. References ($TOKEN, $(pass show x)),
// placeholders (<password>, your_api_key, ***), paths, and names of things
// (commits, digests of images, versions) stay readable. A short password that
// nothing announces cannot be told from a word and is not found; the same goes
// for a secret that is split, encrypted or spelled backwards.
//
// Work grows linearly with the text: all expressions are of Go's regexp, and
// the rules of gitleaks run only on the stretches that hold one of their
// keywords. The package opens no file, no connection, and writes no log.
package redact
