package pi

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Found is what one scope holds.
type Found struct {
	Scope Scope
	// Installed reports that settings.json names pigate's extension.
	Installed bool
	// Version is that of the extension's files, "" when there are none.
	Version string
	// Copies are other copies of pigate's extension that Pi would load as well;
	// each would ask a second time.
	Copies []Other
	// Gates are other permission gates.
	Gates []Other
}

// Other is an extension beside pigate's.
type Other struct {
	// Source is the package as settings.json names it, or the path of a file or
	// folder that Pi loads by itself.
	Source string
	// Loose reports the second.
	Loose bool
}

// Where says in words where the extension is installed.
func (o Other) Where(s Scope) string {
	if o.Loose {
		return o.Source
	}
	return o.Source + " in " + s.Settings()
}

// Remove says in words how to get rid of it.
func (o Other) Remove() string {
	if o.Loose {
		return "delete it"
	}
	return "pi remove " + o.Source
}

// otherGates are parts of the names of permission gates for Pi. Two gates ask
// twice, and the later one sees what the earlier let through.
var otherGates = []string{
	"pi-allowlist-plugin", "allowlist-gate", "pi-permission-system", "permission-gate",
	"pi-guardrails", "pi-guard", "pi-permissions",
}

// Inspect looks at a scope without changing it. Missing files are not errors.
func Inspect(s Scope) (Found, error) {
	found := Found{Scope: s, Version: extensionVersion(s.Extension())}
	settings, err := readSettings(s.Settings())
	if err != nil {
		return found, err
	}
	for _, source := range settings.sources() {
		if source == Source {
			found.Installed = true
			continue
		}
		found.note(source, Other{Source: source})
	}
	entries, err := os.ReadDir(filepath.Join(s.Dir, "extensions"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return found, err
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if ext == ".ts" || ext == ".js" || ext == "" && (e.IsDir() || e.Type()&fs.ModeSymlink != 0) {
			found.note(e.Name(), Other{Source: filepath.Join(s.Dir, "extensions", e.Name()), Loose: true})
		}
	}
	return found, nil
}

func (f *Found) note(name string, o Other) {
	name = strings.ToLower(name)
	switch {
	case strings.Contains(name, "pigate"):
		f.Copies = append(f.Copies, o)
	case slices.ContainsFunc(otherGates, func(g string) bool { return strings.Contains(name, g) }):
		f.Gates = append(f.Gates, o)
	}
}

// extensionVersion reads the version in the package.json of an installed
// extension.
func extensionVersion(dir string) string {
	body, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return ""
	}
	var manifest struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(body, &manifest) != nil || manifest.Version == "" {
		return "unknown"
	}
	return manifest.Version
}
