// Package pwsh reads the text of PowerShell as a row of events: commands with the
// words that they may get, redirections, what is assigned. It reads the part of the
// language that its grammar names, and refuses the rest with a reason. It knows the
// commands of PowerShell by all their names.
package pwsh
