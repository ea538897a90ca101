package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pigate/pigate/internal/gate/organisation"
)

// times matches the dates and times of tables and of JSON.
var times = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d-\d\d \d\d:\d\d:\d\d`)

var digests = regexp.MustCompile(`[0-9a-f]{16,}`)

var update = flag.Bool("update", false, "write what the commands print into the scripts")

// programs are what this binary is under other names.
var programs = map[string]func(){"pigate": main, "pastcalls": pastCalls}

// The organisation's file that a script has is PIGATE_TEST_ORGANISATION, owned by
// who runs it; the variable means nothing to pigate itself.
func TestMain(m *testing.M) {
	if path := os.Getenv("PIGATE_TEST_ORGANISATION"); path != "" {
		organisation.UseForTests(organisation.Place{Path: path, Owner: os.Getuid(), Top: filepath.Dir(path)})
	}
	testscript.Main(m, programs)
}

// TestScripts runs testdata/script: one behaviour a file, named for its
// command. Each starts with an empty home, and its work folder is the
// project.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, ".home")
			if err := os.Mkdir(home, 0o700); err != nil {
				return err
			}
			env.Setenv("HOME", home)
			env.Setenv("USERPROFILE", home)
			env.Setenv("TZ", "UTC")
			env.Setenv("PIGATE_JOURNAL", "")
			env.Setenv("PI_CODING_AGENT_DIR", "")
			return nil
		},
		Condition: func(cond string) (bool, error) { return false, fmt.Errorf("unknown condition %q", cond) },
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exitcode":   exitCode,
			"talk":       talk,
			"masked":     masked,
			"story":      story,
			"placed":     placed,
			"undigested": undigested,
			"trust":      trust,
			"habits":     habits,
		},
	})
}

// exitCode runs a command and wants this exit code: exitcode 10 pigate check x.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exitcode CODE COMMAND ARGS")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("exit code %s, want %s", got, args[0])
	}
}

// talk writes the messages of a host to a file: talk FILE session tool-calls…,
// each call as TOOL=JSON. The gate reads it as its input.
func talk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: talk FILE TOOL=INPUT...")
	}
	cwd := ts.MkAbs(".")
	place := map[string]any{"session": "s1", "cwd": cwd, "root": cwd, "trusted": true, "has_ui": false, "mode": "print"}
	var lines []string
	id := 0
	add := func(method string, params map[string]any) {
		id++
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		ts.Check(err)
		lines = append(lines, string(line))
	}
	with := func(extra map[string]any) map[string]any {
		all := map[string]any{}
		for k, v := range place {
			all[k] = v
		}
		for k, v := range extra {
			all[k] = v
		}
		return all
	}
	add("initialize", map[string]any{"protocols": []int{1}, "host": map[string]string{"name": "test", "version": "1"}})
	add("session/start", with(map[string]any{"reason": "startup"}))
	for i, call := range args[1:] {
		tool, input, ok := strings.Cut(call, "=")
		if !ok || !json.Valid([]byte(input)) {
			ts.Fatalf("%q is not TOOL=JSON", call)
		}
		add("tool/call", with(map[string]any{"call": fmt.Sprintf("call_%d", i+1), "tool": tool, "input": json.RawMessage(input)}))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

// trust writes to a file what Pi keeps when the person trusts the work folder:
// trust FILE.
func trust(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: trust FILE")
	}
	folder, err := filepath.EvalSymlinks(ts.MkAbs("."))
	ts.Check(err)
	body, err := json.Marshal(map[string]bool{folder: true})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), body, 0o600))
}

// masked rewrites a file with what differs from run to run replaced: the work
// folder by $WORK, and with times, dates and times by TIME.
func masked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: masked FROM TO")
	}
	text := ts.ReadFile(args[0])
	for _, spelling := range []string{ts.Getenv("WORK"), filepath.ToSlash(ts.Getenv("WORK"))} {
		text = strings.ReplaceAll(text, spelling, "$WORK")
	}
	if runtime.GOOS == "windows" {
		text = strings.ReplaceAll(text, `\`, "/")
	}
	text = times.ReplaceAllString(text, "TIME")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// undigested rewrites a file with digests and hashes replaced: some are made
// under a key that each journal has of its own.
func undigested(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: undigested FROM TO")
	}
	text := digests.ReplaceAllString(ts.ReadFile(args[0]), "DIGEST")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}

// placed copies a file with NOW and $WORK filled in, as they stand in JSON:
// placed FROM TO.
func placed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: placed FROM TO")
	}
	work, err := json.Marshal(ts.MkAbs("."))
	ts.Check(err)
	text := strings.NewReplacer("NOW", time.Now().UTC().Format(time.RFC3339Nano), "$WORK", strings.Trim(string(work), `"`)).Replace(ts.ReadFile(args[0]))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o600))
}
