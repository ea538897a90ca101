package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tourParts cuts docs/tour.md: set-up in comments that a reader does not see,
// and blocks of commands with what they print.
var tourParts = regexp.MustCompile("(?s)<!-- setup\n(.*?)-->|```console\n(.*?)```")

// changing is what differs between two runs of one command: dates, times and ids.
var changing = regexp.MustCompile(`\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\.\d+)?Z?)?|\b\d\d:\d\d(:\d\d)?\b|[0-9a-f]{12,}|\d+(\.\d+)? ?(ms|µs)\b`)

// TestTour runs the commands of docs/tour.md with an empty home folder for each
// section, and keeps what the page shows equal to what they print. With -update
// it writes what they print into the page.
func TestTour(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "tour.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.SplitAfter(string(text), "\n## ")
	ran := 0
	for i, section := range sections {
		if i == 0 || !tourParts.MatchString(section) {
			continue
		}
		name, _, _ := strings.Cut(section, "\n")
		t.Run(name, func(t *testing.T) {
			shown := tourRun(t, section)
			ran++
			if *update {
				sections[i] = shown
				return
			}
			got, want := changing.ReplaceAllString(shown, "…"), changing.ReplaceAllString(section, "…")
			if got != want {
				t.Errorf("%s shows otherwise what is printed; run `go test ./cmd/pigate -run TestTour -update`. Printed:\n%s", path, shown)
			}
		})
	}
	if ran == 0 {
		t.Fatalf("%s has no commands", path)
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(sections, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// tourRun runs the commands of a section in one shell, in the folder shop of a
// new home, and returns the section with what they print.
func tourRun(t *testing.T, section string) string {
	t.Helper()
	const marker = "\x01"
	home := tourHome(t)
	if err := os.Mkdir(filepath.Join(home, "shop"), 0o700); err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, m := range tourParts.FindAllStringSubmatch(section, -1) {
		if m[1] != "" {
			fmt.Fprintf(&script, "{ %s\n} >/dev/null 2>&1 || echo 'set-up failed'\n", m[1])
			continue
		}
		for _, command := range tourCommands(m[2]) {
			fmt.Fprintf(&script, "printf '%s'\n%s\n", marker, command)
		}
	}
	cmd := exec.CommandContext(t.Context(), "sh")
	cmd.Stdin = strings.NewReader("exec 2>&1\n" + script.String())
	cmd.Dir = filepath.Join(home, "shop")
	cmd.Env = []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "LC_ALL=C.UTF-8",
		"GIT_AUTHOR_NAME=u", "GIT_AUTHOR_EMAIL=u@example.com", "GIT_COMMITTER_NAME=u", "GIT_COMMITTER_EMAIL=u@example.com"}
	// The status of the last command is whatever the page shows.
	printed, _ := cmd.CombinedOutput()
	outputs := strings.Split(strings.ReplaceAll(string(printed), home, "/home/u"), marker)
	if strings.Contains(outputs[0], "set-up failed") {
		t.Fatalf("the set-up failed")
	}
	outputs = outputs[1:]
	return tourParts.ReplaceAllStringFunc(section, func(part string) string {
		m := tourParts.FindStringSubmatch(part)
		if m[1] != "" {
			return part
		}
		var b strings.Builder
		b.WriteString("```console\n")
		for _, command := range tourCommands(m[2]) {
			if len(outputs) == 0 {
				t.Fatalf("the shell ended before %q", command)
			}
			fmt.Fprintf(&b, "$ %s\n%s", command, outputs[0])
			outputs = outputs[1:]
		}
		b.WriteString("```")
		return b.String()
	})
}

// tourHome makes a home folder whose path is as long as /home/u, which the page
// shows in its place: tables stay aligned.
func tourHome(t *testing.T) string {
	t.Helper()
	for _, c := range "0123456789abcdefghijklmnopqrstuvwxyz" {
		home := "/tmp/u" + string(c)
		if os.Mkdir(home, 0o700) == nil {
			t.Cleanup(func() {
				if err := os.RemoveAll(home); err != nil {
					t.Error(err)
				}
			})
			return home
		}
	}
	t.Fatal("no folder /tmp/u0 to /tmp/uz can be made: remove those of past runs")
	return ""
}

// tourCommands returns the commands of a block: what follows "$ ".
func tourCommands(block string) []string {
	var commands []string
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, strings.TrimSuffix(command, "\n"))
		}
	}
	return commands
}
