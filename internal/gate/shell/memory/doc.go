// Package memory holds what a command line tells of its variables at the place
// that is being read, and carries out the shell's expansions by it.
package memory
