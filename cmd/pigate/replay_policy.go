package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate/config"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
	"github.com/pigate/pigate/internal/pi"
	"github.com/pigate/pigate/internal/report/replay"
	"github.com/pigate/pigate/internal/text"
)

// policyFlags are the flags that choose the rules of a replay.
type policyFlags struct {
	recorded, current         bool
	policy, against           string
	allow, deny, ask, without []string
	set                       []string
}

func (o *policyFlags) addTo(f *pflag.FlagSet) {
	f.BoolVar(&o.recorded, "recorded", false, "under the rules that each call was decided under")
	f.BoolVar(&o.current, "current", false, "under the rules in force now (the default)")
	f.StringVar(&o.policy, "policy", "", "under the rules of this configuration `FILE`")
	f.StringArrayVar(&o.allow, "allow", nil, "with this allow `RULE`; may be given several times")
	f.StringArrayVar(&o.deny, "deny", nil, "with this deny `RULE`; may be given several times")
	f.StringArrayVar(&o.ask, "ask", nil, "with this ask `RULE`; may be given several times")
	f.StringArrayVar(&o.without, "without", nil, "without the `RULE` of this text; may be given several times")
	f.StringArrayVar(&o.set, "set", nil, "with this setting, `KEY=VALUE`: redirections=precise, guardedFlags=false, …; may be given several times")
	f.StringVar(&o.against, "against", replayRecorded, "compare with these `RULES`: recorded (what was decided), current, or a configuration file")
}

// The words for policies that are no file.
const (
	replayRecorded = "recorded"
	replayCurrent  = "current"
)

// sides are the policies that a replay compares.
type sides struct {
	old, new         replay.Policies
	oldName, newName string
	edited           *replay.Edited // nil when nothing is
	current          bool           // the configuration in force now plays a part
}

// sides finds the policies. The old side is nil for what the journal says.
func (o *policyFlags) sides(env environment, agentDir string, reader *audit.Reader) (s sides, err error) {
	base := ""
	for _, given := range []struct {
		is   bool
		name string
	}{{o.recorded, replayRecorded}, {o.current, replayCurrent}, {o.policy != "", o.policy}} {
		if given.is && base != "" {
			return s, usage("--recorded, --current and --policy exclude each other")
		}
		if given.is {
			base = given.name
		}
	}
	now := currentPolicies(env, agentDir)
	find := func(name string, file bool) (replay.Policies, string, error) {
		switch {
		case !file && name == replayRecorded:
			return replay.Knowing(replay.Recorded(reader.Policy), now), "recorded", nil
		case !file && name == replayCurrent:
			s.current = true
			return now, "current", nil
		}
		pol, warnings, err := config.ReadPolicy(name)
		for _, w := range warnings {
			fmt.Fprintf(env.stderr, "pigate: warning: %s\n", w)
		}
		return replay.Fixed(pol), "of " + name, err
	}
	if base == "" {
		base = replayCurrent
	}
	if s.new, s.newName, err = find(base, o.policy != ""); err != nil {
		return s, err
	}
	s.oldName = "as decided"
	if o.against != replayRecorded {
		if s.old, s.oldName, err = find(o.against, false); err != nil {
			return s, err
		}
	}
	return s, o.edit(env, &s)
}

// edit applies the flags that change the new side.
func (o *policyFlags) edit(env environment, s *sides) error {
	if len(o.allow)+len(o.deny)+len(o.ask)+len(o.without)+len(o.set) == 0 {
		return nil
	}
	s.edited = &replay.Edited{Base: s.new}
	for _, list := range []struct {
		effect rule.Effect
		texts  []string
	}{{rule.Allow, o.allow}, {rule.Deny, o.deny}, {rule.Ask, o.ask}} {
		for _, line := range list.texts {
			r, err := rule.Parse(line)
			if err != nil {
				return usage("--%s %q: %v", list.effect, line, err)
			}
			if idle := r.Idle(); idle != "" {
				fmt.Fprintf(env.stderr, "pigate: warning: --%s %s: %s\n", list.effect, text.Visible(line), idle)
			}
			r.Effect, r.File = list.effect, "-"
			s.edited.Add = append(s.edited.Add, r)
			s.newName += fmt.Sprintf(", with %s %s", list.effect, r.Text)
		}
	}
	for _, text := range o.without {
		text = strings.TrimSpace(text)
		s.edited.Remove = append(s.edited.Remove, text)
		s.newName += ", without " + text
	}
	s.new = s.edited
	return o.settings(s)
}

// settings applies --set.
func (o *policyFlags) settings(s *sides) error {
	var changes []func(*policy.Settings)
	for _, text := range o.set {
		name, value, _ := strings.Cut(strings.TrimSpace(text), "=")
		switch name {
		case "redirections":
			if value != policy.RedirectionsAsk && value != policy.RedirectionsPrecise {
				return usage("--set redirections is %q, must be %s or %s", value, policy.RedirectionsAsk, policy.RedirectionsPrecise)
			}
			changes = append(changes, func(s *policy.Settings) { s.Redirections = value })
		case "outside":
			if value != policy.OutsideAsk && value != policy.OutsideAllow {
				return usage("--set outside is %q, must be %s or %s", value, policy.OutsideAsk, policy.OutsideAllow)
			}
			changes = append(changes, func(s *policy.Settings) { s.Outside = value })
		case "worktrees":
			if value != policy.WorktreesOutside && value != policy.WorktreesInside {
				return usage("--set worktrees is %q, must be %s or %s", value, policy.WorktreesOutside, policy.WorktreesInside)
			}
			changes = append(changes, func(s *policy.Settings) { s.InsideWorktrees = value == policy.WorktreesInside })
		case "sessionApprovals":
			covers := policy.Coverage(value)
			if covers != policy.CoverTarget && covers != policy.CoverExact {
				return usage("--set sessionApprovals is %q, must be %s or %s", value, policy.CoverTarget, policy.CoverExact)
			}
			changes = append(changes, func(s *policy.Settings) { s.SessionApprovals = covers })
		case "guardedFlags", "enabled":
			on, err := strconv.ParseBool(value)
			if err != nil {
				return usage("--set %s is %q, must be true or false", name, value)
			}
			changes = append(changes, func(s *policy.Settings) {
				if name == "enabled" {
					s.Enabled = on
				} else {
					s.GuardedFlags = on
				}
			})
		default:
			return usage("--set %q: the settings are redirections, guardedFlags, outside, worktrees, sessionApprovals, enabled; write KEY=VALUE", text)
		}
		s.newName += ", with " + text
	}
	s.edited.Set = func(settings *policy.Settings) {
		for _, change := range changes {
			change(settings)
		}
	}
	return nil
}

// noteIdle says which rules could not be taken out.
func (s *sides) noteIdle(env environment) {
	if s.edited == nil {
		return
	}
	for _, line := range s.edited.Idle() {
		fmt.Fprintf(env.stderr, "pigate: warning: --without %s: no policy here has this rule\n", text.Visible(line))
	}
}

// currentPolicies are those in force now, each as in a project that the person
// trusts.
func currentPolicies(env environment, agentDir string) replay.Policies {
	reader := config.NewReader(agentDir)
	person := pi.NewTrust(agentDir)
	reader.Asked, reader.Decided = person.Asked, person.Decided
	return replay.ByProject(func(project string) (*policy.Policy, error) {
		if !filepath.IsAbs(project) {
			return nil, audit.ObstacleFolder // not one of this system
		}
		loaded := reader.Load(project, policy.TrustedByPerson)
		for _, w := range loaded.New {
			fmt.Fprintf(env.stderr, "pigate: warning: %s\n", w)
		}
		return loaded.Policy, nil
	})
}
