package pi

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Gate finds the binary that the extension in dir would start, in the
// extension's own order: PIGATE_BIN, which then must be right; the absolute
// folders of PATH; the extension's folder and the one above. how says in words
// which of them it was.
func Gate(dir string, getenv func(string) string) (path, how string, err error) {
	if named := getenv("PIGATE_BIN"); named != "" {
		switch {
		case !filepath.IsAbs(named):
			return "", "", fmt.Errorf("PIGATE_BIN is not an absolute path: %s", named)
		case !isProgram(named):
			return "", "", fmt.Errorf("PIGATE_BIN names no program: %s", named)
		}
		return named, "PIGATE_BIN", nil
	}
	for _, folder := range filepath.SplitList(getenv("PATH")) {
		for _, name := range programNames() {
			if candidate := filepath.Join(folder, name); filepath.IsAbs(folder) && isProgram(candidate) {
				return candidate, "on PATH", nil
			}
		}
	}
	for _, folder := range []string{dir, filepath.Dir(dir)} {
		for _, name := range programNames() {
			if candidate := filepath.Join(folder, name); isProgram(candidate) {
				return candidate, "beside the extension", nil
			}
		}
	}
	return "", "", errors.New("there is no pigate on PATH, nor beside the extension")
}

func programNames() []string {
	if runtime.GOOS == "windows" {
		return []string{"pigate.exe", "pigate.cmd"}
	}
	return []string{"pigate"}
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}
