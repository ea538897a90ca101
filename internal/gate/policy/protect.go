package policy

import "github.com/pigate/pigate/internal/gate/paths"

// Installation says where pigate and Pi keep their files; both are absolute.
type Installation struct {
	// AgentDir is Pi's folder (~/.pi/agent), Journal the journal's file.
	AgentDir string `json:"agent_dir"`
	Journal  string `json:"journal"`
}

// protectedNames are what an edit may only touch when the person says so, in
// Pi's folder and in the project's .pi: the files by which Pi is told what to
// load and what to trust, and pigate's own folder.
var protectedNames = []string{"settings.json", "mcp.json", "trust.json", "extensions", "pigate", "allowlist-gate.json"}

// gitNames are the files of the checkout's .git by which git is told to run
// programs; a wildcard of an edit rule never means them.
var gitNames = []string{"config", "hooks"}

// journalSuffixes make the names of the files that stand beside a journal.
var journalSuffixes = []string{"", "-wal", "-shm", "-journal", ".lock", ".key", ".pub", ".checkpoints", ".index", ".index-wal", ".index-shm"}

// protected lists the files and folders that the gate keeps for itself and for
// Pi: writing to one asks whatever the allowlist says. The paths are absolute,
// with forward slashes.
func (r Request) protected() []string {
	at, root := r.place(), r.ProjectRoot()
	var list []string
	for _, dir := range []string{r.Installation.AgentDir, root + "/.pi"} {
		if dir == "" {
			continue
		}
		for _, name := range protectedNames {
			list = append(list, paths.Slash(dir+"/"+name, at))
		}
	}
	for _, name := range gitNames {
		list = append(list, paths.Slash(root+"/.git/"+name, at))
	}
	if journal := r.Installation.Journal; journal != "" {
		for _, suffix := range journalSuffixes {
			list = append(list, paths.Slash(journal+suffix, at))
		}
	}
	return list
}
