package suggest

import (
	"maps"
	"slices"

	"github.com/pigate/pigate/internal/gate/policy"
)

// Setting is a key of the configuration that would spare prompts.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	// Spares is how many prompts of the history would not have been asked with the
	// setting alone, Opens how many more a rule could then spare.
	Spares int `json:"spares"`
	Opens  int `json:"opens"`
}

// settings says what judging redirections precisely would spare.
func (m *miner) settings() []Setting {
	if m.policy.Settings.Redirections == policy.RedirectionsPrecise {
		return nil
	}
	asked := map[int32]int{}
	for _, e := range m.history.events {
		if m.needs[e.subject].state == fixed && prompts(e.word) {
			asked[e.subject]++
		}
	}
	list := slices.Sorted(maps.Keys(asked))
	subjects := make([]Subject, len(list))
	for i, s := range list {
		subjects[i] = m.history.subjects[s]
	}
	settings := m.policy.Settings
	settings.Redirections = policy.RedirectionsPrecise
	then, _ := needs(policy.New(settings, m.policy.Rules), subjects)
	found := Setting{Key: "redirections", Value: policy.RedirectionsPrecise}
	for i := range then {
		switch then[i].state {
		case silent:
			found.Spares += asked[list[i]]
		case asks:
			found.Opens += asked[list[i]]
		case fixed, hopeless:
		}
	}
	if found.Spares == 0 && found.Opens == 0 {
		return nil
	}
	return []Setting{found}
}
