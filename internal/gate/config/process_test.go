package config

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/policy"
)

// playEnv makes this test binary play another pigate: "save" or "load".
const playEnv = "PIGATE_CONFIG_TEST_PLAY"

func TestMain(m *testing.M) {
	if role := os.Getenv(playEnv); role != "" {
		if err := play(role, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play says that it is ready, waits for the start and does its part: args are
// the agent folder, the project and, for "save", the rules.
func play(role string, args []string) error {
	agent, root, rules := args[0], args[1], args[2:]
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	loader := NewLoader(agent)
	if role == "load" {
		r := loader.Load(root, policy.TrustedByPerson)
		if len(r.Warnings) > 0 || !r.Global.Found {
			return fmt.Errorf("warnings %v, global file %+v", r.Warnings, r.Global)
		}
		fmt.Println(r.Policy.Digest())
		return nil
	}
	for _, rule := range rules {
		if _, err := loader.Save(root, []string{rule}); err != nil {
			return err
		}
		if r := loader.Load(root, policy.TrustedByPerson); r.Project.Invalid || !slices.Contains(allowed(r), rule) {
			return fmt.Errorf("after saving %q: %+v, allow %q", rule, r.Project, allowed(r))
		}
	}
	return nil
}

// crowd runs one process for each list of arguments, all at the same moment,
// and returns what each printed after its start.
func crowd(t *testing.T, role string, args [][]string) []string {
	t.Helper()
	type player struct {
		cmd   *exec.Cmd
		start io.Closer
		out   *bufio.Reader
		errs  strings.Builder
	}
	players := make([]*player, len(args))
	for i := range args {
		p := &player{cmd: exec.CommandContext(t.Context(), os.Args[0], args[i]...)}
		players[i] = p
		p.cmd.Env = append(os.Environ(), playEnv+"="+role)
		p.cmd.Stderr = &p.errs
		stdin, err := p.cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdout, err := p.cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		p.start, p.out = stdin, bufio.NewReader(stdout)
		if err := p.cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range players {
		if line, err := p.out.ReadString('\n'); err != nil || line != "ready\n" {
			t.Fatalf("a process said %q (%v): %s", line, err, p.errs.String())
		}
	}
	for _, p := range players {
		if err := p.start.Close(); err != nil {
			t.Fatal(err)
		}
	}
	outputs := make([]string, len(players))
	for i, p := range players {
		out, err := io.ReadAll(p.out)
		if err != nil {
			t.Error(err)
		}
		outputs[i] = string(out)
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("process %d: %v: %s", i, err, p.errs.String())
		}
	}
	return outputs
}

func TestProcessesSaveAtOnce(t *testing.T) {
	for _, start := range []string{`{"deny":["shell:d"],"allow":["shell:a"]}`, ""} {
		f := newFixture(t).global(`{"allow":["shell:a"],"deny":["shell:d"]}`)
		if start != "" {
			f.project(start)
		}
		var args [][]string
		want := []string{"shell:a"}
		for i := range 6 {
			list := []string{f.agent, f.root}
			for j := range 8 {
				list = append(list, fmt.Sprintf("shell:p%d r%d", i, j))
			}
			args, want = append(args, list), append(want, list[2:]...)
		}
		crowd(t, "save", args)
		r := f.load()
		got := allowed(r)
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("start %q: allow (-want +got):\n%s", start, diff)
		}
		if !cmp.Equal(denied(r), []string{"shell:d"}) || len(r.Warnings) > 0 {
			t.Errorf("start %q: deny %q, warnings %q", start, denied(r), f.warnings(r.Warnings))
		}
		f.onlyFiles(filepath.Dir(f.files.Project), "allowlist-gate.json")
	}
}

func TestProcessesSeedAtOnce(t *testing.T) {
	for range 5 {
		f := newFixture(t)
		args := slices.Repeat([][]string{{f.agent, f.root}}, 8)
		outputs := crowd(t, "load", args)
		if same := slices.Compact(outputs); len(same) != 1 || same[0] == "" {
			t.Errorf("the processes saw different policies: %q", outputs)
		}
		if diff := cmp.Diff(seeded, f.read(f.files.Global)); diff != "" {
			t.Errorf("seeded file (-want +got):\n%s", diff)
		}
		f.onlyFiles(filepath.Dir(f.files.Global), "allowlist-gate.json")
	}
}

// TestGoroutines saves from several goroutines while others load: every rule is
// kept and nobody ever sees a broken file.
func TestGoroutines(t *testing.T) {
	f := newFixture(t).global(`{"allow":[]}`).project(`{"allow":["shell:a"]}`)
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for {
				if r := f.load(); r.Project.Invalid || !slices.Contains(allowed(r), "shell:a") {
					t.Errorf("state %+v, allow %q", r.Project, allowed(r))
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	want := []string{"shell:a"}
	for i := range 4 {
		want = append(want, fmt.Sprintf("shell:w%d a", i), fmt.Sprintf("shell:w%d b", i))
		writers.Go(func() {
			for _, name := range []string{"a", "b"} {
				if _, err := f.loader.Save(f.root, []string{fmt.Sprintf("shell:w%d %s", i, name)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	got := allowed(f.load())
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("allow (-want +got):\n%s", diff)
	}
}
