package transcript

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
)

func numbered(id string, n int) string { return id + "/" + strconv.Itoa(n) }

// codexShell are the arguments of Codex's shell tools, of all their versions:
// shell and local_shell_call take a list of words, shell_command and
// exec_command a text.
type codexShell struct {
	Command          json.RawMessage `json:"command"`
	Cmd              json.RawMessage `json:"cmd"`
	Workdir          string          `json:"workdir"`
	WorkingDirectory string          `json:"working_directory"`
	Shell            string          `json:"shell"`
}

// calls are what an item calls, in Pi's words.
func (item *codexItem) calls(base Call) []Call {
	base.Tool, base.Input = item.Name, unwrapped(item.Arguments)
	if item.Namespace != "" && !strings.HasPrefix(base.Tool, item.Namespace) {
		base.Tool = strings.TrimSuffix(item.Namespace, "__") + "__" + base.Tool
	}
	if strings.HasPrefix(base.Tool, "mcp__") {
		base.Tool = mcpName(base.Tool)
	}
	switch {
	case item.Type == "local_shell_call":
		base.Tool = "shell"
		return shellCalls(base, item.Action)
	case item.Name == "shell", item.Name == "shell_command", item.Name == "exec_command", item.Name == "container.exec":
		return shellCalls(base, base.Input)
	case item.Name == "apply_patch":
		return patchCalls(base, strings.Join(textOf(item.Input), "")+patchIn(base.Input))
	case item.Type == "custom_tool_call":
		base.Input = object(map[string]json.RawMessage{"input": item.Input})
	}
	return []Call{base}
}

// unwrapped is the JSON that stands in a text.
func unwrapped(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) != nil || !json.Valid([]byte(text)) {
		return raw
	}
	return json.RawMessage(text)
}

// patchIn is the patch among the arguments of a function.
func patchIn(arguments json.RawMessage) string {
	var fields struct {
		Input string `json:"input"`
		Patch string `json:"patch"`
	}
	_ = json.Unmarshal(arguments, &fields) // arguments of another shape hold no patch
	return fields.Input + fields.Patch
}

// shellCalls are the calls of a shell tool. Codex itself takes a command that is
// nothing but a patch for one.
func shellCalls(base Call, arguments json.RawMessage) []Call {
	var a codexShell
	if json.Unmarshal(arguments, &a) != nil {
		base.Tool, base.Input = "bash", arguments
		return []Call{base}
	}
	base.Cwd = within(base.Cwd, a.Workdir+a.WorkingDirectory)
	words := wordsOf(a.Command)
	if len(words) == 0 {
		words = wordsOf(a.Cmd)
	}
	if len(words) == 2 && words[0] == "apply_patch" {
		return patchCalls(base, words[1])
	}
	command, shell := commandOf(words, a.Shell)
	if patch, ok := herePatch(command); ok {
		return patchCalls(base, patch)
	}
	base.Tool, base.Input = shell, arguments
	if command != "" {
		base.Input = object(map[string]string{"command": command})
	}
	return []Call{base}
}

// wordsOf are the words of a command line, or one text as it stands.
func wordsOf(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		return []string{text}
	}
	return nil
}

var (
	unixShells = []string{"bash", "sh", "zsh", "dash", "ksh"}
	psShells   = []string{"powershell", "pwsh"}
)

// commandOf is the command line that a list of words runs, and the tool of Pi
// that would run it. A script that is handed to a shell is the command itself.
func commandOf(words []string, shell string) (command, tool string) {
	tool = "bash"
	if slices.Contains(psShells, program(shell)) {
		tool = "powershell"
	}
	if len(words) == 1 {
		return words[0], tool
	}
	if len(words) >= 3 {
		script, flag := words[len(words)-1], words[len(words)-2]
		switch name := program(words[0]); {
		case len(words) == 3 && slices.Contains(unixShells, name) && (flag == "-c" || flag == "-lc"):
			return script, "bash"
		case slices.Contains(psShells, name) && strings.EqualFold(flag, "-Command"):
			return script, "powershell"
		}
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, " "), tool
}

// program is the name of a program without its folder and without .exe.
func program(word string) string {
	return strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/"))), ".exe")
}

// quote writes a word so that a shell reads it as this very word.
func quote(word string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-./,:=@%+", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// codexOutput is an output: a text as it stands, blocks of text, or a text
// together with what is known besides.
type codexOutput struct {
	Output   string `json:"output"`
	Success  *bool  `json:"success"`
	Metadata struct {
		ExitCode *int `json:"exit_code"`
	} `json:"metadata"`
	Content json.RawMessage `json:"content"`
}

func outputOf(raw json.RawMessage) (o codexOutput) {
	if len(raw) > 0 && raw[0] == '{' {
		_ = json.Unmarshal(raw, &o) // an output of another shape says nothing
		if o.Output == "" {
			o.Output = strings.Join(textOf(o.Content), "\n")
		}
		return o
	}
	o.Output = strings.Join(textOf(raw), "\n")
	if inner := []byte(o.Output); bytes.HasPrefix(inner, []byte("{")) {
		var within codexOutput
		if json.Unmarshal(inner, &within) == nil && (within.Metadata.ExitCode != nil || within.Success != nil) {
			return within
		}
	}
	return o
}
