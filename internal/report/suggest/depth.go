package suggest

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// depth is the least number of words that a rule for commands like this one must
// name before its wildcard; 0 when no wildcard may be drafted for it at all.
//
// The program and its subcommand are always named, with the options between
// them: "git push", "npm run build", "git -C sub log". Programs without
// subcommands are named with their first argument, unless they only look. An
// interpreter is named with the file it runs, and a runner such as npx with the
// program, and so on from there.
func (k knowledge) depth(list []string, shape string) int {
	program := base(list[0])
	switch {
	case k.isNever(program), k.isMany(program), k.carries(list):
		return 0
	case k.isFed(program):
		return k.fedDepth(list)
	case k.isLooker(k.trusted(list[0])):
		return 1
	case program == "sed":
		return sedDepth(list)
	}
	if at, inner := k.runs(list); at > 0 {
		if at >= len(list) || len(inner) == 0 || !literal(inner[0]) || strings.HasPrefix(inner[0], "-") {
			return 0
		}
		named := k.depth(inner, k.innerShape(inner))
		if k.isLooker(base(inner[0])) || named == 0 {
			return 0
		}
		if k.builtByName(base(inner[0])) {
			return at + 1
		}
		return len(list) - len(inner) + named
	}
	if k.Lookup(program) == nil && len(list) > 1 {
		return max(2, plainWords(list)) // which of them says what it does is not known
	}
	n := shapeEnd(list, shape)
	if n < 2 && len(list) > 1 && !k.builtByName(k.trusted(list[0])) {
		n = 2
	}
	if n == 2 && len(list) > 1 && isStarter()[list[1]] && !k.isLook(program, list[1]) {
		n = 3 // what is started is a task or a program of its own
	}
	return n
}

// whole reports that a command may be drafted as a whole: it is none of those
// that never are, and no code handed to an interpreter.
func (k knowledge) whole(list []string) bool {
	switch program := base(list[0]); {
	case k.isNever(program):
		return false
	case k.isFed(program):
		return k.fedDepth(list) > 0
	}
	if at, inner := k.runs(list); at > 0 {
		return len(inner) > 0 && literal(inner[0]) && !strings.HasPrefix(inner[0], "-") && k.whole(inner)
	}
	return true
}

// builtByName reports a program without subcommands that may be named alone.
func (k knowledge) builtByName(program string) bool { return k.draftOf(program) == catalog.DraftAlone }

// isLook reports a subcommand that only looks.
func (k knowledge) isLook(program, sub string) bool {
	c, known := k.classOf(program, sub)
	return known && c == looks
}

// shapeEnd is the number of words up to the last word of the shape. A word that
// occurs twice counts where it stands last, which is the narrower reading.
func shapeEnd(list []string, shape string) int {
	end := 1
	for i, word := range strings.Fields(shape) {
		if i == 0 {
			continue
		}
		for at := len(list) - 1; at >= end; at-- {
			if list[at] == word {
				end = at + 1
				break
			}
		}
	}
	return end
}

// fedDepth wants an interpreter's file, or the module that Python runs.
func (k knowledge) fedDepth(list []string) int {
	switch {
	case len(list) < 2:
		return 0
	case strings.HasPrefix(base(list[0]), "python") && list[1] == "-m" && len(list) > 2 && plain(list[2]):
		switch list[2] {
		case "pytest", "unittest", "mypy", "ruff", "black", "isort", "compileall", "json.tool", "pylint", "flake8":
			return 3
		}
		return 0
	case base(list[0]) == "bun" || base(list[0]) == "deno":
		switch list[1] {
		case "test", "check", "lint", "fmt":
			return 2
		case "run", "task":
			if len(list) > 2 && literal(list[2]) && !strings.HasPrefix(list[2], "-") && within(list[2]) {
				return 3
			}
		}
		return 0
	case !literal(list[1]) || strings.HasPrefix(list[1], "-") || !within(list[1]):
		return 0
	case isConsole()[base(list[1])]:
		return 3
	}
	return 2
}

// within reports that a path stays inside the folder it starts from.
func within(path string) bool {
	return !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "~") && path != ".." && !strings.HasPrefix(path, "../") && !strings.Contains(path, "/../")
}

// sedDepth wants sed to print and no more.
func sedDepth(list []string) int {
	if len(list) > 1 && list[1] == "-n" {
		return 2
	}
	return 0
}

// runs returns how many words stand before the command that a runner runs, a
// program that finds or prepares another one whose words follow its own, and the
// words of that command, its package without the version. It is 0 when the
// command is none: a script that a package manager runs by its name is no program.
func (k knowledge) runs(list []string) (at int, inner []string) {
	p := k.Lookup(base(list[0]))
	if p == nil {
		return 0, nil
	}
	c, n := p.Sub(list[1:]...)
	if c.Runs == nil || !c.Runs.Runner && c.Runs.Program == "" {
		return 0, nil
	}
	at = 1 + n + c.Runs.Operands
	if c.Runs.Bins {
		for at < len(list) && strings.HasPrefix(list[at], "-") {
			if o := c.Option(list[at]); o != nil && o.Value == catalog.AnyValue {
				at++
			}
			at++
		}
		if at >= len(list) || p.Named(list[at]) != nil {
			return 0, nil
		}
	} else if c.Runs.Shown && c.Runs.Program == "" {
		return 0, nil // a script of the project's
	}
	if c.Runs.BehindDashes && at < len(list) && list[at] == "--" {
		at++
	}
	if len(list) <= at {
		return 0, nil
	}
	inner = slices.Clone(list[at:])
	inner[0] = c.Runs.Packages.Name(k.Catalog, inner[0])
	if c.Runs.Program != "" {
		inner = append([]string{c.Runs.Program}, inner...)
	}
	return at, inner
}

// innerShape is the program of a command that a runner runs, with the words that
// the catalogue says belong to it.
func (k knowledge) innerShape(list []string) string {
	p := k.Lookup(base(list[0]))
	if p == nil || p.Depth < 1 {
		return list[0]
	}
	n := 1 + p.Depth
	if p.Depth == 1 && len(list) > 2 && slices.Contains(p.Deeper, list[1]) {
		n++
	}
	return strings.Join(list[:min(n, len(list), max(1, plainWords(list)))], " ")
}

// plainWords is how many words there are up to the last of the leading ones that
// look like subcommands, options among them.
func plainWords(list []string) int {
	n := 1
	for i, word := range list[1:] {
		switch {
		case plain(word):
			n = i + 2
		case !strings.HasPrefix(word, "-"):
			return n
		}
	}
	return n
}
