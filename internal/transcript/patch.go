package transcript

import "strings"

// patchCalls are the changes of files that a patch in Codex's form makes. One
// that names no file is a call of its own tool.
func patchCalls(base Call, patch string) []Call {
	var list []Call
	add := func(tool, path, section string) {
		c := base
		c.Tool, c.Input = tool, object(map[string]string{"path": path, "patch": section})
		list = append(list, c)
	}
	for _, s := range sections(patch) {
		switch {
		case s.moved != "":
			add("edit", s.path, s.text)
			add("write", s.moved, s.text)
		case s.added:
			add("write", s.path, s.text)
		default: // Pi has no tool that deletes a file
			add("edit", s.path, s.text)
		}
	}
	if list == nil {
		base.Tool, base.Input = "apply_patch", object(map[string]string{"input": patch})
		list = append(list, base)
	}
	return list
}

// section is what a patch does to one file.
type section struct {
	path, moved, text string
	added             bool
}

func sections(patch string) (list []section) {
	for line := range strings.Lines(patch) {
		if line[0] != '*' {
			if len(list) > 0 {
				list[len(list)-1].text += line
			}
			continue
		}
		line = strings.TrimRight(line, "\r\n")
		for _, words := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: "} {
			if path, ok := strings.CutPrefix(line, words); ok {
				list = append(list, section{path: path, added: strings.HasPrefix(words, "*** Add")})
			}
		}
		if path, ok := strings.CutPrefix(line, "*** Move to: "); ok && len(list) > 0 {
			list[len(list)-1].moved = path
		}
	}
	return list
}

// herePatch is the patch in a command that is nothing but apply_patch with a
// here-document.
func herePatch(command string) (patch string, ok bool) {
	first, body, found := strings.Cut(strings.TrimSpace(command), "\n")
	word, found2 := strings.CutPrefix(first, "apply_patch <<")
	if !found || !found2 {
		return "", false
	}
	word = strings.Trim(strings.TrimSpace(word), `'"`)
	body, found = strings.CutSuffix(body, "\n"+word)
	return body + "\n", found && word != "" && strings.HasPrefix(body, "*** Begin Patch")
}
