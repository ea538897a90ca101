package replay

import (
	"context"
	"slices"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// Policies say under which policy a call is decided. An implementation need not
// be safe for several goroutines.
type Policies interface {
	// Of returns the policy for a call. An error of type audit.Obstacle means that
	// this one call cannot be decided; any other ends the replay.
	Of(ctx context.Context, c *audit.Call) (*policy.Policy, error)
}

// Fixed is one policy for all calls.
func Fixed(p *policy.Policy) Policies { return fixedPolicy{p} }

type fixedPolicy struct{ policy *policy.Policy }

func (f fixedPolicy) Of(context.Context, *audit.Call) (*policy.Policy, error) { return f.policy, nil }

// Recorded is for each call the policy that it was decided under, which find
// looks up by its digest, as audit.Reader.Policy does. An imported call has
// none.
func Recorded(find func(ctx context.Context, digest string) (*policy.Policy, error)) Policies {
	return &recordedPolicies{find: find, found: map[string]foundPolicy{}}
}

type foundPolicy struct {
	policy *policy.Policy
	err    error
}

type recordedPolicies struct {
	find  func(context.Context, string) (*policy.Policy, error)
	found map[string]foundPolicy
}

func (r *recordedPolicies) Of(ctx context.Context, c *audit.Call) (*policy.Policy, error) {
	if c.Policy == "" {
		return nil, audit.ObstaclePolicy
	}
	f, ok := r.found[c.Policy]
	if !ok {
		f.policy, f.err = r.find(ctx, c.Policy)
		r.found[c.Policy] = f
	}
	return f.policy, f.err
}

// Knowing are other policies that read commands by what is known of programs now
// in the project of each call, as the policies of now do. What was known when a
// call was decided is not in the journal, only its digest.
func Knowing(base, now Policies) Policies {
	return &knowing{base: base, now: now, found: map[[2]*policy.Policy]*policy.Policy{}}
}

type knowing struct {
	base, now Policies
	found     map[[2]*policy.Policy]*policy.Policy
}

func (k *knowing) Of(ctx context.Context, c *audit.Call) (*policy.Policy, error) {
	base, err := k.base.Of(ctx, c)
	if err != nil {
		return nil, err
	}
	now, err := k.now.Of(ctx, c)
	if err != nil {
		return base, nil //nolint:nilerr // a project that is not known here knows nothing more
	}
	pair := [2]*policy.Policy{base, now}
	if k.found[pair] == nil {
		k.found[pair] = base.Knowing(now)
	}
	return k.found[pair], nil
}

// ByProject is for each call the policy of its project's folder, which load is
// asked for once a project.
func ByProject(load func(project string) (*policy.Policy, error)) Policies {
	return &byProject{load: load, found: map[string]foundPolicy{}}
}

type byProject struct {
	load  func(string) (*policy.Policy, error)
	found map[string]foundPolicy
}

func (b *byProject) Of(_ context.Context, c *audit.Call) (*policy.Policy, error) {
	if c.Erased {
		return nil, audit.ObstacleErased // and so is the project's name
	}
	f, ok := b.found[c.Project]
	if !ok {
		f.policy, f.err = b.load(c.Project)
		b.found[c.Project] = f
	}
	return f.policy, f.err
}

// Edited are other policies with rules taken out and others put in, or other
// settings.
type Edited struct {
	// Base are the policies that are edited.
	Base Policies
	// Add are rules, each with its effect; they come after those of the same
	// effect that are there. Remove are the texts of rules, in whichever list they
	// stand.
	Add    []rule.Rule
	Remove []string
	// Set changes the settings; it may be nil.
	Set func(*policy.Settings)

	removed []bool
	edited  map[*policy.Policy]*policy.Policy
}

// Of implements Policies.
func (e *Edited) Of(ctx context.Context, c *audit.Call) (*policy.Policy, error) {
	base, err := e.Base.Of(ctx, c)
	if err != nil {
		return nil, err
	}
	if e.edited[base] == nil {
		if e.edited == nil {
			e.edited, e.removed = map[*policy.Policy]*policy.Policy{}, make([]bool, len(e.Remove))
		}
		e.edited[base] = e.edit(base)
	}
	return e.edited[base], nil
}

func (e *Edited) edit(base *policy.Policy) *policy.Policy {
	var rules []rule.Rule
	for _, r := range base.Rules {
		i := slices.Index(e.Remove, r.Text)
		if i < 0 {
			rules = append(rules, r)
			continue
		}
		e.removed[i] = true
	}
	settings := base.Settings
	if e.Set != nil {
		e.Set(&settings)
	}
	return policy.New(settings, append(rules, e.Add...))
}

// Idle are those of Remove that stood in no policy which was asked for so far.
func (e *Edited) Idle() (list []string) {
	for i, text := range e.Remove {
		if len(e.removed) == 0 || !e.removed[i] {
			list = append(list, text)
		}
	}
	return list
}
