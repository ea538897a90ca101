package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// recording is one recorded session.
type recording struct{ calls []recordedCall }

// recordedCall is a tool call with what came of it.
type recordedCall struct {
	tool     string
	input    json.RawMessage
	failed   bool
	duration int64 // in milliseconds
}

// readSessions reads every session file beneath a folder that holds calls.
func readSessions(dir string) (list []recording, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		r, err := readSession(path)
		if err != nil {
			return fmt.Errorf("read session %s: %w", path, err)
		}
		if len(r.calls) > 0 {
			list = append(list, r)
		}
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s holds no session files with calls", dir)
	}
	return list, err
}

func readSession(path string) (r recording, err error) {
	f, err := os.Open(path)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	at := map[string]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct {
			Message struct {
				Role    string
				Content []struct {
					Type, ID, Name string
					Arguments      json.RawMessage
				}
				ToolCallID string
				IsError    bool
				DurationMs int64
			}
		}
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			continue // whatever it is, it is no call
		}
		m := line.Message
		if i, ok := at[m.ToolCallID]; ok && m.Role == "toolResult" {
			r.calls[i].failed, r.calls[i].duration = m.IsError, m.DurationMs
		}
		for _, c := range m.Content {
			if c.Type == "toolCall" && m.Role == "assistant" {
				at[c.ID] = len(r.calls)
				r.calls = append(r.calls, recordedCall{tool: c.Name, input: plainly(c.Arguments)})
			}
		}
	}
	return r, lines.Err()
}

// plainly writes an input as Pi does: with no more escapes than JSON demands.
func plainly(input any) json.RawMessage {
	if raw, ok := input.(json.RawMessage); ok && json.Unmarshal(raw, &input) != nil {
		return raw
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(input) != nil {
		return json.RawMessage("null") // what was JSON always is
	}
	return bytes.TrimSpace(b.Bytes())
}
