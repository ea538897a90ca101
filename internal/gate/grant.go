package gate

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/text"
)

// Grants are the answers "for this session". They live in the memory of the
// process only; nothing writes or reads them. The zero value is empty.
type Grants struct {
	mu    sync.Mutex
	known map[GrantKey]bool
	// shared are those that hold for the session's sub-agents too.
	shared map[GrantKey]bool
	list   []Grant
	// begun is when the memory was last emptied.
	begun time.Time
}

// Grant is an approved call as a person is shown it.
type Grant struct {
	// Covers is what the person was told that the approval covers.
	Covers policy.Coverage
	// Tool and Target are those of the call; they are not safe to show.
	Tool, Target string

	// SubAgents reports that it holds for the session's sub-agents too.
	SubAgents bool

	wide string // what CoverTarget means for the call
	rest string // of the input, where nothing else is covered
}

// NewGrant describes an approval of a call for the session.
func NewGrant(c *policy.Call, covers policy.Coverage) Grant {
	return Grant{Covers: covers, Tool: c.Request.Tool, Target: c.Target(), wide: c.Covered(policy.CoverTarget), rest: c.Rest()}
}

// Words say on one line what the approval covers while the setting for session
// approvals is the given one, and what was approved. What it covers comes first,
// where no text of a call can get. The line is safe to show.
func (g Grant) Words(setting policy.Coverage) string {
	about := text.Visible(g.Tool + " " + g.Target)
	if g.Covers.Narrower(setting) == policy.CoverTarget {
		return g.wide + g.whose() + ": " + about
	}
	if g.rest != "" {
		about += " " + g.rest
	}
	return policy.Exactly + g.whose() + ": " + about
}

func (g Grant) whose() string {
	if g.SubAgents {
		return ", sub-agents too"
	}
	return ""
}

// Add remembers an approved call: its key, the digest of its whole input ("" when
// it is not known, and then the grant covers nothing by its input), and what it is
// to people. The coverage is the grant's.
func (g *Grants) Add(key GrantKey, input string, grant Grant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known == nil {
		g.known, g.shared = map[GrantKey]bool{}, map[GrantKey]bool{}
	}
	keys := []GrantKey{}
	if input != "" {
		keys = append(keys, key.exact(input))
	}
	if grant.Covers == policy.CoverTarget {
		keys = append(keys, key)
	}
	for _, k := range keys {
		g.known[k] = true
		if grant.SubAgents {
			g.shared[k] = true
		}
	}
	g.list = append(g.list, grant)
}

// Covers reports whether a call was approved before in this session, and what
// that approval covers now. Setting is the one in force, which narrows approvals
// that were given for more and widens none. Input is the digest of the call's
// whole input; without one, "", only its target counts.
func (g *Grants) Covers(key GrantKey, input string, setting policy.Coverage) (by policy.Coverage, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case setting == policy.CoverTarget && g.known[key]:
		return policy.CoverTarget, true
	case input != "" && g.known[key.exact(input)]:
		return policy.CoverExact, true
	}
	return "", false
}

// CoversSubAgents is Covers for a call of one of the session's sub-agents, for
// which only those approvals count that were given to them too.
func (g *Grants) CoversSubAgents(key GrantKey, input string, setting policy.Coverage) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return setting == policy.CoverTarget && g.shared[key] || input != "" && g.shared[key.exact(input)]
}

// forSubAgents is the grant for the session's sub-agents too.
func (g Grant) forSubAgents() Grant {
	g.SubAgents = true
	return g
}

// Reset forgets every grant, at a moment.
func (g *Grants) Reset(now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known, g.shared, g.list, g.begun = nil, nil, nil, now
}

// Revoke forgets every grant if they were revoked, at a time that the function
// tells, since they were last forgotten. It reports whether there were any.
func (g *Grants) Revoke(revoked func() time.Time) (any bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := revoked()
	if !at.After(g.begun) {
		return false
	}
	any = len(g.list) > 0
	g.known, g.shared, g.list, g.begun = nil, nil, nil, at
	return any
}

// List returns what was approved, in the order of approval.
func (g *Grants) List() []Grant {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]Grant{}, g.list...)
}

// GrantKey identifies a call by its target: an approval with CoverTarget covers
// the calls with the same key and no others.
type GrantKey string

// exact narrows a key to the calls with one whole input, of which it takes the
// digest. The mark keeps it apart from every key of a target.
func (k GrantKey) exact(input string) GrantKey { return "=" + k + GrantKey(input) }

// NewGrantKey makes the key of a call: the tool, where it runs and what it
// touches. A file counts under both sides of its links, so a link that is turned
// elsewhere needs a new answer. A call without resources is its whole input.
func NewGrantKey(c *policy.Call, links policy.LinkFacts) GrantKey {
	parts := []string{c.Request.Tool, c.Request.Cwd}
	switch {
	case c.Bad != "":
		parts = append(parts, "input", policy.Compact(c.Request.Input))
	case c.Analysis != nil:
		parts = append(parts, "command", c.Command)
		for _, p := range c.Paths() {
			parts = append(parts, p, links.Resolve(p))
		}
	case len(c.Resources) > 0:
		for _, r := range c.Resources {
			parts = append(parts, string(r.Kind), r.Text, r.Path, links.Resolve(r.Path))
		}
	default:
		parts = append(parts, "input", policy.Compact(c.Request.Input))
	}
	// A length before each part keeps two keys apart whatever the parts hold.
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strconv.Itoa(len(p)))
		b.WriteByte(':')
		b.WriteString(p)
	}
	return GrantKey(b.String())
}
