//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// hide does nothing: only Windows would open a window.
func hide(*exec.Cmd) {}

// yield lets a process run when nobody else wants to. It runs all the same where
// that cannot be had.
func yield(pid int) { _ = syscall.Setpriority(syscall.PRIO_PROCESS, pid, 19) }
