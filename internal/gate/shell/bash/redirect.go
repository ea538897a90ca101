package bash

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// IsOutput reports an operator that opens its target for writing, or may.
func IsOutput(op syntax.RedirOperator) bool {
	switch op {
	case syntax.RdrIn, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return false
	default:
		return true
	}
}

// HarmlessTarget reports that no file is written: `2>&1`, `>&-`, /dev/null.
func HarmlessTarget(r *syntax.Redirect, target string) bool {
	if r.Op == syntax.DplOut && IsDescriptor(target) {
		return true
	}
	switch target {
	case "/dev/null", "/dev/stdout", "/dev/stderr":
		return true
	}
	return false
}

// IsDescriptor reports "1", "-" and "1-", after which >& duplicates, closes or
// moves a descriptor and opens nothing.
func IsDescriptor(target string) bool {
	if target == "-" {
		return true
	}
	digits := strings.TrimSuffix(target, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}
