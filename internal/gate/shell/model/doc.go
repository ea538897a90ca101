// Package model holds what was read of a command line: the simple commands that
// it would run, with the ways in which each may read, and the files that it would
// write by redirection.
package model
