package policy

import "testing"

func TestEvaluate(t *testing.T) {
	onWindows := func(r Request) Request {
		r.OS, r.Cwd, r.Root, r.Home = "windows", `C:\proj`, `C:\proj`, `C:\Users\u`
		return r
	}
	tests := []struct {
		name  string
		rules []string
		req   Request
		want  Effect
		cause Cause
	}{
		{"allowed", []string{"+shell:git status *"}, bash("git status"), Allow, CauseRule},
		{"allowed with arguments", []string{"+shell:git status *"}, bash("git status -s"), Allow, CauseRule},
		{"not covered", []string{"+shell:git status *"}, bash("git push"), Ask, CauseNoRule},
		{"every part must be covered", []string{"+shell:git status *"}, bash("git status && git push"), Ask, CauseNoRule},
		{"any part can deny", []string{"+shell:ls *", "-shell:rm *"}, bash("ls; rm x"), Deny, CauseRule},
		{"deny wins", []string{"+shell:git *", "-shell:git push *"}, bash("git push"), Deny, CauseRule},
		{"anchored in front", []string{"+shell:ls *"}, bash("xls a"), Ask, CauseNoRule},
		{"coarse redirection", []string{"+shell:echo *"}, bash("echo x > f"), Ask, CauseRedirection},
		{"a redirection beside a command without words", []string{"+shell:*"}, bash("time; echo a > x"), Ask, CauseRedirection},
		{"coarse redirection in quotes", []string{"+shell:echo *"}, bash(`echo "a > b"`), Ask, CauseRedirection},
		{"a whole tool does not cover a redirection", []string{"+bash"}, bash("echo x > f"), Ask, CauseRedirection},
		{"a whole tool covers the rest", []string{"+bash"}, bash("$X y"), Allow, CauseRule},
		{"a bare scope is the whole scope", []string{"+shell"}, bash("rm x"), Allow, CauseRule},
		{"a bare scope denies", []string{"+shell:ls *", "-shell"}, bash("ls"), Deny, CauseRule},
		{"empty command", []string{"+shell:*", "+bash"}, bash(""), Ask, CauseNoResource},
		{"command of the wrong type", []string{"+shell:*", "+bash"}, newRequest("bash", map[string]any{"command": 5}), Ask, CauseBadInput},
		{"command is null", []string{"+bash"}, newRequest("bash", map[string]any{"command": nil}), Ask, CauseBadInput},
		{"input is no object", []string{"+bash"}, newRequest("bash", []int{1}), Ask, CauseBadInput},
		{"input is null", []string{"+bash"}, newRequest("bash", nil), Ask, CauseBadInput},
		{"path missing", []string{"+edit:*", "+edit"}, newRequest("edit", map[string]any{"file": "x"}), Ask, CauseBadInput},
		{"bad input can be denied whole", []string{"-bash"}, newRequest("bash", nil), Deny, CauseRule},

		{"edit inside", []string{"+edit:docs/*"}, edit("docs/a.md"), Allow, CauseRule},
		{"edit crosses folders", []string{"+edit:docs/*"}, edit("docs/x/y/a.md"), Allow, CauseRule},
		{"edit climbs out of the pattern", []string{"+edit:docs/*"}, edit("docs/../src/a"), Ask, CauseNoRule},
		{"edit outside asks", []string{"+edit:*", "+edit"}, edit("../x"), Ask, CauseOutside},
		{"edit outside by home", []string{"+edit:*"}, edit("@~/.bashrc"), Ask, CauseOutside},
		{"edit outside can be denied", []string{"+edit:*", "-edit:/etc/*"}, edit("/etc/hosts"), Deny, CauseRule},
		{"edit in the home can be denied by ~", []string{"-edit:~/.ssh/*"}, edit("/home/u/.ssh/id"), Deny, CauseRule},
		{"edit inside can be denied by its absolute path", []string{"+edit:*", "-edit:/home/u/proj/x"}, edit("x"), Deny, CauseRule},
		{"edit denied only at the start", []string{"+edit:*", "-edit:.env*"}, edit("sub/.env"), Allow, CauseRule},
		{"the gate's own file", []string{"+edit:*", "+edit"}, edit(".pi/allowlist-gate.json"), Ask, CauseSelfProtection},
		{"the gate's own file can be denied", []string{"-edit:.pi/*"}, edit(".pi/allowlist-gate.json"), Deny, CauseRule},
		{"Pi's extensions", []string{"+edit:*"}, edit("~/.pi/agent/extensions/x/index.ts"), Ask, CauseSelfProtection},
		{"the project's extensions", []string{"+edit:*"}, edit(".pi/extensions/x.ts"), Ask, CauseSelfProtection},
		{"the journal", []string{"+edit:*"}, edit("~/.pi/agent/pigate/journal.db-wal"), Ask, CauseSelfProtection},
		{"write is in the scope edit", []string{"+edit:a"}, newRequest("write", map[string]any{"path": "a", "content": "x"}), Allow, CauseRule},
		{"one tool of the scope", []string{"+write"}, edit("a"), Ask, CauseNoRule},

		{"mcp server", []string{"+mcp:docs-mcp-server"}, newRequest("mcp__docs_mcp_server__fetch", nil), Allow, CauseRule},
		{"mcp tool denied", []string{"+mcp:github", "-mcp:github:delete_*"}, newRequest("mcp__github__delete_repo", nil), Deny, CauseRule},
		{"bare mcp", []string{"+mcp"}, newRequest("mcp__a__b", nil), Allow, CauseRule},
		{"mcp not covered", nil, newRequest("mcp__a__b", nil), Ask, CauseNoRule},

		{"other tool asks", nil, newRequest("my_tool", nil), Ask, CauseNoRule},
		{"other tool by name", []string{"+my_tool"}, newRequest("my_tool", nil), Allow, CauseRule},
		{"patterns on other tools never match", []string{"+my_tool:foo*"}, newRequest("my_tool", nil), Ask, CauseNoRule},
		{"tool names are exact", []string{"+bash"}, newRequest("Bash", map[string]string{"command": "ls"}), Ask, CauseNoRule},
		{"read passes", nil, newRequest("read", nil), Pass, CauseReadOnly},
		{"codemode passes", nil, newRequest("codemode", nil), Pass, CauseReadOnly},
		{"question passes", nil, newRequest("question", nil), Pass, CauseReadOnly},
		{"a deny rule overrides pass", []string{"-read"}, newRequest("read", nil), Deny, CauseRule},
		{"a deny pattern does not", []string{"-read:*.env"}, newRequest("read", nil), Pass, CauseReadOnly},

		{"letter case counts", []string{"+shell:git *"}, bash("GIT push"), Ask, CauseNoRule},
		{"not on Windows", []string{"+shell:git *"}, onWindows(bash("GIT push")), Allow, CauseRule},
		{"edit on Windows", []string{`+edit:docs\*`}, onWindows(edit(`DOCS\A.md`)), Allow, CauseRule},
		{"drive of Git bash on Windows", []string{"-edit:C:/Users/u/.ssh/*"}, onWindows(edit("/c/Users/U/.ssh/id")), Deny, CauseRule},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := Evaluate(policyOf(t, tt.rules...), Derive(tt.req), nil)
			if v.Effect != tt.want {
				t.Fatalf("verdict = %s %+v, want %s", v.Effect, v.Reasons, tt.want)
			}
			if len(v.Reasons) == 0 || v.Reasons[0].Cause != tt.cause {
				t.Errorf("reasons = %+v, want the first to be %s", v.Reasons, tt.cause)
			}
		})
	}
}

func TestReasonsAreComplete(t *testing.T) {
	v := Evaluate(policyOf(t, "-shell:rm *", "-shell:rm -rf *", "-shell:git push *"), Derive(bash("rm -rf x; git push")), nil)
	if v.Effect != Deny || len(v.Reasons) != 3 {
		t.Fatalf("verdict = %s with %d reasons %+v, want deny with 3", v.Effect, len(v.Reasons), v.Reasons)
	}
	if r := v.Reasons[2]; r.Where() != "rules.json:3" || r.Resource != "git push" || r.Start != 10 || r.End != 18 {
		t.Errorf("last reason = %+v, want rules.json:3 about git push at 10-18", r)
	}
	v = Evaluate(policyOf(t, "+shell:ls *"), Derive(bash("ls; a; b > c")), nil)
	if v.Effect != Ask || len(v.Reasons) != 3 || !v.Fixed {
		t.Errorf("verdict = %+v, want a fixed ask with the redirection, a and b", v)
	}
}

func TestDisabledPasses(t *testing.T) {
	s := DefaultSettings()
	s.Enabled = false
	v := Evaluate(policyWith(t, s, "-shell:rm *"), Derive(bash("rm x")), nil)
	if v.Effect != Pass || v.Reasons[0].Cause != CauseDisabled {
		t.Errorf("verdict = %+v, want pass because the gate is switched off", v)
	}
}

func TestLinks(t *testing.T) {
	links := LinkFacts{
		"/home/u/proj/out":    "/etc/x",
		"/home/u/proj/docs/l": "/home/u/proj/src/a",
		"/home/u/proj/pi":     "/home/u/proj/.pi/allowlist-gate.json",
	}
	tests := []struct {
		name  string
		rules []string
		path  string
		want  Effect
		cause Cause
	}{
		{"a link that leads outside is outside", []string{"+edit:*"}, "out", Ask, CauseOutside},
		{"deny sees where it leads", []string{"+edit:*", "-edit:/etc/*"}, "out", Deny, CauseRule},
		{"deny sees the link", []string{"-edit:out"}, "out", Deny, CauseRule},
		{"allow must hold for both: only the link", []string{"+edit:docs/*"}, "docs/l", Ask, CauseNoRule},
		{"allow must hold for both: only the target", []string{"+edit:src/*"}, "docs/l", Ask, CauseNoRule},
		{"allow holds for both", []string{"+edit:docs/*", "+edit:src/*"}, "docs/l", Allow, CauseRule},
		{"a link to the gate's file", []string{"+edit:*"}, "pi", Ask, CauseSelfProtection},
	}
	for _, tt := range tests {
		v := Evaluate(policyOf(t, tt.rules...), Derive(edit(tt.path)), links)
		if v.Effect != tt.want || v.Reasons[0].Cause != tt.cause {
			t.Errorf("%s: verdict = %s %+v, want %s by %s", tt.name, v.Effect, v.Reasons, tt.want, tt.cause)
		}
	}
	// A project that is itself reached by a link.
	linked := LinkFacts{"/home/u/proj": "/data/proj", "/home/u/proj/a": "/data/proj/a"}
	if v := Evaluate(policyOf(t, "+edit:a"), Derive(edit("a")), linked); v.Effect != Allow {
		t.Errorf("in a linked project: verdict = %+v, want allow", v)
	}
	if v := Evaluate(policyOf(t, "+edit:a"), Derive(edit("/data/proj/a")), linked); v.Effect != Allow {
		t.Errorf("by the resolved path: verdict = %+v, want allow", v)
	}
}

func TestPreciseRedirections(t *testing.T) {
	s := DefaultSettings()
	s.Redirections = RedirectionsPrecise
	tests := []struct {
		command string
		rules   []string
		want    Effect
	}{
		{"make 2>&1", []string{"+shell:make *"}, Allow},
		{"ls 2>/dev/null", []string{"+shell:ls *"}, Allow},
		{`awk 'NR>=3' f`, []string{"+shell:awk *"}, Allow},
		{"echo x > docs/a", []string{"+shell:echo *", "+edit:docs/*"}, Allow},
		{"echo x > docs/a", []string{"+shell:echo *"}, Ask},
		{"echo x > docs/a", []string{"+shell:echo *", "+edit:*", "-edit:docs/*"}, Deny},
		{"echo x > ../a", []string{"+shell:echo *", "+edit:*"}, Ask},
		{`echo x > "$F"`, []string{"+shell:echo *", "+edit:*"}, Ask},
		{"echo x > .pi/allowlist-gate.json", []string{"+shell:echo *", "+edit:*"}, Ask},
		{"cd docs && echo x > a", []string{"+shell:*", "+edit:docs/*"}, Allow},
		{"cd docs; echo x > a", []string{"+shell:*", "+edit:docs/*"}, Ask},
		{"cd .. && echo x > docs/a", []string{"+shell:*", "+edit:docs/*"}, Ask},
		{"(cd docs); echo x > a", []string{"+shell:*", "+edit:*"}, Ask},
		{"ls && cd docs && echo x > a", []string{"+shell:*", "+edit:*"}, Ask},
		{"bash -c 'echo x > .env'", []string{"+shell:*", "-edit:.env*"}, Deny},
	}
	for _, tt := range tests {
		v := Evaluate(policyWith(t, s, tt.rules...), Derive(bash(tt.command)), nil)
		if v.Effect != tt.want {
			t.Errorf("%s under %q: verdict = %s %+v, want %s", tt.command, tt.rules, v.Effect, v.Reasons, tt.want)
		}
	}
	for command, want := range map[string]Effect{
		// Before the cd, or in a folder that is known, a target is known too.
		"echo x > docs/a; cd sub":                      Allow,
		"cd docs && echo x > a 2>&1; tail a":           Allow,
		"for i in 1; do echo x > docs/a; cd sub; done": Ask,
		// A link made in the same line makes the target another file.
		"ln -sf ~/.bashrc docs/l; echo x > docs/l": Ask,
		"echo x > docs/l && mv a docs/l":           Ask,
		"cp -a l docs/l && echo x > docs/l":        Ask,
		"git checkout other && echo x > docs/l":    Ask,
		"cp a b && echo x > docs/a":                Allow,
	} {
		if v := Evaluate(policyWith(t, s, "+shell:*", "+edit:docs/*"), Derive(bash(command)), nil); v.Effect != want {
			t.Errorf("%s: verdict = %s %+v, want %s", command, v.Effect, v.Reasons, want)
		}
	}
	// Deny rules for edits hold in the coarse mode too.
	if v := Evaluate(policyOf(t, "+shell:echo *", "-edit:.env"), Derive(bash("echo x > .env")), nil); v.Effect != Deny {
		t.Errorf("coarse mode: verdict = %s, want deny", v.Effect)
	}
}

func TestProtectedWords(t *testing.T) {
	for command, want := range map[string]Effect{
		"cp evil.json .pi/allowlist-gate.json":                  Ask,
		"cd sub && cp evil.json ../.pi/allowlist-gate.json":     Ask,
		"git clone https://host/x .pi/extensions/x":             Ask,
		"git checkout other -- .pi/allowlist-gate.json":         Ask,
		"git -c diff checkout other -- .pi/allowlist-gate.json": Ask,
		"git -C . diff .pi/settings.json":                       Allow,
		"mv .pi p":                                              Ask,
		"rm -rf ~/.pi/agent/pigate":                             Ask,
		"dd if=x of=.pi/settings.json":                          Ask,
		"sed --in-place=.bak s/a/b/ .pi/settings.json":          Ask,
		"python3 tool.py --out=.git/hooks/pre-commit":           Ask,
		"cat .pi/allowlist-gate.json; jq . .pi/settings.json":   Allow,
		"git add .pi/allowlist-gate.json && git diff .pi":       Allow,
		"ls ~/.pi/agent/extensions":                             Allow,
		"rm -rf build; cp a b":                                  Allow,
	} {
		s := DefaultSettings()
		s.GuardedFlags = false
		v := Evaluate(policyWith(t, s, "+shell:*"), Derive(bash(command)), nil)
		if v.Effect != want || want == Ask && v.Reasons[0].Cause != CauseSelfProtection {
			t.Errorf("%s: verdict = %s %+v, want %s", command, v.Effect, v.Reasons, want)
		}
	}
	if v := Evaluate(policyOf(t, "+edit:*"), Derive(edit(".git/hooks/post-checkout")), nil); v.Effect != Ask {
		t.Errorf("a hook of git: verdict = %s, want ask", v.Effect)
	}
}

func TestFileSystemsWithoutLetterCase(t *testing.T) {
	onMac := func(path string) Request {
		r := edit(path)
		r.OS = "darwin"
		return r
	}
	for path, want := range map[string]Effect{
		".ENV": Deny, "cafe\u0301/x": Deny, ".PI/allowlist-gate.json": Ask, ".pi/\u017fettings.json": Ask, "/HOME/u/proj/.env": Deny, "a": Allow,
	} {
		v := Evaluate(policyOf(t, "+edit:*", "-edit:.env", "-edit:caf\u00e9/*"), Derive(onMac(path)), nil)
		if v.Effect != want {
			t.Errorf("%q: verdict = %s %+v, want %s", path, v.Effect, v.Reasons, want)
		}
	}
}

func TestRunners(t *testing.T) {
	for command, want := range map[string]Effect{"npx tsc -p .": Allow, "npx other": Ask} {
		if v := Evaluate(policyOf(t, "+shell:npx tsc *"), Derive(bash(command)), nil); v.Effect != want {
			t.Errorf("%s under npx tsc *: verdict = %s %+v, want %s", command, v.Effect, v.Reasons, want)
		}
		// another rule for the runner takes nothing away, wherever it stands
		for _, rules := range [][]string{{"+shell:npx tsc *", "+shell:npx *"}, {"+shell:npx *", "+shell:npx tsc *"}} {
			if v := Evaluate(policyOf(t, rules...), Derive(bash(command)), nil); v.Effect != want {
				t.Errorf("%s under %q: verdict = %s %+v, want %s", command, rules, v.Effect, v.Reasons, want)
			}
		}
		if v := Evaluate(policyOf(t, "+shell:npx *"), Derive(bash(command)), nil); v.Effect != Ask {
			t.Errorf("%s under npx *: verdict = %s, want ask", command, v.Effect)
		}
	}
}
