// Verdicts measures BenchmarkVerdict of this checkout beside that of an earlier
// commit, in turns in one run, and prints the ratio of the least costs, which
// other work on the machine disturbs least. It exits 1 when a verdict costs more
// than the limit times what it did.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	base := flag.String("base", "", "the commit to compare with")
	rounds := flag.Int("rounds", 15, "how often each is measured")
	limit := flag.Float64("limit", 1.15, "the largest ratio that passes")
	flag.Parse()
	if err := run(*base, *rounds, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "verdicts:", err)
		os.Exit(1)
	}
}

func run(base string, rounds int, limit float64) error {
	dir, err := os.MkdirTemp("", "verdicts")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	earlier := filepath.Join(dir, "earlier")
	if _, err := output(".", "git", "worktree", "add", "--detach", earlier, base); err != nil {
		return fmt.Errorf("check out %s (a shallow clone does not hold it): %w", base, err)
	}
	defer func() { _, _ = output(".", "git", "worktree", "remove", "--force", earlier) }()

	before, err := testBinary(earlier, filepath.Join(dir, "before.test"))
	if err != nil {
		return err
	}
	now, err := testBinary(".", filepath.Join(dir, "now.test"))
	if err != nil {
		return err
	}
	costs := [2]map[string][]float64{{}, {}}
	for range rounds {
		for i, program := range []string{before, now} {
			text, err := output(".", program, "-test.run=^$", "-test.bench=^BenchmarkVerdict$", "-test.benchtime=50ms", "-test.cpu=1")
			if err != nil {
				return err
			}
			collect(costs[i], text)
		}
	}
	return compare(costs, limit)
}

// testBinary builds the tests of the package that holds the benchmark.
func testBinary(checkout, file string) (string, error) {
	text, err := output(checkout, "git", "grep", "-l", "^func BenchmarkVerdict(", "--", "*_test.go")
	if err != nil {
		return "", fmt.Errorf("find BenchmarkVerdict in %s: %w", checkout, err)
	}
	dir := filepath.Dir(strings.TrimSpace(text))
	_, err = output(checkout, "go", "test", "-c", "-o", file, "./"+dir)
	return file, err
}

// collect adds the nanoseconds of each benchmark that the text reports.
func collect(costs map[string][]float64, text string) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 || f[3] != "ns/op" || strings.Contains(f[0], "bare-parse") {
			continue
		}
		if ns, err := strconv.ParseFloat(f[2], 64); err == nil {
			costs[f[0]] = append(costs[f[0]], ns)
		}
	}
}

func compare(costs [2]map[string][]float64, limit float64) error {
	var names, over []string
	for name := range costs[1] {
		if len(costs[0][name]) > 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("the two share no benchmark")
	}
	slices.Sort(names)
	fmt.Printf("%-45s %10s %10s %6s\n", "verdict, least of a run in turns", "before ns", "now ns", "ratio")
	for _, name := range names {
		before, now := slices.Min(costs[0][name]), slices.Min(costs[1][name])
		fmt.Printf("%-45s %10.0f %10.0f %6.2f\n", name, before, now, now/before)
		if now > limit*before {
			over = append(over, name)
		}
	}
	if len(over) > 0 {
		return fmt.Errorf("more than %.2f times as slow: %s", limit, strings.Join(over, ", "))
	}
	return nil
}

// output runs a command in dir and returns what it prints.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}
