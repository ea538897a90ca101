// Compare decides the same calls with two pigate binaries and lists each
// difference in verdict, reasons or resources.
//
//	go run -C tools ./compare [-cases FOLDER] [-lines N] [-seed N] [-show N] OLD NEW
//
// The calls are the commands in the cases, each under several policies, the
// cases' own calls under their own rules, the recorded sessions, and lines that
// are made of the words seen behind each program. Exit code 1: something differs.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

func main() {
	cases := flag.String("cases", "../../shared/cases", "folder of the cases")
	lines := flag.Int("lines", 40000, "how many lines to make")
	seed := flag.Uint64("seed", 1, "of the lines that are made")
	show := flag.Int("show", 200, "how many differences to print, 0 for all")
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	different, err := compare(flag.Arg(0), flag.Arg(1), requests(*cases, *lines, *seed), *show)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	if different > 0 {
		os.Exit(1)
	}
}

// compare prints the differences between two binaries and returns their number.
func compare(before, after string, list []request, show int) (different int, err error) {
	var answers [2][]json.RawMessage
	var failed [2]error
	var both sync.WaitGroup
	for i, binary := range []string{before, after} {
		both.Go(func() { answers[i], failed[i] = decide(binary, list) })
	}
	both.Wait()
	for _, err := range failed {
		if err != nil {
			return 0, err
		}
	}
	for i := range list {
		if bytes.Equal(answers[0][i], answers[1][i]) {
			continue
		}
		if different++; show == 0 || different <= show {
			fmt.Printf("%s allow=%q deny=%q\n  %q\n%s", list[i].from, list[i].Allow, list[i].Deny, list[i].text(), difference(answers[0][i], answers[1][i]))
		}
	}
	fmt.Printf("%d of %d calls differ\n", different, len(list))
	return different, nil
}

// decide asks a binary about all calls.
func decide(binary string, list []request) ([]json.RawMessage, error) {
	home, err := os.MkdirTemp("", "compare")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	var in bytes.Buffer
	encoder := json.NewEncoder(&in)
	encoder.SetEscapeHTML(false)
	for i := range list {
		if err := encoder.Encode(list[i]); err != nil {
			return nil, err
		}
	}
	binary, err = filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(binary, "check", "--batch")
	cmd.Env = append(os.Environ(), "HOME="+home)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", binary, err)
	}
	var answers []json.RawMessage
	for s := bufio.NewScanner(bytes.NewReader(out)); ; {
		s.Buffer(nil, 1<<26)
		for s.Scan() {
			answers = append(answers, bytes.Clone(s.Bytes()))
		}
		if s.Err() != nil {
			return nil, s.Err()
		}
		break
	}
	if len(answers) != len(list) {
		return nil, fmt.Errorf("%s: %d answers for %d calls", binary, len(answers), len(list))
	}
	return answers, nil
}
