package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/report/lint"
	"github.com/pigate/pigate/internal/text"
)

// findings looks at the rules in force in the folder that the report is about,
// or else that the person stands in. of is that folder; "" when there is none,
// or the journal was named and may come from elsewhere.
func (o *reportOptions) findings(ctx context.Context, env environment, reader *audit.Reader, now time.Time, named bool) (list []lint.Finding, of string, err error) {
	of = env.cwd
	if o.project != "" {
		if of = o.project; !filepath.IsAbs(of) {
			of = filepath.Join(env.cwd, of)
		}
	}
	if info, err := os.Stat(of); named || of == "" || err != nil || !info.IsDir() {
		return nil, "", nil
	}
	where, err := env.installation(o.journal)
	if err != nil {
		return nil, "", err
	}
	here, err := spellings(of)
	if err != nil {
		return nil, "", err
	}
	// Every call since then is looked at, whatever the filters: a rule of all
	// projects may be of use in another one.
	uses, err := lint.ReadUses(ctx, reader, here, audit.Micros(now.Add(-2*lint.IdleAfter).UnixMicro()))
	if err != nil {
		if ctx.Err() != nil {
			return nil, "", err
		}
		fmt.Fprintf(env.stderr, "pigate: whether rules are used is not told: %s\n", text.Visible(err.Error()))
		uses = nil
	}
	p := project{of, where, look(env, where.AgentDir, of, true).Asked}
	return p.lint(env, uses, now), of, nil
}
