// Package migrations holds the steps that make the journal's schema, as SQL
// files named by their number: 0001_journal.sql is what takes an empty file to
// version 1. Package audit applies them. A released file is never changed; the
// next change is the next file.
package migrations

import "embed"

// FS holds the files.
//
//go:embed *.sql
var FS embed.FS
