package audit

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

func isNetworked(dir string) bool {
	volume, err := windows.UTF16PtrFromString(filepath.VolumeName(dir) + `\`)
	return err == nil && windows.GetDriveType(volume) == windows.DRIVE_REMOTE
}
