package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/text"
)

// formats are the values of --format, by command.
var formats = map[string][]string{
	"pigate audit list":   {"table", "json", "jsonl", "csv", "md"},
	"pigate audit sql":    report.SheetFormats,
	"pigate audit export": {"jsonl"},
	"pigate replay":       replayFormats,
	"pigate report":       {"html", "md", "json"},
}

// tools are those of Pi that rules know.
var tools = []string{"bash", "powershell", "edit", "write", "read", "grep", "find", "ls"}

// complete tells every command how its arguments and flags are completed. A
// flag of one name means the same everywhere.
func complete(env environment, cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		complete(env, sub)
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if values := env.flagValues(cmd, f.Name); values != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, values) // which can only fail when done twice
		}
	})
	switch cmd.CommandPath() {
	case "pigate audit session":
		cmd.ValidArgsFunction = firstOnly(env.journaled(sessionNames))
	case "pigate audit show":
		cmd.ValidArgsFunction = firstOnly(env.journaled(newestCalls(audit.Filter{})))
	case "pigate audit review":
		cmd.ValidArgsFunction = env.journaled(newestCalls(audit.Filter{Unreviewed: true}))
	case "pigate check", "pigate audit why", "pigate audit sql":
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
}

// flagValues is how the values of a flag are completed; nil leaves it to the
// shell.
func (e environment) flagValues(cmd *cobra.Command, name string) cobra.CompletionFunc {
	if values := audit.FilterValues(name); values != nil {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	switch name {
	case "since", "until":
		return cobra.FixedCompletions(report.WhenWords, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveKeepOrder)
	case "format":
		return cobra.FixedCompletions(formats[cmd.CommandPath()], cobra.ShellCompDirectiveNoFileComp)
	case "fail-on":
		return cobra.FixedCompletions(failOns, cobra.ShellCompDirectiveNoFileComp)
	case "allow", "deny":
		return cobra.NoFileCompletions
	case "set":
		return cobra.FixedCompletions([]string{"redirections=precise", "redirections=ask", "guardedFlags=true", "guardedFlags=false", "outside=ask", "outside=allow", "sessionApprovals=exact", "sessionApprovals=target", "enabled=true", "enabled=false"},
			cobra.ShellCompDirectiveNoFileComp)
	case "without":
		return e.journaled(ruleNames)
	case "against":
		return cobra.FixedCompletions([]string{replayRecorded, replayCurrent}, cobra.ShellCompDirectiveDefault)
	case "by":
		return cobra.FixedCompletions(report.StatsBy, cobra.ShellCompDirectiveNoFileComp)
	case "columns":
		return completeColumns
	case "project", "cwd":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case "session":
		return e.journaled(sessionNames)
	case "tool":
		return e.journaled(toolNames)
	case "rule":
		return e.journaled(ruleNames)
	case "match", "regex", "limit", "lines", "note", "reason", "seq", "at", "from", "to":
		return cobra.NoFileCompletions
	}
	return nil
}

// firstOnly completes the first argument so; what follows are files.
func firstOnly(first cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return first(cmd, args, typed)
	}
}

// completeColumns completes the last of several names.
func completeColumns(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndex(typed, ",")+1]
	var list []cobra.Completion
	for name := range strings.SplitSeq(report.ColumnNames(), ",") {
		if !slices.Contains(strings.Split(before, ","), name) {
			list = append(list, before+name)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveKeepOrder
}

// completionPatience is how long a person who pressed Tab waits for the
// journal, completionRows how many of the newest entries are looked at.
const (
	completionPatience = 500 * time.Millisecond
	completionRows     = 1000
)

// journaled completes with what pick finds in the journal. Errors are silent:
// Tab is no question that anybody wants an error for an answer to.
func (e environment) journaled(pick func(context.Context, *audit.Reader) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(context.Background(), completionPatience)
		defer cancel()
		journal := ""
		if f := cmd.Flags().Lookup("journal"); f != nil {
			journal = f.Value.String()
		}
		files, err := journalFiles(e, journal, nil)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		reader, err := audit.OpenReader(ctx, files...)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer reader.Close()
		var list []cobra.Completion
		for _, c := range pick(ctx, reader) {
			value, _, _ := strings.Cut(c, "\t")
			if shellSafe(value) {
				list = append(list, c)
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// shellSafe reports whether a text does no harm on a command line, whatever the
// shell makes of it: the journal's texts are not the person's.
func shellSafe(s string) bool {
	return s != "" && s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _.,:/@%+*?-") == ""
}

func sessionNames(ctx context.Context, r *audit.Reader) (list []cobra.Completion) {
	seen := map[string]bool{}
	for row, err := range r.List(ctx, audit.Filter{Kind: gate.KindSessionStart, Reverse: true, Limit: completionRows / 10}) {
		if err != nil || seen[row.Session] {
			continue
		}
		seen[row.Session] = true
		about := row.Time.Time().Local().Format("2006-01-02 15:04") + " " + text.Visible(row.Project)
		list = append(list, cobra.CompletionWithDesc(row.Session, about))
	}
	return append(list, cobra.CompletionWithDesc(audit.LastSession, "the newest"))
}

func toolNames(ctx context.Context, r *audit.Reader) []cobra.Completion {
	list := slices.Clone(tools)
	for c, err := range r.Calls(ctx, audit.Filter{Kind: gate.KindDecision, Reverse: true, Limit: completionRows}) {
		if err == nil && !slices.Contains(list, c.Tool) {
			list = append(list, c.Tool)
		}
	}
	return list
}

func ruleNames(ctx context.Context, r *audit.Reader) (list []cobra.Completion) {
	for c, err := range r.Calls(ctx, audit.Filter{Kind: gate.KindDecision, Reverse: true, Limit: completionRows}) {
		if err != nil {
			continue
		}
		for _, rule := range c.Rules {
			if !slices.Contains(list, rule) {
				list = append(list, rule)
			}
		}
	}
	return list
}

// newestCalls are the numbers of the newest calls, each with what it was.
func newestCalls(f audit.Filter) func(context.Context, *audit.Reader) []cobra.Completion {
	f.Kind, f.Reverse, f.Limit = gate.KindDecision, true, 30
	return func(ctx context.Context, r *audit.Reader) (list []cobra.Completion) {
		for row, err := range r.List(ctx, f) {
			if err == nil {
				list = append(list, cobra.CompletionWithDesc(fmt.Sprint(row.Seq), text.Visible(row.What())))
			}
		}
		return list
	}
}
