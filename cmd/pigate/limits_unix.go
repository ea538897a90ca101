//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// outliveLimits makes a file that grows beyond a limit fail its write, like a
// full disk, where it would end the process otherwise.
func outliveLimits() { signal.Ignore(syscall.SIGXFSZ) }
