package report

import (
	"path"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
)

// mostShapes is how many pieces of one call its shape names.
const mostShapes = 4

// Shape names what a call has in common with others like it, in a few words: of
// a command the programs with their subcommands ("git add + git push"), of an
// edit the folder and the kind of file ("edit src/*.go"), else the tool. Only
// the pieces that reasons are about count, and a reason that is about none is
// named by its cause ("git log + (redirection)"); without reasons, all pieces.
// The text is hostile still.
func Shape(c *policy.Call, reasons []policy.Reason) string {
	var list []string
	add := func(shape string) {
		if !slices.Contains(list, shape) {
			list = append(list, shape)
		}
	}
	switch {
	case c.Analysis != nil && len(reasons) > 0:
		for _, r := range reasons {
			add(reasonShape(c, r))
		}
	case c.Analysis != nil:
		for i := range c.Analysis.Units {
			add(unitShape(c, i))
		}
	case len(c.Resources) > 0 && c.Resources[0].Kind == policy.EditPath:
		return c.Request.Tool + " " + fileShape(c.Resources[0].Text)
	case len(c.Resources) > 0:
		return string(c.Resources[0].Kind) + " " + c.Resources[0].Text
	}
	if len(list) == 0 {
		return c.Request.Tool
	}
	if len(list) > mostShapes {
		list = append(list[:mostShapes], "…")
	}
	return strings.Join(list, " + ")
}

// reasonShape is the shape of the piece of a command that a reason is about.
func reasonShape(c *policy.Call, r policy.Reason) string {
	switch r.Cause {
	case policy.CauseRule, policy.CauseNoRule, policy.CauseGuardedFlag, policy.CauseOpaque, policy.CauseCouldBeDenied,
		policy.CauseAskRule, policy.CauseCouldBeAsked, policy.CauseCeiling, policy.CauseBrokenFile:
		for i := range c.Analysis.Units {
			if u := &c.Analysis.Units[i]; u.Text == r.Resource {
				return unitShape(c, i)
			}
		}
		if r.Resource == c.Request.Tool {
			return r.Resource
		}
	case policy.CauseRedirection, policy.CauseOutside, policy.CauseUnparsed, policy.CauseSelfProtection, policy.CauseBadInput, policy.CauseNoResource,
		policy.CauseReadOnly, policy.CauseDisabled:
	}
	return "(" + string(r.Cause) + ")"
}

func unitShape(c *policy.Call, i int) string {
	if shape := c.Analysis.Units[i].Shape(); shape != "" {
		return shape
	}
	if c.Analysis.Units[i].Opaque != "" {
		return "(" + string(policy.CauseOpaque) + ")"
	}
	return "(assignment)"
}

// fileShape is a file's folder with the kind of file.
func fileShape(file string) string {
	dir, base := path.Split(file)
	if ext := path.Ext(base); ext != "" && ext != base && base[0] != '.' {
		return dir + "*" + ext
	}
	return dir + base
}
