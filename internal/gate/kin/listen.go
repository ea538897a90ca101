package kin

import (
	"bufio"
	"context"
	"crypto/subtle"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pigate/pigate/internal/gate"
)

// maxQuestion is the longest question, in bytes; Pi's own tools take no more.
const maxQuestion = 16 << 20

// question is what a sub-agent's gate sends, one line.
type question struct {
	Secret   string        `json:"secret"`
	Question gate.Question `json:"question"`
}

// Listener takes the questions of the sub-agents of one session.
type Listener struct {
	ask    func(context.Context, gate.Question) gate.Reply
	secret string
	file   string
	temp   string // the folder of the socket, where it is not that of the note
	net    net.Listener
	cancel context.CancelFunc
	wait   sync.WaitGroup
}

// Listen lets the sub-agents of a session ask. The function answers one question;
// its context ends when nobody waits for the answer any more. Root is the
// project's folder. Close must be called.
func Listen(agentDir, session, root string, ask func(context.Context, gate.Question) gate.Reply) (*Listener, error) {
	dir := folder(agentDir)
	if err := private(dir); err != nil {
		return nil, err
	}
	tidy(dir)
	l := &Listener{ask: ask, secret: newSecret(), file: noteFile(agentDir, session)}
	socket := filepath.Join(dir, name(session)+".sock")
	if len(socket) > maxSocket {
		temp, err := os.MkdirTemp("", "pigate-") // only the user can read it
		if err != nil {
			return nil, err
		}
		l.temp, socket = temp, filepath.Join(temp, "s")
	}
	_ = os.Remove(socket) // that of a gate that was cut off
	var err error
	if l.net, err = net.Listen("unix", socket); err != nil {
		l.remove()
		return nil, err
	}
	if err = os.Chmod(socket, 0o600); err == nil {
		err = note{socket, l.secret, root}.write(l.file)
	}
	if err != nil {
		_ = l.net.Close()
		l.remove()
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	l.wait.Go(func() { l.accept(ctx) })
	return l, nil
}

// tidy takes away the notes of gates that were cut off: nobody listens there.
func tidy(dir string) {
	notes, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, file := range notes {
		var n note
		data, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(data, &n) != nil || n.Socket == "" {
			continue
		}
		conn, err := net.Dial("unix", n.Socket)
		if err != nil {
			_ = os.Remove(file)
			if strings.HasPrefix(n.Socket, dir+string(filepath.Separator)) {
				_ = os.Remove(n.Socket)
			}
			continue
		}
		_ = conn.Close()
	}
}

// maxSocket is the longest path, in bytes, that every system takes for a socket.
const maxSocket = 100

func (l *Listener) remove() {
	_ = os.Remove(l.file)
	if l.temp != "" {
		_ = os.RemoveAll(l.temp)
	}
}

// Close ends all questions, and takes the note away.
func (l *Listener) Close() {
	l.remove()
	l.cancel()
	_ = l.net.Close()
	l.wait.Wait()
}

func (l *Listener) accept(ctx context.Context) {
	for {
		conn, err := l.net.Accept()
		if err != nil {
			return // it was closed, or cannot go on
		}
		l.wait.Go(func() {
			defer func() { _ = conn.Close() }()
			l.serve(ctx, conn)
		})
	}
}

// serve answers one question. The other side keeps the connection open until it
// has the answer.
func (l *Listener) serve(ctx context.Context, conn net.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	in := bufio.NewReader(io.LimitReader(conn, maxQuestion))
	line, err := in.ReadBytes('\n')
	var q question
	if err != nil || json.Unmarshal(line, &q) != nil || subtle.ConstantTimeCompare([]byte(q.Secret), []byte(l.secret)) != 1 {
		return
	}
	go func() {
		_, _ = in.ReadByte() // nothing more is sent: this is the end of the wait
		cancel()
	}()
	reply := l.ask(ctx, q.Question)
	if answer, err := json.Marshal(reply); err == nil && ctx.Err() == nil {
		_, _ = conn.Write(append(answer, '\n'))
	}
}
