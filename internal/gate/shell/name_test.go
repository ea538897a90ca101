package shell_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

// TestNamesOfPrograms: one program under its other names.
func TestNamesOfPrograms(t *testing.T) {
	checkDenies(t, "git push *", "git-push", "git-push origin", "/usr/lib/git-core/git-push x", "sudo git-push x", `git.cmd push`, `'C:\\Git\\git.exe' push`, "xargs git-push")
	checkDenies(t, "rm *", "rm.exe x", "rm.com x", `'C:\\bin\\rm.bat' x`, "RM.CMD x")
	checkDenies(t, "Remove-Item *", "powershell -Command Remove-Item x", "pwsh -c 'ri x'", "powershell -Command 'del x'", "pwsh -c 'sudo rm x'")
	checkDenies(t, "ri *", "powershell -Command Remove-Item x")
	for _, command := range []string{`Microsoft.PowerShell.Management\Remove-Item x`, "Set-Alias zz Remove-Item; zz x", "sal zz Remove-Item; zz x", "New-Alias -Name zz -Value ri; zz x", "Set-Alias -Name zz -Scope Global -Value Remove-Item; ZZ x", `.\Remove-Item.ps1 x`} {
		if a := shell.PowerShell(command); !isDenied("Remove-Item *", a) && !isDenied("remove-item *", a) {
			t.Errorf("%q does not match Remove-Item: %q", command, texts(a))
		}
	}
	for _, command := range []string{"git-lfs pull", "git-secret reveal"} {
		for _, u := range shell.Bash(command).Units[1:] {
			if !u.Transparent {
				t.Errorf("%q: %q needs a rule of its own", command, u.Text)
			}
		}
	}
}
