package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
)

// member is one key of a generated file.
type member struct {
	name  string
	value any
}

// members draws the keys of a valid file, each there or not, in any order.
func members(rt *rapid.T, label string) []member {
	texts := rapid.SliceOfN(rapid.SampledFrom([]string{"shell:a *", "shell:b && c", "edit:docs/*", "mcp:x:y", "read", `shell:echo "é\`}), 0, 4)
	var all []member
	add := func(name string, value any) {
		if rapid.Bool().Draw(rt, label+" has "+name) {
			all = append(all, member{name, value})
		}
	}
	add(keyEnabled, rapid.Bool().Draw(rt, label+" enabled"))
	add(keyAllow, texts.Draw(rt, label+" allow"))
	add(keyDeny, texts.Draw(rt, label+" deny"))
	add(keyRedirections, rapid.SampledFrom([]string{policy.RedirectionsAsk, policy.RedirectionsPrecise}).Draw(rt, label+" redirections"))
	add(keyGuardedFlags, rapid.Bool().Draw(rt, label+" guardedFlags"))
	add(keyOutside, rapid.SampledFrom([]string{policy.OutsideAsk, policy.OutsideAllow}).Draw(rt, label+" outside"))
	add(keyProjectTrust, ProjectTrustAsked)
	add(keySessionApprovals, rapid.SampledFrom([]policy.Coverage{policy.CoverTarget, policy.CoverExact}).Draw(rt, label+" sessionApprovals"))
	add(keyJournal, map[string]string{keyRecord: rapid.SampledFrom([]string{RecordAll, RecordGated}).Draw(rt, label+" record")})
	add("other", map[string]any{"allow": []any{1, nil, "shell:*"}, "x": 1.5})
	return rapid.Permutation(all).Draw(rt, label+" order")
}

// jsonText renders members in a drawn layout.
func jsonText(rt *rapid.T, label string, all []member) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			rt.Fatal(err)
		}
		fmt.Fprintf(&b, "%q:%s", m.name, value)
	}
	b.WriteByte('}')
	out := b.String()
	switch indent := rapid.SampledFrom([]string{"", "\t", "  ", "    ", "inline"}).Draw(rt, label+" indent"); indent {
	case "":
	case "inline":
		out = strings.ReplaceAll(strings.ReplaceAll(out, `,"`, `, "`), `":`, `": `)
	default:
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, []byte(out), "", indent); err != nil {
			rt.Fatal(err)
		}
		out = pretty.String()
	}
	if rapid.Bool().Draw(rt, label+" CRLF") {
		out = strings.ReplaceAll(out, "\n", "\r\n")
	}
	return rapid.SampledFrom([]string{"", string(byteOrderMark)}).Draw(rt, label+" BOM") + out +
		rapid.SampledFrom([]string{"", "\n"}).Draw(rt, label+" end")
}

// find returns the value of a key.
func find[T any](all []member, name string) (value T, ok bool) {
	for _, m := range all {
		if m.name == name {
			return m.value.(T), true
		}
	}
	return value, false
}

// effective is the merge written as the rules say it: the project's value, else
// the global one, else the default.
func effective[T any](project, global []member, name string, otherwise T) T {
	if v, ok := find[T](project, name); ok {
		return v
	}
	if v, ok := find[T](global, name); ok {
		return v
	}
	return otherwise
}

// bench is a fixture that one test's many examples share.
type bench struct{ agent, root string }

func newBench(t *testing.T) bench {
	b := bench{t.TempDir(), t.TempDir()}
	for _, path := range []string{FilesOf(b.agent, b.root).Global, FilesOf(b.agent, b.root).Project} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b bench) write(rt *rapid.T, global, project string) {
	files := FilesOf(b.agent, b.root)
	for path, text := range map[string]string{files.Global: global, files.Project: project} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			rt.Fatal(err)
		}
	}
}

func TestMergeIsKeyByKey(t *testing.T) {
	b := newBench(t)
	rapid.Check(t, func(rt *rapid.T) {
		global, project := members(rt, "global"), members(rt, "project")
		b.write(rt, jsonText(rt, "global", global), jsonText(rt, "project", project))
		r := NewLoader(b.agent).Load(b.root, policy.TrustedByPerson)
		if diff := cmp.Diff(effective(project, global, keyAllow, defaultAllow), allowed(r)); diff != "" {
			rt.Errorf("allow (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(effective(project, global, keyDeny, []string{}), denied(r)); diff != "" {
			rt.Errorf("deny (-want +got):\n%s", diff)
		}
		want := policy.Settings{
			Enabled:      effective(project, global, keyEnabled, true),
			Redirections: effective(project, global, keyRedirections, policy.RedirectionsAsk),
			GuardedFlags: effective(nil, global, keyGuardedFlags, true),
			Outside:      effective(nil, global, keyOutside, policy.OutsideAsk),
			SessionApprovals: effective(nil, global, keySessionApprovals, policy.CoverTarget).
				Narrower(effective(project, nil, keySessionApprovals, policy.CoverTarget)),
		}
		if diff := cmp.Diff(want, r.Policy.Settings); diff != "" {
			rt.Errorf("settings (-want +got):\n%s", diff)
		}
		journal := effective(nil, global, keyJournal, map[string]string{keyRecord: RecordAll})
		if r.Journal.Record != journal[keyRecord] {
			rt.Errorf("journal: %+v", r.Journal)
		}
		if ignored := NewLoader(b.agent).Load(b.root, policy.Untrusted); ignored.Policy.Settings.Enabled != effective(nil, global, keyEnabled, true) ||
			!slices.Equal(allowed(ignored), effective(nil, global, keyAllow, defaultAllow)) {
			rt.Errorf("an untrusted project counts: %q", allowed(ignored))
		}
	})
}

// spoil makes a valid file invalid in a drawn way.
func spoil(rt *rapid.T, label string, all []member, valid string) string {
	switch rapid.SampledFrom([]string{"cut", "comment", "type", "bytes"}).Draw(rt, label+" spoiled by") {
	case "cut":
		return valid[:rapid.IntRange(0, strings.LastIndexByte(valid, '}')).Draw(rt, label+" cut at")]
	case "comment":
		return strings.Replace(valid, "{", "{ /* x */", 1)
	case "bytes":
		return valid + "\xff"
	}
	wrong := []member{{keyEnabled, "true"}, {keyAllow, nil}, {keyAllow, []any{1}}, {keyRedirections, false}, {keyDeny, 7}, {keySessionApprovals, "all"}}
	bad := rapid.SampledFrom(wrong).Draw(rt, label+" wrong key")
	kept := slices.DeleteFunc(slices.Clone(all), func(m member) bool { return m.name == bad.name })
	return jsonText(rt, label+" spoiled", append(kept, bad))
}

func TestInvalidNeverWidens(t *testing.T) {
	b := newBench(t)
	rapid.Check(t, func(rt *rapid.T) {
		global, project := members(rt, "global"), members(rt, "project")
		goodGlobal, goodProject := jsonText(rt, "global", global), jsonText(rt, "project", project)
		b.write(rt, goodGlobal, goodProject)
		loader := NewLoader(b.agent)
		before := loader.Load(b.root, policy.TrustedByPerson)

		badGlobal, badProject := goodGlobal, goodProject
		which := rapid.SampledFrom([]string{"global", "project", "both"}).Draw(rt, "which")
		if which != "project" {
			badGlobal = spoil(rt, "global", global, goodGlobal)
		}
		if which != "global" {
			badProject = spoil(rt, "project", project, goodProject)
		}
		b.write(rt, badGlobal, badProject)
		after := loader.Load(b.root, policy.TrustedByPerson)
		if after.Global.Invalid != (which != "project") || after.Project.Invalid != (which != "global") {
			rt.Fatalf("states: %+v %+v", after.Global, after.Project)
		}
		if len(after.New) == 0 {
			rt.Error("nobody was told")
		}
		for _, text := range allowed(after) {
			if which != "global" || !slices.Contains(allowed(before), text) {
				rt.Errorf("it now allows %q", text)
			}
		}
		for _, text := range denied(before) {
			if !slices.Contains(denied(after), text) {
				rt.Errorf("it no longer denies %q", text)
			}
		}
		was, is := before.Policy.Settings, after.Policy.Settings
		if was.Enabled && !is.Enabled || was.SessionApprovals == policy.CoverExact && is.SessionApprovals != was.SessionApprovals || was.GuardedFlags && !is.GuardedFlags ||
			was.Outside == policy.OutsideAsk && is.Outside != was.Outside || was.Redirections == policy.RedirectionsAsk && is.Redirections != was.Redirections {
			rt.Errorf("settings went from %+v to %+v", was, is)
		}
		// A gate that starts with the broken files does not know more than they say,
		// but allows no more either.
		for _, text := range allowed(NewLoader(b.agent).Load(b.root, policy.TrustedByPerson)) {
			if !slices.Contains(allowed(after), text) {
				rt.Errorf("a fresh start allows %q", text)
			}
		}
		b.write(rt, goodGlobal, goodProject)
		if mended := loader.Load(b.root, policy.TrustedByPerson); mended.Policy.Digest() != before.Policy.Digest() {
			rt.Error("mended files do not give the same policy")
		}
	})
}

func TestSaveKeepsEverythingElse(t *testing.T) {
	b := newBench(t)
	rapid.Check(t, func(rt *rapid.T) {
		global, project := members(rt, "global"), members(rt, "project")
		before := jsonText(rt, "project", project)
		b.write(rt, jsonText(rt, "global", global), before)
		lines := rapid.SliceOfN(rapid.Map(rapid.StringMatching(`[ -~é\x{1f600}\x{2028}]{1,12}`),
			func(s string) string { return "shell:x" + s }), 1, 3).Draw(rt, "lines")
		want := effective(project, global, keyAllow, defaultAllow)
		for _, line := range lines {
			if line = strings.TrimSpace(line); !slices.Contains(want, line) {
				want = append(want[:len(want):len(want)], line)
			}
		}
		loader := NewLoader(b.agent)
		if _, err := loader.Save(b.root, lines); err != nil {
			rt.Fatal(err)
		}
		raw, err := os.ReadFile(FilesOf(b.agent, b.root).Project)
		if err != nil {
			rt.Fatal(err)
		}
		after := string(raw)
		if diff := cmp.Diff(want, allowed(loader.Load(b.root, policy.TrustedByPerson))); diff != "" {
			rt.Errorf("allow (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(rest(rt, before), rest(rt, after)); diff != "" {
			rt.Errorf("the rest of the file (-want +got):\n%s", diff)
		}
		if old, ok := find[[]string](project, keyAllow); len(project) > 0 && (!ok || len(old) > 0) {
			onlyAdded(rt, before, after)
		}
		if saved, err := loader.Save(b.root, lines); err != nil || len(saved) > 0 {
			rt.Errorf("saved again: %q, error %v", saved, err)
		}
	})
}

// rest returns the raw text of every member but allow, in order.
func rest(rt *rapid.T, text string) []string {
	tree, err := hujson.Parse(bytes.TrimPrefix([]byte(text), byteOrderMark))
	if err != nil {
		rt.Fatal(err)
	}
	var all []string
	for _, m := range tree.Value.(*hujson.Object).Members {
		if raw := text[:0] + string(m.Name.Pack()) + ":" + string(m.Value.Pack()); m.Name.Value.(hujson.Literal).String() != keyAllow {
			all = append(all, raw)
		}
	}
	return all
}

// onlyAdded fails unless after is before with one piece put in.
func onlyAdded(rt *rapid.T, before, after string) {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	if !strings.HasSuffix(after, before[head:]) {
		rt.Errorf("bytes were changed:\n%q\n%q", before, after)
	}
}
