// Package pigate is only this comment: pigate is a command. cmd/pigate has its
// main package, internal the library it stands on, extension the enforcement
// point that Pi loads. ARCHITECTURE.md walks one call through them.
//
// Imports run one way, and imports_test.go keeps them so:
//
//	rule, shell, paths ← gate ← config, links, wire, audit ← report ← cmd
package pigate
