package config

import "github.com/pigate/pigate/internal/gate/policy"

// The keys of a configuration file.
const (
	keyEnabled      = "enabled"
	keyAllow        = "allow"
	keyDeny         = "deny"
	keyAsk          = "ask"
	keyRedirections = "redirections"
	keyGuardedFlags = "guardedFlags" // global file only
	keyOutside      = "outside"      // global file only
	keyWorktrees    = "worktrees"    // global file only
	keyProjectTrust = "projectTrust" // global file only
	keyJournal      = "journal"      // global file only

	keySessionApprovals = "sessionApprovals" // a project's file can only narrow it

	keySchema = "$schema" // for editors; it means nothing here

	// Inside an entry of a list of rules.
	keyRule   = "rule"
	keyReason = "reason"
	keyUntil  = "until"

	// Inside journal.
	keyRecord     = "record"
	keyDurability = "durability"
	keyOnError    = "onError"
)

// The values of the setting for the trust in projects.
const (
	// ProjectTrustAsked lets a project's file allow only when a person was asked
	// about the project, or let this program make the file.
	ProjectTrustAsked = "asked"
	// ProjectTrustPi takes Pi's word, also where Pi had nothing to ask about.
	ProjectTrustPi = "pi"
)

// The values of the journal's settings.
const (
	// RecordAll records every call, RecordGated only those that are not read-only.
	RecordAll   = "all"
	RecordGated = "gated"
	// DurabilityPower keeps an entry through a loss of power, DurabilityProcess
	// through the end of the process only.
	DurabilityPower   = "power"
	DurabilityProcess = "process"
	// OnErrorBlock blocks a call that cannot be recorded, OnErrorWarn lets it run
	// with a warning.
	OnErrorBlock = "block"
	OnErrorWarn  = "warn"
)

// JournalSettings are what the global file says about the journal.
type JournalSettings struct {
	// Record is RecordAll or RecordGated.
	Record string
	// Durability is DurabilityPower or DurabilityProcess.
	Durability string
	// OnError is OnErrorBlock or OnErrorWarn.
	OnError string
}

// DefaultJournal returns the settings where no file says otherwise. They are
// also the strictest ones.
func DefaultJournal() JournalSettings {
	return JournalSettings{Record: RecordAll, Durability: DurabilityPower, OnError: OnErrorBlock}
}

// strictSettings are the settings of a file that cannot be relied upon.
func strictSettings() policy.Settings {
	return policy.Settings{Enabled: true, Redirections: policy.RedirectionsAsk, GuardedFlags: true, Outside: policy.OutsideAsk, SessionApprovals: policy.CoverExact}
}

// defaultAllow is the allowlist where no file defines one: commands that only
// look, and the documentation server, as in the original plugin.
var defaultAllow = []string{
	"shell:git status *",
	"shell:git diff *",
	"shell:git log *",
	"shell:ls *",
	"shell:cat *",
	"shell:pwd *",
	"shell:echo *",
	"shell:wc *",
	"shell:grep *",
	"shell:tail *",
	"shell:rg -n *",
	"shell:find *",
	"shell:head -n *",
	"shell:pi mcp list *",
	"mcp:docs-mcp-server",
}
