// Package pwsh knows the commands of PowerShell by all their names.
package pwsh
