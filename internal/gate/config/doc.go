// Package config reads, merges, seeds and saves the JSON files of a user's rules
// and settings. With its package disk it is the only one of the gate that writes
// files.
//
// The two files have the same shape and are both optional:
//
//	<agent-dir>/extensions/allowlist-gate.json   global
//	<project>/.pi/allowlist-gate.json            project, only when trusted
//
// Trusted means by a person: of a project that Pi trusts without having asked
// anybody, only the deny and ask rules count, unless the file was made by Save.
//
// Where the project's folder has no such file, the nearest one above it in the
// same git working tree takes its place, and in a linked worktree one of the main
// checkout. Of the others there only deny and ask rules count. An organisation's
// file lies under all of them: what it says no other lifts.
//
// Values of the project override global ones key by key; lists are replaced
// wholesale. The keys guardedFlags, outside, worktrees, projectTrust and journal count in the global
// file only: a repository must not be able to switch its own auditing off. Of
// sessionApprovals a project's file can only set the narrower value.
//
// Nothing in a broken file widens access. A file that is not strict JSON, or
// holds a value of the wrong type, counts as {"allow": []} with the strictest
// value of every setting; the deny rules that can still be read from it, and
// those of its last good reading, stay in force.
package config
