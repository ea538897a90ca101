//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestTheHostDies ends a host, or the gate by a signal, while calls are open: each
// of them must be in the journal, blocked, and signed.
func TestTheHostDies(t *testing.T) {
	for name, die := range map[string]func(gate *exec.Cmd, in io.Closer, out *os.File) error{
		"its input ends": func(_ *exec.Cmd, in io.Closer, _ *os.File) error { return in.Close() },
		"nobody reads the answers": func(_ *exec.Cmd, in io.Closer, out *os.File) error {
			if err := out.Close(); err != nil {
				return err
			}
			return in.Close()
		},
		"SIGTERM": func(gate *exec.Cmd, _ io.Closer, _ *os.File) error { return gate.Process.Signal(syscall.SIGTERM) },
		"SIGHUP":  func(gate *exec.Cmd, _ io.Closer, _ *os.File) error { return gate.Process.Signal(syscall.SIGHUP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const calls = 50
			home := t.TempDir()
			gate := exec.CommandContext(t.Context(), "pigate", "gate")
			gate.Env = append(os.Environ(), "HOME="+home, "PIGATE_JOURNAL=")
			gate.Dir = home
			in, err := gate.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, theirs, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			gate.Stdout = theirs
			if err := gate.Start(); err != nil {
				t.Fatal(err)
			}
			if err := theirs.Close(); err != nil {
				t.Fatal(err)
			}
			id := 0
			place := map[string]any{"session": "s", "cwd": home, "root": home, "trusted": true, "has_ui": true, "mode": "tui"}
			send := func(method string, params map[string]any) int {
				id++
				for k, v := range place {
					params[k] = v
				}
				line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := fmt.Fprintf(in, "%s\n", line); err != nil {
					t.Fatal(err)
				}
				return id
			}
			send("initialize", map[string]any{"protocols": []int{1}, "host": map[string]string{"name": "test", "version": "1"}})
			send("session/start", map[string]any{"reason": "startup"})
			for i := range calls {
				send("tool/call", map[string]any{"call": fmt.Sprint("c", i), "tool": "bash", "input": map[string]string{"command": fmt.Sprint("make ", i)}})
			}
			last := send("gate/status", map[string]any{}) // its answer says that all before it was read
			for lines := bufio.NewScanner(out); ; {
				if !lines.Scan() {
					t.Fatalf("the gate ended: %v", lines.Err())
				}
				if strings.Contains(lines.Text(), fmt.Sprintf(`"id":%d,"result"`, last)) {
					break
				}
			}
			if err := die(gate, in, out); err != nil {
				t.Fatal(err)
			}
			if err := gate.Wait(); err != nil {
				t.Errorf("the gate: %v", err)
			}
			ask := func(args ...string) string {
				cmd := exec.CommandContext(t.Context(), "pigate", args...)
				cmd.Env, cmd.Dir = gate.Env, home
				var text bytes.Buffer
				cmd.Stdout, cmd.Stderr = &text, &text
				if err := cmd.Run(); err != nil {
					t.Errorf("pigate %v: %v", args, err)
				}
				return text.String()
			}
			if blocked := strings.Count(ask("audit", "list", "--all", "--kind", "decision", "--json"), `"decision":"block"`); blocked != calls {
				t.Errorf("%d of %d open calls are recorded as blocked", blocked, calls)
			}
			if v := ask("audit", "verify"); !strings.Contains(v, "whole: ") || !strings.Contains(v, "outside the journal up to") {
				t.Errorf("%s", v)
			}
			if _, err := os.Stat(filepath.Join(home, ".pi", "agent", "pigate", "journal.db")); err != nil {
				t.Error(err)
			}
		})
	}
}
