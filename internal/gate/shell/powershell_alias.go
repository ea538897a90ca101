package shell

import (
	"strings"
	"sync"
)

// psAliases are the aliases that PowerShell defines for its commands on
// Windows, each command followed by its aliases.
var psAliases = []string{
	"Add-Content ac", "Clear-Content clc", "Clear-Item cli", "Clear-ItemProperty clp", "Clear-Variable clv", "Clear-Host cls clear",
	"Compare-Object compare diff", "Copy-Item copy cp cpi", "Copy-ItemProperty cpp", "Disable-PSBreakpoint dbp", "Enter-PSSession etsn",
	"Exit-PSSession exsn", "Export-Alias epal", "Export-Csv epcsv", "ForEach-Object foreach %", "Format-Custom fc", "Format-List fl",
	"Format-Table ft", "Format-Wide fw", "Get-Alias gal", "Get-ChildItem dir gci ls", "Get-Command gcm", "Get-Content cat gc type",
	"Get-History ghy h history", "Get-Item gi", "Get-ItemProperty gp", "Get-ItemPropertyValue gpv", "Get-Job gjb", "Get-Location gl pwd",
	"Get-Member gm", "Get-Module gmo", "Get-Process gps ps", "Get-PSDrive gdr", "Get-PSSession gsn", "Get-Service gsv", "Get-Unique gu",
	"Get-Variable gv", "Get-WmiObject gwmi", "Group-Object group", "Import-Alias ipal", "Import-Csv ipcsv", "Import-Module ipmo",
	"Invoke-Command icm", "Invoke-Expression iex", "Invoke-History ihy r", "Invoke-Item ii", "Invoke-RestMethod irm",
	"Invoke-WebRequest iwr curl wget", "Invoke-WmiMethod iwmi", "Measure-Object measure", "Move-Item mi move mv", "Move-ItemProperty mp",
	"New-Alias nal", "New-Item ni", "New-Module nmo", "New-PSDrive ndr mount", "New-PSSession nsn", "New-Variable nv", "Out-GridView ogv",
	"Out-Host oh", "Out-Printer lp", "Pop-Location popd", "Push-Location pushd", "Receive-Job rcjb", "Receive-PSSession rcsn",
	"Remove-Item del erase rd ri rm rmdir", "Remove-ItemProperty rp", "Remove-Job rjb", "Remove-Module rmo", "Remove-PSDrive rdr",
	"Remove-PSSession rsn", "Remove-Variable rv", "Remove-WmiObject rwmi", "Rename-Item ren rni", "Rename-ItemProperty rnp",
	"Resolve-Path rvpa", "Resume-Job rujb", "Select-Object select", "Select-String sls", "Set-Alias sal", "Set-Content sc", "Set-Item si",
	"Set-ItemProperty sp", "Set-Location cd chdir sl", "Set-PSBreakpoint sbp", "Set-Variable set sv", "Set-WmiInstance swmi",
	"Show-Command shcm", "Sort-Object sort", "Start-Job sajb", "Start-Process saps start", "Start-Service sasv", "Start-Sleep sleep",
	"Stop-Job spjb", "Stop-Process kill spps", "Stop-Service spsv", "Suspend-Job sujb", "Tee-Object tee", "Trace-Command trcm",
	"Wait-Job wjb", "Where-Object where ?", "Write-Output echo write", "mkdir md",
}

// psNames gives, for each lower-case alias and command, all its names.
var psNames = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, list := range psAliases {
		names := strings.Fields(list)
		for _, name := range names {
			all[strings.ToLower(name)] = names
		}
	}
	return all
})

// unixNames are aliases that are also programs of their own elsewhere, so that
// a unit keeps the name that is written.
const unixNames = "cat cp ls mv rm rmdir ps kill diff clear curl wget sort tee sleep mount pwd echo cd type history compare select group write set start where mkdir"

// psProgram gives a command under one of its aliases its full name, unless the
// alias may be a program of its own.
func psProgram(program string) string {
	if names := psNames()[program]; names != nil && !hasField(unixNames, program) {
		return strings.ToLower(names[0])
	}
	return program
}
