// Package extension holds the enforcement point for Pi, so that a binary can
// install exactly the extension it was built with.
package extension

import "embed"

// FS holds the extension's TypeScript sources and the package.json that makes
// their folder a Pi package. Its tests are not among them.
//
//go:embed *.ts package.json
var FS embed.FS
