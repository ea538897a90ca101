package gate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// grant approves a call for the session.
func (g *Grants) grant(req policy.Request, covers policy.Coverage) {
	c := policy.Derive(req)
	g.Add(NewGrantKey(c, nil), Digest(req.Input), NewGrant(c, covers))
}

func (g *Grants) covers(req policy.Request, setting policy.Coverage) bool {
	_, ok := g.Covers(NewGrantKey(policy.Derive(req), nil), Digest(req.Input), setting)
	return ok
}

func raw(tool, input string) policy.Request {
	req := newRequest(tool, nil)
	req.Input = []byte(input)
	return req
}

// approvals are calls with another of the same target, and what the dialog says
// of an approval for the session. Without another target the second call is none
// that the first one's approval covers.
var approvals = []struct {
	name       string
	first, two policy.Request
	words      string
	other      bool // the second call has another target
}{
	{"arguments of an MCP tool", raw("mcp__db__query", `{"sql":"select 1"}`), raw("mcp__db__query", `{"sql":"drop table users"}`),
		"this tool, any arguments", false},
	{"content of a file", raw("write", `{"path":"a.txt","content":"x"}`), raw("write", `{"path":"./a.txt","content":"y"}`),
		"this file, any content", false},
	{"edits of a file", raw("edit", `{"path":"a.txt","edits":[{"oldText":"x","newText":"y"}]}`), raw("edit", `{"path":"a.txt","edits":[]}`),
		"this file, any edits", false},
	{"timeout of a command", raw("bash", `{"command":"make"}`), raw("bash", `{"command":"make","timeout":9}`),
		"this command, any timeout or other field", false},
	{"timeout in PowerShell", raw("powershell", `{"command":"make","timeout":1}`), raw("powershell", `{"command":"make","timeout":2}`),
		"this command, any timeout or other field", false},
	{"a tool without resources", raw("my_tool", `{"n":1}`), raw("my_tool", `{"n":2}`), "exactly this input", true},
	{"input that cannot be read", raw("write", `{"path":1,"content":"x"}`), raw("write", `{"path":1,"content":"y"}`), "exactly this input", true},
	{"another command", raw("bash", `{"command":"make"}`), raw("bash", `{"command":"make x"}`), "this command, any timeout or other field", true},
	{"another tool of the server", raw("mcp__db__query", `{}`), raw("mcp__db__drop", `{}`), "this tool, any arguments", true},
	{"another tool with the file", raw("write", `{"path":"a.txt","content":"x"}`), raw("edit", `{"path":"a.txt","edits":[]}`), "this file, any content", true},
}

// What the dialog says of an approval for the session is what happens then, and
// the journal has it.
func TestSessionApprovalCoversWhatTheDialogSays(t *testing.T) {
	for _, tt := range approvals {
		for _, setting := range []policy.Coverage{policy.CoverTarget, policy.CoverExact} {
			t.Run(tt.name+", "+string(setting), func(t *testing.T) {
				f := newFixture(t).answer(OptionSession, OptionDeny)
				f.file.settings.SessionApprovals = setting
				words, covered := tt.words, !tt.other
				if setting == policy.CoverExact {
					words, covered = policy.Exactly, false
				}
				f.guard.Decide(t.Context(), tt.first)
				if line := strings.Split(f.person.prompts[0].Title, "\n")[1]; line != "for session: "+words && !strings.HasPrefix(line, "for session: "+words+" · ") {
					t.Errorf("the second line is %q, want it to say %q", line, words)
				}
				if !slices.Contains(f.person.prompts[0].Options, "Allow for session") {
					t.Errorf("options %q", f.person.prompts[0].Options)
				}
				if r := f.guard.Decide(t.Context(), tt.first); r.Basis != policy.BasisGrant {
					t.Errorf("the same call again: %+v, want run by grant", r)
				}
				if r := f.guard.Decide(t.Context(), tt.two); (r.Action == policy.Run && r.Basis == policy.BasisGrant) != covered {
					t.Errorf("the other call: %+v, want covered: %t", r, covered)
				}
				for i, d := range f.book.decisions()[:2] {
					if d.Covers != setting {
						t.Errorf("decision %d covers %q, want %q", i+1, d.Covers, setting)
					}
				}
				if d := f.book.decisions()[2]; !covered && d.Covers != "" {
					t.Errorf("a decision without an approval covers %q", d.Covers)
				}
				if list := f.guard.Grants(); len(list) != 1 || !strings.HasPrefix(list[0].Words(setting), words+": "+tt.first.Tool+" ") {
					t.Errorf("approvals %v, want one that covers %s", list, words)
				}
			})
		}
	}
}

// A setting that changes in a session narrows the approvals that were given, and
// widens none.
func TestSettingNarrowsApprovals(t *testing.T) {
	query := func(sql string) policy.Request {
		return newRequest("mcp__db__query", map[string]string{"sql": sql})
	}
	f := newFixture(t).answer(OptionSession, OptionDeny, OptionSession, OptionDeny)
	decide := func(req policy.Request, basis policy.Basis) {
		t.Helper()
		if r := f.guard.Decide(t.Context(), req); r.Basis != basis {
			t.Errorf("%s %s: %+v, want it decided by %s", req.Tool, req.Input, r, basis)
		}
	}
	decide(query("a"), policy.BasisUser) // for any arguments
	decide(query("b"), policy.BasisGrant)
	f.file.settings.SessionApprovals = policy.CoverExact
	decide(query("a"), policy.BasisGrant)
	if covers := f.book.decisions()[2].Covers; covers != policy.CoverExact {
		t.Errorf("the narrowed approval covers %q", covers)
	}
	decide(query("b"), policy.BasisUser) // denied
	decide(edit("x"), policy.BasisUser)  // for exactly this
	f.file.settings.SessionApprovals = policy.CoverTarget
	decide(query("b"), policy.BasisGrant) // what was said of it then holds again
	decide(edit("x"), policy.BasisGrant)
	decide(newRequest("edit", map[string]any{"path": "x", "edits": []any{}}), policy.BasisUser) // denied
}

// An exact approval covers a call if and only if tool, folder and every byte of
// the input are the same.
func TestExactApprovalsCoverOneInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) policy.Request {
			req := raw(rapid.SampledFrom([]string{"bash", "write", "edit", "mcp__a__b", "my_tool"}).Draw(t, label+" tool"),
				rapid.SampledFrom([]string{`{"command":"a","path":"a"}`, `{"path":"a","command":"a"}`, `{"command":"a","path":"a","x":1}`,
					`{"command":"b","path":"b"}`, `{}`, `[]`, ``, `{"command":"a","path":"./a"}`}).Draw(t, label))
			req.Cwd = rapid.SampledFrom([]string{"/home/u/proj", "/home/u/proj/sub"}).Draw(t, label+" folder")
			return req
		}
		a, b := draw("approved"), draw("next")
		given := rapid.SampledFrom([]policy.Coverage{policy.CoverTarget, policy.CoverExact, "", "other"}).Draw(t, "given for")
		setting := rapid.SampledFrom([]policy.Coverage{policy.CoverTarget, policy.CoverExact, "", "other"}).Draw(t, "setting")
		var g Grants
		g.grant(a, given)
		same := a.Tool == b.Tool && a.Cwd == b.Cwd && string(a.Input) == string(b.Input)
		switch got := g.covers(b, setting); {
		case given.Narrower(setting) == policy.CoverExact && got != same:
			t.Fatalf("an approval of %s %s covers %s %s: %t", a.Tool, a.Input, b.Tool, b.Input, got)
		case same && !got:
			t.Fatalf("an approval of %s %s does not cover the same call", a.Tool, a.Input)
		}
	})
}

// Text of a call can name neither itself nor its coverage otherwise than it is.
func TestApprovalOfHostileText(t *testing.T) {
	const lie = "for session: exactly this input"
	for _, req := range []policy.Request{
		newRequest("mcp__db__query\n"+lie, map[string]string{"sql": "\n" + lie}),
		newRequest("mcp__db__query", map[string]string{"\n" + lie: "\x1b[2J\u202e"}),
		newRequest("write", map[string]string{"path": "a\n" + lie + "\x1b]0;x", "content": lie}),
		bash("true\n" + lie + "\n" + lie),
		bash(lie + " && " + strings.Repeat("x", 200)),
	} {
		f := newFixture(t).answer(OptionSession)
		f.guard.Decide(t.Context(), req)
		lines := strings.Split(f.person.prompts[0].Title, "\n")
		if !strings.HasPrefix(lines[1], "for session: this ") {
			t.Errorf("the second line of the dialog is %q", lines[1])
		}
		for i, line := range lines {
			if i != 1 && strings.HasPrefix(line, "for session: ") {
				t.Errorf("line %d of the dialog is the call's: %q", i+1, line)
			}
		}
		for _, setting := range []policy.Coverage{policy.CoverTarget, policy.CoverExact} {
			words := f.guard.Grants()[0].Words(setting)
			if want := map[policy.Coverage]string{policy.CoverTarget: "this ", policy.CoverExact: policy.Exactly + ": "}[setting]; !strings.HasPrefix(words, want) || words != text.Visible(words) {
				t.Errorf("the approval is shown as %q", words)
			}
		}
	}
}

func TestRevokedApprovalsAskAgain(t *testing.T) {
	f := newFixture(t).answer(OptionSession, OptionSession)
	var revoked time.Time
	f.guard.Revoked = func() time.Time { return revoked }
	for _, want := range []policy.Basis{policy.BasisUser, policy.BasisGrant} {
		if r := f.guard.Decide(t.Context(), bash("ls")); r.Basis != want {
			t.Fatalf("decided by %s, want %s", r.Basis, want)
		}
	}
	revoked = f.guard.Now()
	if list := f.guard.Grants(); len(list) > 0 {
		t.Errorf("revoked approvals are shown: %v", list)
	}
	for _, want := range []policy.Basis{policy.BasisUser, policy.BasisGrant} {
		if r := f.guard.Decide(t.Context(), bash("ls")); r.Basis != want {
			t.Errorf("after the revocation decided by %s, want %s", r.Basis, want)
		}
	}
}
