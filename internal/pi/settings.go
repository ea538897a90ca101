package pi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/natefinch/atomic"
)

// settings is Pi's settings.json as far as it concerns packages.
type settings struct {
	path     string
	body     []byte
	packages []json.RawMessage
}

// readSettings reads settings.json; a missing or empty file is one without
// packages.
func readSettings(path string) (*settings, error) {
	s := &settings{path: path}
	body, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read Pi's settings: %w", err)
	}
	s.body = body
	if len(bytes.TrimSpace(body)) == 0 {
		s.body = []byte("{}\n")
	}
	var parsed struct {
		Packages []json.RawMessage `json:"packages"`
	}
	if err := json.Unmarshal(s.body, &parsed); err != nil {
		return nil, fmt.Errorf("read Pi's settings: %s: %w; mend the file, nothing was changed", path, err)
	}
	s.packages = parsed.Packages
	return s, nil
}

// SessionDir is the folder for sessions that Pi's settings in the agent folder
// name, as they spell it; "" when they name none.
func SessionDir(agentDir string) (string, error) {
	s, err := readSettings(filepath.Join(agentDir, "settings.json"))
	if err != nil {
		return "", err
	}
	var parsed struct {
		SessionDir string `json:"sessionDir"`
	}
	if err := json.Unmarshal(s.body, &parsed); err != nil {
		return "", fmt.Errorf("read Pi's settings: %s: %w", s.path, err)
	}
	return parsed.SessionDir, nil
}

// sources lists the sources of the packages: an entry is a text, or an object
// with a source.
func (s *settings) sources() []string {
	list := make([]string, 0, len(s.packages))
	for _, raw := range s.packages {
		list = append(list, source(raw))
	}
	return list
}

func source(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var object struct {
		Source string `json:"source"`
	}
	if json.Unmarshal(raw, &object) == nil {
		return object.Source
	}
	return ""
}

// member is one key of an object with its value as it stands in the file.
type member struct {
	name  string
	value json.RawMessage
}

func (s *settings) add(name string) error {
	quoted, err := json.Marshal(name)
	if err != nil {
		return fmt.Errorf("change Pi's settings: %w", err)
	}
	return s.write(append(slices.Clone(s.packages), quoted))
}

func (s *settings) remove(name string) error {
	return s.write(slices.DeleteFunc(slices.Clone(s.packages), func(raw json.RawMessage) bool { return source(raw) == name }))
}

// write replaces the list of packages. Every other key keeps its place and its
// value; the text is set out as Pi itself does, with two blanks.
func (s *settings) write(packages []json.RawMessage) error {
	if packages == nil {
		packages = []json.RawMessage{}
	}
	list, err := json.Marshal(packages)
	if err != nil {
		return fmt.Errorf("change Pi's settings: %w", err)
	}
	members, err := s.members()
	if err != nil {
		return fmt.Errorf("change Pi's settings: %s: %w", s.path, err)
	}
	if i := slices.IndexFunc(members, func(m member) bool { return m.name == "packages" }); i >= 0 {
		members[i].value = list
	} else {
		members = append(members, member{"packages", list})
	}
	var out bytes.Buffer
	if err := json.Indent(&out, render(members), "", "  "); err != nil {
		return fmt.Errorf("change Pi's settings: %w", err)
	}
	out.WriteByte('\n')
	target := s.path
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real // a link stays a link
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return fmt.Errorf("change Pi's settings: %w", err)
	}
	if err := atomic.WriteFile(target, &out); err != nil {
		return fmt.Errorf("change Pi's settings: %w", err)
	}
	return nil
}

// members takes the object apart in the order of the file. Of a key that
// stands there twice the last one counts, as in JSON.parse.
func (s *settings) members() ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(s.body))
	if _, err := d.Token(); err != nil { // the brace
		return nil, err
	}
	var members []member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: fmt.Sprint(name)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		members = slices.DeleteFunc(members, func(old member) bool { return old.name == m.name })
		members = append(members, m)
	}
	return members, nil
}

func render(members []member) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			continue // a text always encodes
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}
