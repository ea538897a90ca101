package pwsh

import (
	"strings"
	"sync"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// aliases are the aliases that PowerShell defines for its commands on
// Windows, each command followed by its aliases (BuiltInAliases in
// InitialSessionState.cs, about_Aliases; those of Windows PowerShell too).
var aliases = []string{
	"Add-Content ac", "Clear-Content clc", "Clear-History clhy", "Clear-Host cls clear", "Clear-Item cli", "Clear-ItemProperty clp", "Clear-Variable clv",
	"Compare-Object compare diff", "Connect-PSSession cnsn", "Convert-Path cvpa", "ConvertFrom-String CFS", "Copy-Item copy cp cpi", "Copy-ItemProperty cpp", "Disable-PSBreakpoint dbp",
	"Disconnect-PSSession dnsn", "Enable-PSBreakpoint ebp", "Enter-PSSession etsn", "Exit-PSSession exsn", "Export-Alias epal", "Export-Csv epcsv", "Export-PSSession epsn",
	"ForEach-Object foreach %", "Format-Custom fc", "Format-Hex fhx", "Format-List fl", "Format-Table ft", "Format-Wide fw", "Get-Alias gal", "Get-ChildItem dir gci ls",
	"Get-Clipboard gcb", "Get-Command gcm", "Get-ComputerInfo gin", "Get-Content cat gc type", "Get-Error gerr", "Get-History ghy h history", "Get-Item gi", "Get-ItemProperty gp",
	"Get-ItemPropertyValue gpv", "Get-Job gjb", "Get-Location gl pwd", "Get-Member gm", "Get-Module gmo", "Get-Process gps ps", "Get-PSBreakpoint gbp", "Get-PSCallStack gcs", "Get-PSDrive gdr",
	"Get-PSSession gsn", "Get-PSSnapIn gsnp", "Get-Service gsv", "Get-TimeZone gtz", "Get-Unique gu", "Get-Variable gv", "Get-WmiObject gwmi", "Group-Object group", "Import-Alias ipal",
	"Import-Csv ipcsv", "Import-Module ipmo", "Import-PSSession ipsn", "Invoke-Command icm", "Invoke-Expression iex", "Invoke-History ihy r", "Invoke-Item ii", "Invoke-RestMethod irm",
	"Invoke-WebRequest iwr curl wget", "Invoke-WmiMethod iwmi", "Measure-Object measure", "Move-Item mi move mv", "Move-ItemProperty mp", "New-Alias nal", "New-Item ni",
	"New-Module nmo", "New-PSDrive ndr mount", "New-PSSession nsn", "New-PSSessionConfigurationFile npssc", "New-Variable nv", "Out-GridView ogv", "Out-Host oh", "Out-Printer lp",
	"Pop-Location popd", "Push-Location pushd", "Receive-Job rcjb", "Receive-PSSession rcsn", "Remove-Item del erase rd ri rm rmdir", "Remove-ItemProperty rp", "Remove-Job rjb",
	"Remove-Module rmo", "Remove-PSBreakpoint rbp", "Remove-PSDrive rdr", "Remove-PSSession rsn", "Remove-PSSnapin rsnp", "Remove-Variable rv", "Remove-WmiObject rwmi", "Rename-Item ren rni",
	"Rename-ItemProperty rnp", "Resolve-Path rvpa", "Resume-Job rujb", "Select-Object select", "Select-String sls", "Set-Alias sal", "Set-Clipboard scb", "Set-Content sc",
	"Set-Item si", "Set-ItemProperty sp", "Set-Location cd chdir sl", "Set-PSBreakpoint sbp", "Set-TimeZone stz", "Set-Variable set sv", "Set-WmiInstance swmi",
	"Show-Command shcm", "Sort-Object sort", "Start-Job sajb", "Start-Process saps start", "Start-Service sasv", "Start-Sleep sleep", "Stop-Job spjb", "Stop-Process kill spps",
	"Stop-Service spsv", "Suspend-Job sujb", "Tee-Object tee", "Trace-Command trcm", "Wait-Job wjb", "Where-Object where ?", "Write-Output echo write", "help man", "mkdir md",
}

// Names gives, for each lower-case alias and command, all its names. A
// command that is not found is looked for once more with Get- in front
// (CommandDiscovery.cs), so that this can be left out.
var Names = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, list := range aliases {
		names := strings.Fields(list)
		if noun, ok := strings.CutPrefix(names[0], "Get-"); ok && !strings.EqualFold(noun, "history") {
			names = append(names, noun)
		}
		for _, name := range names {
			all[strings.ToLower(name)] = names
		}
	}
	return all
})

// UnixNames are aliases that are also programs of their own elsewhere, so that
// a unit keeps the name that is written.
const UnixNames = "cat cp ls mv rm rmdir ps kill diff clear curl wget sort tee sleep mount pwd echo cd man compare mkdir process service job alias command member module item"

// Cmdlet is the lower-case name of the command that a program's name, in lower
// case, is an alias of; of other programs their own.
func Cmdlet(program string) string {
	if names := Names()[program]; names != nil {
		return strings.ToLower(names[0])
	}
	return program
}

// ProgramName gives a command under one of its aliases its full name, unless the
// alias may be a program of its own.
func ProgramName(program string) string {
	if argv.HasField(UnixNames, program) {
		return program
	}
	return Cmdlet(program)
}

// IsCommand reports a command of PowerShell's own.
func IsCommand(program string) bool { return Names()[program] != nil || IsCmdlet(program) }

// IsCmdlet reports a name of the form that PowerShell's commands have.
func IsCmdlet(program string) bool {
	verb, _, ok := strings.Cut(program, "-")
	return ok && (argv.HasField(cmdletVerbs, verb) || Names()[program] != nil)
}

const cmdletVerbs = "add clear copy disable enable export get import invoke move new out pop push register remove rename reset restart resume save send set start stop suspend uninstall unregister update write"

// SetAlias reads the alias that the words of Set-Alias or New-Alias define, the
// command first: its name in lower case and what it stands for. ok is false when
// they do not name both.
func SetAlias(words []argv.Arg) (name, value string, ok bool) {
	var operands []string
	for k := 1; k < len(words); k++ {
		switch t := strings.ToLower(words[k].Text); {
		case strings.HasPrefix(t, "-n") || strings.HasPrefix(t, "-v") || strings.HasPrefix(t, "-f") || strings.HasPrefix(t, "-p"):
		case strings.HasPrefix(t, "-"):
			k++ // -Option, -Scope, -Description
		default:
			operands = append(operands, words[k].Text)
		}
	}
	if len(operands) != 2 {
		return "", "", false
	}
	return strings.ToLower(operands[0]), operands[1], true
}
