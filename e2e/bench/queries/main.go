// Command queries asks a big journal what users ask, as whole processes, and in
// turn lets the sqlite3 shell find the same in the same file without an index.
// Only the ratios mean something on another machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

func main() {
	pigate := flag.String("pigate", "", "the program to measure")
	journal := flag.String("journal", "", "the journal, as bigjournal writes it")
	rounds := flag.Int("rounds", 5, "how often each is asked")
	flag.Parse()
	if err := measure(context.Background(), *pigate, *journal, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "queries:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, pigate, journal string, rounds int) error {
	if pigate == "" || journal == "" {
		return errors.New("name the program with -pigate and the journal with -journal")
	}
	entries, err := ask(ctx, journal, "SELECT count(*) FROM entry")
	if err != nil {
		return err
	}
	session, err := ask(ctx, journal, "SELECT json_extract(pub, '$.session') FROM entry WHERE seq = (SELECT max(seq) / 3 FROM entry)")
	if err != nil {
		return err
	}
	if err := forget(journal); err != nil {
		return err
	}
	first, err := run(ctx, pigate, "audit", "stats", "--journal", journal, "--all")
	if err != nil {
		return err
	}
	fmt.Printf("%s entries; the index is made in %.1f s (%.1f s of cpu, %d MiB of memory)\n\n",
		entries, first.took.Seconds(), first.cpu.Seconds(), first.memory>>20)
	fmt.Printf("%-52s %9s %7s %10s %7s %5s\n", "", "pigate ms", "cpu ms", "sqlite3 ms", "ratio", "MiB")
	for _, q := range queries(session) {
		if err := q.measure(ctx, pigate, journal, rounds); err != nil {
			return fmt.Errorf("%s: %w", q.name(), err)
		}
	}
	if err := histories(ctx, journal); err != nil {
		return err
	}
	return drafts(ctx, pigate, journal)
}

// forget removes the index, so that making it can be measured.
func forget(journal string) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(journal + ".index" + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (q *query) measure(ctx context.Context, pigate, journal string, rounds int) error {
	var ours, cpu, theirs []time.Duration
	var memory int64
	for range rounds {
		o, err := run(ctx, pigate, append(slices.Clone(q.args), "--journal", journal)...)
		if err != nil {
			return err
		}
		ours, cpu, memory = append(ours, o.took), append(cpu, o.cpu), max(memory, o.memory)
		if q.sql == "" || len(theirs) > 2 && theirs[0] > 2*time.Second {
			continue
		}
		t, err := run(ctx, "sqlite3", "-readonly", journal, q.sql)
		if err != nil {
			return err
		}
		theirs = append(theirs, t.took)
	}
	a := median(ours)
	fmt.Printf("%-52.52s %9.1f %7.1f", q.name(), ms(a), ms(median(cpu)))
	if b := median(theirs); b > 0 {
		fmt.Printf(" %10.1f %7.2f", ms(b), float64(a)/float64(b))
	} else {
		fmt.Printf(" %10s %7s", "", "")
	}
	fmt.Printf(" %5d\n", memory>>20)
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(list []time.Duration) time.Duration {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// cost is what a run of a program took.
type cost struct {
	took   time.Duration
	cpu    time.Duration
	memory int64 // the most it held, in bytes; 0 when unknown
}

// run runs a program to its end. That nothing was found is no error.
func run(ctx context.Context, program string, args ...string) (cost, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	c := cost{took: time.Since(start)}
	if err != nil {
		return c, fmt.Errorf("%w: %s", err, stderr.String())
	}
	c.cpu, c.memory = cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), memoryOf(cmd.ProcessState)
	return c, nil
}

// ask returns what the sqlite3 shell prints.
func ask(ctx context.Context, journal, sql string) (string, error) {
	out, err := exec.CommandContext(ctx, "sqlite3", "-readonly", journal, sql).Output()
	return strings.TrimSpace(string(out)), err
}
