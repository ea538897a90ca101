package organisation

import (
	"errors"
	"fmt"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/windows"
)

// system asks Windows for the folder: the variable %ProgramData% is the user's.
func system() Place {
	data, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, 0)
	if err != nil {
		return Place{}
	}
	folder := filepath.Join(data, "pigate")
	return Place{Path: filepath.Join(folder, "policy.json"), Top: folder}
}

// administrators are who may own and write the file.
var administrators = []windows.WELL_KNOWN_SID_TYPE{windows.WinBuiltinAdministratorsSid, windows.WinLocalSystemSid}

// trustedInstaller is the service that owns the files of Windows.
const trustedInstaller = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"

func administers(sid *windows.SID) bool {
	for _, known := range administrators {
		if sid.IsWellKnown(known) {
			return true
		}
	}
	return sid.String() == trustedInstaller
}

// changes are the rights by which a file, or a file of a folder, becomes another
// one. To make further files in a folder changes none of those that are there.
const (
	fileDeleteChild = 0x40
	folderChanges   = fileDeleteChild | windows.DELETE | windows.WRITE_DAC | windows.WRITE_OWNER | windows.GENERIC_ALL | windows.GENERIC_WRITE
	fileChanges     = folderChanges | windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA
)

// kept reports, as an error, who else than an administrator may write at a path.
func (p Place) kept(path string, folder bool) error {
	descriptor, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("tells no owner: %w", err)
	}
	owner, _, err := descriptor.Owner()
	if err != nil || owner == nil || !administers(owner) {
		return errors.New("does not belong to an administrator")
	}
	list, _, err := descriptor.DACL()
	if err != nil || list == nil {
		return errors.New("can be written by everyone")
	}
	changes := windows.ACCESS_MASK(fileChanges)
	if folder {
		changes = folderChanges
	}
	for i := range uint32(list.AceCount) {
		var entry *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &entry); err != nil {
			return fmt.Errorf("tells not who may write: %w", err)
		}
		const inheritOnly = 0x8
		switch {
		case entry.Header.AceFlags&inheritOnly != 0 || entry.Header.AceType == windows.ACCESS_DENIED_ACE_TYPE:
		case entry.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE:
			return errors.New("tells in a way that is not known who may write")
		case entry.Mask&changes != 0 && !administers((*windows.SID)(unsafe.Pointer(&entry.SidStart))):
			return errors.New("can be written by others than administrators")
		}
	}
	return nil
}
