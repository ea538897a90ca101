// Package shell reads the text of a shell command and tells what it would do:
// the units (simple commands) that could run, the files it would write by
// redirection, and the guarded flags it carries.
//
// The package is pure: it opens no file, reads no clock and runs nothing. It
// errs on one side only. What it cannot read with certainty is marked
// (Analysis.Unparsed, Unit.Opaque) so that no wildcard rule allows it, while
// deny rules still see every piece that a cautious split of the text finds.
//
// Bash reads with the syntax tree of mvdan.cc/sh; package pwsh reads PowerShell, as far as
// it is made of what its grammar names.
package shell
