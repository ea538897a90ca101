package main

import (
	"os/exec"
	"syscall"
)

// https://learn.microsoft.com/en-us/windows/win32/procthread/process-creation-flags
const (
	createNoWindow    = 0x08000000
	idlePriorityClass = 0x00000040
)

// hide keeps a process without a window, and lets it run when nobody else wants
// to.
func hide(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow | idlePriorityClass}
}

// yield does nothing: hide has done it.
func yield(int) {}
