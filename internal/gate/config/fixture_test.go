package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// fixture is an agent folder and a project folder with a Loader.
type fixture struct {
	t      *testing.T
	agent  string
	root   string
	files  Files
	loader *Loader
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	base := t.TempDir()
	f := &fixture{t: t, agent: filepath.Join(base, "agent"), root: filepath.Join(base, "project")}
	if err := os.Mkdir(f.root, 0o755); err != nil {
		t.Fatal(err)
	}
	f.files = FilesOf(f.agent, f.root)
	f.loader = NewLoader(f.agent)
	return f
}

func (f *fixture) global(text string) *fixture  { return f.write(f.files.Global, text) }
func (f *fixture) project(text string) *fixture { return f.write(f.files.Project, text) }

func (f *fixture) write(path, text string) *fixture {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
	return f
}

func (f *fixture) read(path string) string {
	f.t.Helper()
	body, err := os.ReadFile(path)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(body)
}

func (f *fixture) load() Result { return f.loader.Load(f.root, policy.TrustedByPerson) }

// texts returns the rules of one effect, in order.
func texts(r Result, effect rule.Effect) []string {
	list := []string{}
	for _, rule := range r.Policy.Rules {
		if rule.Effect == effect {
			list = append(list, rule.Text)
		}
	}
	return list
}

func allowed(r Result) []string { return texts(r, rule.Allow) }
func denied(r Result) []string  { return texts(r, rule.Deny) }

// place returns "file:line" of the rule with the text, the global file as
// GLOBAL.
func (f *fixture) place(r Result, text string) string {
	f.t.Helper()
	for i := range r.Policy.Rules {
		if rule := &r.Policy.Rules[i]; rule.Text == text {
			return fmt.Sprintf("%s:%d", strings.ReplaceAll(rule.File, f.files.Global, "GLOBAL"), rule.Line)
		}
	}
	f.t.Fatalf("there is no rule %q", text)
	return ""
}

// warnings renders the warnings with the global file as GLOBAL and the
// consequence of an invalid file as […].
func (f *fixture) warnings(list []Warning) []string {
	out := []string{}
	for _, w := range list {
		text := strings.ReplaceAll(w.String(), f.files.Global, "GLOBAL")
		out = append(out, strings.ReplaceAll(text, consequence, " […]"))
	}
	return out
}
