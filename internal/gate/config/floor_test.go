//go:build unix

package config_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/organisation"
	"github.com/pigate/pigate/internal/gate/policy"
)

// drawFile is a drawn file of configuration, with settings.
func drawFile(t *testing.T, draw *rand.Rand) (lists, string) {
	t.Helper()
	l := drawLists(draw)
	file := map[string]any{}
	for key, list := range map[string][]string{"allow": l.Allow, "deny": l.Deny, "ask": l.Ask} {
		if list != nil {
			file[key] = list
		}
	}
	for key, values := range map[string][]any{
		"enabled": {true, false}, "redirections": {"ask", "precise"}, "guardedFlags": {true, false}, "outside": {"ask", "allow"},
		"worktrees": {"outside", "inside"}, "sessionApprovals": {"target", "exact"}, "projectTrust": {"asked", "pi"},
	} {
		if draw.IntN(4) == 0 {
			file[key] = values[draw.IntN(2)]
		}
	}
	text, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return l, string(text)
}

// stands puts a file in the place of the organisation's for a test.
func stands(t *testing.T, path string) {
	t.Helper()
	organisation.UseForTests(organisation.Place{Path: path, Owner: os.Getuid(), Top: filepath.Dir(path)})
	t.Cleanup(func() { organisation.UseForTests(organisation.Place{}) })
}

// An organisation's file lets no call run that asked or was blocked without it;
// what it denies and asks about no other file lifts; and beyond its allow list
// nothing runs.
func TestOrganisationOnlyTightens(t *testing.T) {
	dir := t.TempDir()
	draw := rand.New(rand.NewPCG(17, 19))
	let, stopped, settings := 0, 0, 0
	for n := range 250 {
		dir := filepath.Join(dir, fmt.Sprint(n))
		root, agent, file := filepath.Join(dir, "root"), filepath.Join(dir, "agent"), filepath.Join(dir, "org", "policy.json")
		_, global := drawFile(t, draw)
		put(t, filepath.Join(agent, "extensions", "allowlist-gate.json"), global)
		_, own := drawFile(t, draw)
		put(t, filepath.Join(root, ".pi", "allowlist-gate.json"), own)
		load := func() config.Result { return config.NewReader(agent).Load(root, policy.TrustedByPerson) }

		stands(t, file)
		before := load()
		org, text := drawFile(t, draw)
		broken := draw.IntN(8) == 0
		if broken {
			text += "}"
		}
		put(t, file, text)
		after := load()
		if !after.Organisation.Found || after.Organisation.Ignored || after.Organisation.Invalid != broken {
			t.Fatalf("%+v", after.Organisation)
		}
		s, was := after.Policy.Settings, before.Policy.Settings
		if s.GuardedFlags != was.GuardedFlags || s.Redirections != was.Redirections || s.SessionApprovals != was.SessionApprovals {
			settings++
		}
		if was.GuardedFlags && !s.GuardedFlags || was.Redirections == "ask" && s.Redirections != "ask" || was.Outside == "ask" && s.Outside != "ask" ||
			!was.InsideWorktrees && s.InsideWorktrees || was.SessionApprovals == policy.CoverExact && s.SessionApprovals != policy.CoverExact || was.Enabled && !s.Enabled {
			t.Fatalf("a setting is looser: %+v, was %+v, by %s", s, was, text)
		}
		if org.Allow == nil {
			org.Allow = []string{"shell:*", "edit:*"}
		}
		var keys map[string]any
		off := !broken && json.Unmarshal([]byte(text), &keys) == nil && keys["enabled"] == false
		for _, call := range [][2]string{
			{"bash", "make x"}, {"bash", "git push"}, {"bash", "git status"}, {"bash", "make x > y"}, {"bash", "git status && make"}, {"bash", "cp a ../b"},
			{"edit", "x"}, {"edit", "a/x"}, {"edit", "main.go"}, {"edit", "../x"}, {"read", "x"},
		} {
			if !runs(after.Policy, call[0], call[1], root, root) {
				if runs(before.Policy, call[0], call[1], root, root) {
					stopped++
				}
				continue
			}
			if !runs(before.Policy, call[0], call[1], root, root) {
				t.Fatalf("%q runs with the organisation's file %s and not without\nglobal %s\nproject %s", call, text, global, own)
			}
			if call[0] == "read" {
				continue
			}
			let++
			if broken {
				t.Fatalf("%q runs under the broken file %s", call, text)
			}
			if !off && call[1] != "make x > y" && call[1] != "cp a ../b" && !runs(org.policy(t), call[0], call[1], root, root) {
				t.Fatalf("%q runs and the organisation's file does not let it: %s\nglobal %s\nproject %s", call, text, global, own)
			}
		}
	}
	if let < 50 || stopped < 50 || settings < 20 {
		t.Errorf("%d calls ran, %d were stopped, %d settings changed: the test tells little", let, stopped, settings)
	}
}

func TestOrganisationFileOfAnotherUser(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "policy.json")
	put(t, file, `{"deny": ["shell:ls *"]}`)
	stands(t, file)
	organisation.UseForTests(organisation.Place{Path: file, Owner: os.Getuid() + 1, Top: dir})
	r := config.NewReader(filepath.Join(dir, "agent")).Load(dir, policy.TrustedByPerson)
	if !r.Organisation.Found || !r.Organisation.Ignored || len(r.Warnings) != 1 || len(r.New) != 1 || !runs(r.Policy, "bash", "ls", dir, dir) {
		t.Errorf("%+v, warnings %v", r.Organisation, r.Warnings)
	}
}
