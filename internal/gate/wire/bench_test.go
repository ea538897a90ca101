package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// pipes connects a program with one that answers a line with a line.
func pipes(b *testing.B, serve func(in io.Reader, out io.WriteCloser)) (io.WriteCloser, *bufio.Reader) {
	b.Helper()
	theirs, in, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	out, ours, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	go serve(theirs, ours)
	b.Cleanup(func() { _ = in.Close() })
	return in, bufio.NewReader(out)
}

func exchange(b *testing.B, in io.Writer, out *bufio.Reader, line []byte) {
	b.Helper()
	if _, err := in.Write(line); err != nil {
		b.Fatal(err)
	}
	if _, err := out.ReadSlice('\n'); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkToolCall is a call through the server, without configuration and
// journal, beside a bare JSON echo through the same kind of pipes.
func BenchmarkToolCall(b *testing.B) {
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tool/call", "params": callOf("c1", "ls -l")})
	if err != nil {
		b.Fatal(err)
	}
	line = append(line, '\n')
	b.Run("echo", func(b *testing.B) {
		in, out := pipes(b, func(in io.Reader, out io.WriteCloser) {
			e := json.NewEncoder(out)
			for lines := bufio.NewReader(in); ; {
				line, err := lines.ReadBytes('\n')
				if err != nil {
					return
				}
				var v any
				if json.Unmarshal(line, &v) != nil || e.Encode(v) != nil {
					return
				}
			}
		})
		for b.Loop() {
			exchange(b, in, out, line)
		}
	})
	b.Run("server", func(b *testing.B) {
		in, out := pipes(b, func(in io.Reader, out io.WriteCloser) {
			server := &Server{Version: "test", Home: "/home/u"}
			server.Guard = &gate.Guard{Rules: rules{}, Asker: server.Asker(), Recorder: &forgetful{}, Now: time.Now,
				Links: func([]string, string) policy.LinkFacts { return nil }}
			if err := server.Serve(b.Context(), in, out); err != nil {
				b.Error(err)
			}
		})
		exchange(b, in, out, []byte(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocols":[1]}}`+"\n"))
		b.ReportAllocs()
		for b.Loop() {
			exchange(b, in, out, line)
		}
	})
}

// forgetful records nothing.
type forgetful struct{ book }

func (*forgetful) Record(context.Context, *gate.Entry) (int64, error) { return 1, nil }
