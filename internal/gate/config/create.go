package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pigate/pigate/internal/gate/config/disk"
	"github.com/pigate/pigate/internal/gate/rule"
)

// seed writes the global file with the defaults, unless there is one.
func seed(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create folder: %w", err)
	}
	enabled := true
	if err := disk.Create(path, render(&enabled, *builtIn().allow, []rule.Rule{}, nil), 0o600); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
