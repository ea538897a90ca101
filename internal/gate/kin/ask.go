package kin

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"

	"github.com/pigate/pigate/internal/gate"
)

// Parents reaches the sessions that began others, by their notes in Pi's agent
// folder.
type Parents struct {
	AgentDir string
}

var _ gate.Parents = Parents{}

// Root is part of gate.Parents.
func (p Parents) Root(session string) (root string) {
	n, err := read(p.AgentDir, session)
	if err != nil {
		return ""
	}
	return n.Root
}

// Ask is part of gate.Parents.
func (p Parents) Ask(ctx context.Context, session string, q gate.Question) (reply gate.Reply, err error) {
	n, err := read(p.AgentDir, session)
	if err != nil {
		return reply, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", n.Socket)
	if err != nil {
		return reply, errGone
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	line, err := json.Marshal(question{n.Secret, q})
	if err != nil {
		return reply, fmt.Errorf("ask in the session that began it: %w", err)
	}
	if _, err := conn.Write(append(line, '\n')); err != nil {
		return reply, errGone
	}
	answer, err := bufio.NewReader(conn).ReadBytes('\n')
	switch {
	case ctx.Err() != nil:
		return reply, ctx.Err()
	case err != nil:
		return reply, errGone
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return reply, fmt.Errorf("read the answer of the session that began it: %w", err)
	}
	return reply, nil
}
