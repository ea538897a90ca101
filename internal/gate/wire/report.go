package wire

import (
	"context"
	"path/filepath"

	"github.com/creachadair/jrpc2"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/hint"
	"github.com/pigate/pigate/internal/text"
)

func (s *Server) status(_ context.Context, p statusParams) (reportResult, error) {
	if !filepath.IsAbs(p.Root) {
		return reportResult{}, jrpc2.Errorf(jrpc2.InvalidParams, `gate/status: "root" is not an absolute path`)
	}
	return reportResult{s.Status(p.Root, policy.TrustOf(p.Trusted, p.Approved), s.Guard.Grants())}, nil
}

func (s *Server) recent(ctx context.Context, p logParams) (reportResult, error) {
	switch {
	case !filepath.IsAbs(p.Root):
		return reportResult{}, jrpc2.Errorf(jrpc2.InvalidParams, `gate/log: "root" is not an absolute path`)
	case p.Limit < 0:
		return reportResult{}, jrpc2.Errorf(jrpc2.InvalidParams, `gate/log: "limit" is negative`)
	}
	return told(s.Recent(ctx, p.Root, p.Limit))
}

func (s *Server) why(ctx context.Context, p whyParams) (reportResult, error) {
	if p.Session == "" {
		return reportResult{}, jrpc2.Errorf(jrpc2.InvalidParams, `gate/why: "session" is missing`)
	}
	return told(s.Why(ctx, p.Session))
}

func (s *Server) revoke(ctx context.Context, p revokeParams) (reportResult, error) {
	if p.Session == "" || !filepath.IsAbs(p.Root) {
		return reportResult{}, jrpc2.Errorf(jrpc2.InvalidParams, `gate/revoke: "session" is missing, or "root" is not an absolute path`)
	}
	return told(s.Revoke(ctx, p.Root, p.Session))
}

// suggest opens dialogs that belong to no call: their id is empty.
func (s *Server) suggest(ctx context.Context, p suggestParams) (reportResult, error) {
	if err := p.check(); err != nil {
		return reportResult{}, jrpc2.Errorf(jrpc2.InvalidParams, "gate/suggest: %v", err)
	}
	ctx, end, ok := s.begin(ctx, toolAbort{Session: p.Session})
	if !ok {
		return reportResult{}, jrpc2.Errorf(jrpc2.InvalidParams, "gate/suggest: rules are being suggested already")
	}
	defer end()
	report, err := s.Guard.Suggest(ctx, s.request(toolCall{place: p.place}))
	return told(report, err)
}

// told is a report, or the error that the person is shown in its place.
func told(report string, err error) (reportResult, error) {
	if err == nil {
		return reportResult{report}, nil
	}
	message := "pigate: " + text.Visible(err.Error())
	if next := hint.Of(err); next != "" {
		message += "\nhint: " + text.Visible(next)
	}
	return reportResult{}, jrpc2.Errorf(jrpc2.InternalError, "%s", message)
}
