package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/pigate/pigate/internal/gate/config/disk"
	"github.com/pigate/pigate/internal/gate/policy"
)

// ReadPolicy reads one configuration file as a whole configuration: what it does
// not define has the built-in value, and no other file counts. Rules that have
// ended do not count. It may hold all
// keys, those of the global file too. A file that the gate could not rely upon
// is an error; the warnings are about one that it can.
func ReadPolicy(path string) (*policy.Policy, []Warning, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read policy %s: %w", path, err)
	}
	body, err := disk.Read(abs)
	if err != nil {
		return nil, nil, fmt.Errorf("read policy %s: %s", path, disk.Cause(err))
	}
	p := parse(body, path, true)
	if p.invalid {
		return nil, nil, fmt.Errorf("read policy: %w", errors.New(p.why.String()))
	}
	pol, _ := p.layer().over(builtIn()).policy(nil, time.Now())
	return pol, p.warnings, nil
}
