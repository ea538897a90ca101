package audit_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
)

func init() { tasks["timed"] = timedTask }

// timedTask waits for its standard input to close, appends and prints how long
// each took, in nanoseconds: PATH COUNT DURABILITY PAUSE.
func timedTask(args []string) error {
	count, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	durability, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	pause, err := time.ParseDuration(args[3])
	if err != nil {
		return err
	}
	o := audittest.Options()
	o.Durability = audit.Durability(durability)
	j := audit.NewJournal(args[0], o)
	if _, err := j.Record(context.Background(), benchDecision(0)); err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	took := make([]time.Duration, 0, count)
	for i := range count {
		time.Sleep(pause)
		start := time.Now()
		if _, err := j.Record(context.Background(), benchDecision(i)); err != nil {
			return err
		}
		took = append(took, time.Since(start))
	}
	for _, d := range took {
		fmt.Println(int64(d))
	}
	return j.Close()
}

// BenchmarkCrowd lets eight processes append to one journal at once, flat out
// and paced as agents are, and reports the median, the slowest in a hundred and
// the slowest.
func BenchmarkCrowd(b *testing.B) {
	for _, c := range []struct {
		name       string
		count      int
		durability audit.Durability
		pause      time.Duration
	}{
		{"flat-out-power", 400, audit.Power, 0},
		{"flat-out-process", 2000, audit.Process, 0},
		{"paced-power", 100, audit.Power, 20 * time.Millisecond},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				took := crowdOf(b, 8, c.count, c.durability, c.pause)
				b.ReportMetric(took[len(took)/2].Seconds()*1e3, "p50-ms")
				b.ReportMetric(took[len(took)*99/100].Seconds()*1e3, "p99-ms")
				b.ReportMetric(took[len(took)-1].Seconds()*1e3, "max-ms")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// crowdOf runs processes at once and returns how long each append took, sorted.
func crowdOf(b *testing.B, processes, count int, d audit.Durability, pause time.Duration) (took []time.Duration) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "journal.db")
	var children []*child
	for range processes {
		c := start(b, "timed", path, strconv.Itoa(count), strconv.Itoa(int(d)), pause.String())
		if !c.lines.Scan() {
			b.Fatalf("no answer: %s", c.said.String())
		}
		children = append(children, c)
	}
	for _, c := range children {
		if err := c.stdin.Close(); err != nil {
			b.Fatal(err)
		}
	}
	for _, c := range children {
		for c.lines.Scan() {
			n, err := strconv.ParseInt(c.lines.Text(), 10, 64)
			if err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Duration(n))
		}
		if err := c.Wait(); err != nil {
			b.Fatalf("%v: %s", err, c.said.String())
		}
	}
	slices.Sort(took)
	if len(took) != processes*count {
		b.Fatalf("%d appends, want %d", len(took), processes*count)
	}
	return took
}
