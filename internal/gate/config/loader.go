package config

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

// projectName is the project file as people see it, and in slash form its place
// below the project's folder.
const projectName = ".pi/allowlist-gate.json"

// Files are the places of the two configuration files.
type Files struct {
	Global, Project string
}

// FilesOf returns the places of the files for an agent folder and a project
// folder, both absolute.
func FilesOf(agentDir, root string) Files {
	return Files{
		Global:  filepath.Join(agentDir, "extensions", "allowlist-gate.json"),
		Project: filepath.Join(root, filepath.FromSlash(projectName)),
	}
}

// Loader reads the configuration. It remembers the last valid deny rules of
// each file and which warnings it has given. It may be used by several
// goroutines.
type Loader struct {
	// Asked tells whether Pi's trust in the project with the absolute folder root
	// is a person's decision. It is called when the Loader first meets a project,
	// and then each time that the answer matters. Nil means that nobody was ever
	// asked. It is set before the first use.
	Asked func(root string) bool

	// Now is the clock by which rules end. Nil is the system's.
	Now func() time.Time
	// readOnly keeps Load from creating the global file.
	readOnly bool

	agentDir string

	mu       sync.Mutex
	global   *source
	own      *folder
	projects map[string]*project // by root
	created  createdProjects
}

// project is what is remembered of one project folder.
type project struct {
	source   *source
	folder   *folder
	programs *programs
	// result belongs to the readings below and to the trust.
	result            Result
	globalReading     *snapshot
	projectReading    *snapshot
	programsReading   *programs
	trusted, complete bool
	ends              time.Time // when the result no longer holds; zero for never
}

// NewLoader returns a Loader for Pi's agent folder (usually ~/.pi/agent), which
// must be absolute.
func NewLoader(agentDir string) *Loader {
	path := FilesOf(agentDir, "").Global
	own, _ := ProgramsOf(agentDir, "")
	return &Loader{agentDir: agentDir, global: &source{path: path, name: path, global: true}, own: newFolder(own, own), projects: map[string]*project{},
		created: createdProjects{path: createdPath(agentDir)}}
}

// FileState says what became of one of the two files.
type FileState struct {
	// Path is absolute.
	Path string
	// Found says that something is there; Ignored that it was not read, because
	// the project is not trusted; DenyOnly that nothing but its deny and ask rules counts,
	// because nobody was asked about that trust; Invalid that it must not be relied
	// upon. Err is the first reason of an invalid file, or why the global file
	// could not be created.
	Found, Ignored, DenyOnly, Invalid bool
	Err                               string
}

// Result is an effective configuration with where it comes from. Its slices
// must not be changed.
type Result struct {
	// Policy holds the effective rules, each with its file and line, and the
	// settings. While both files keep their content, and no rule ends, it stays the
	// same pointer.
	Policy  *policy.Policy
	Journal JournalSettings
	// ProjectTrust is ProjectTrustAsked or ProjectTrustPi.
	ProjectTrust string
	// Global and Project say what became of the files.
	Global, Project FileState
	// Warnings are all that hold now, New those of them that this Loader has not
	// returned as new before.
	Warnings, New []Warning
	// Ended are the rules of both files that would be in force if they had not
	// ended.
	Ended []rule.Rule
	// BrokenPrograms are those of Warnings that are about files on programs, Taught
	// the files on programs that count.
	BrokenPrograms []Warning
	Taught         []string
	// Trusted reports that the project's own file counts in full, or would if
	// there were one.
	Trusted bool
}

// Load reads both files again and returns what is in force for the project
// whose absolute folder is root; trust is what its host says of it. The global
// file is created with the defaults when it is missing. Load never fails: what
// cannot be read or written becomes a warning, and never widens access.
func (l *Loader) Load(root string, trust policy.Trust) Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, result := l.load(root, trust)
	result.New = append(l.global.news(p.globalReading.warnings), p.source.news(append(p.programs.warnings[:len(p.programs.warnings):len(p.programs.warnings)],
		p.projectReading.warnings...))...)
	return result
}

// Look is Load for a report: no warning counts as returned by it.
func (l *Loader) Look(root string, trust policy.Trust) Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, result := l.load(root, trust)
	return result
}

func (l *Loader) load(root string, trust policy.Trust) (*project, Result) {
	p := l.project(root)
	global := l.global.read(!l.readOnly)
	state, reading := l.readProject(root, p.source, trust, global.projectTrust())
	trusted := trust != policy.Untrusted && !state.DenyOnly
	now := time.Now
	if l.Now != nil {
		now = l.Now
	}
	moment, programs := now(), l.readPrograms(p)
	if !p.complete || !p.ends.IsZero() && !moment.Before(p.ends) || p.programsReading != programs || p.globalReading != global ||
		p.projectReading != reading || p.trusted != trusted || p.result.Project != state {
		p.globalReading, p.projectReading, p.programsReading, p.trusted, p.complete = global, reading, programs, trusted, true
		p.result, p.ends = merge(global, reading, programs, moment)
		p.result.Trusted = trusted
		p.result.Global = global.state(l.global.path)
		p.result.Project = state
	}
	return p, p.result
}

func (l *Loader) project(root string) *project {
	p := l.projects[root]
	if p == nil {
		_, programs := ProgramsOf(l.agentDir, root)
		p = &project{source: &source{path: FilesOf(l.agentDir, root).Project, name: projectName}, folder: newFolder(programs, projectPrograms)}
		l.projects[root] = p
		if l.Asked != nil {
			l.Asked(root) // so that it has seen the project before any call of this session ran there
		}
	}
	return p
}

// untrusted is the reading of a project file that must not be read, absent that
// of one that is not there.
var (
	untrusted = &snapshot{warnings: []Warning{{File: projectName, Text: "ignored, because the project is not trusted"}}}
	absent    = &snapshot{content: content{missing: true}}
)

func (l *Loader) readProject(root string, s *source, trust policy.Trust, setting string) (FileState, *snapshot) {
	if trust != policy.Untrusted {
		r := s.read(false)
		if !r.content.missing && trust == policy.TrustedByHost && setting != ProjectTrustPi && !l.vouched(root) {
			r = r.denials()
		}
		return r.state(s.path), r
	}
	if _, err := os.Lstat(s.path); err != nil {
		return FileState{Path: s.path}, absent
	}
	return FileState{Path: s.path, Found: true, Ignored: true}, untrusted
}

// vouched reports that somebody stands for the project's file beyond the host's
// word: the person, who was asked about the project or let this program make
// the file.
func (l *Loader) vouched(root string) bool {
	return l.created.has(root) || l.Asked != nil && l.Asked(root)
}

func (r *snapshot) state(path string) FileState {
	s := FileState{Path: path, Found: !r.content.missing, DenyOnly: r.denyOnly, Invalid: r.invalid}
	switch {
	case r.content.seedErr != "":
		s.Err = r.content.seedErr
	case r.invalid:
		s.Err = r.why.String()
	}
	return s
}

func merge(global, project *snapshot, known *programs, now time.Time) (Result, time.Time) {
	l := project.layer().over(global.layer().over(builtIn()))
	pol, ends := l.policy(known, now)
	r := Result{
		Policy:         pol,
		Ended:          l.ended(now),
		Journal:        *l.journal,
		ProjectTrust:   global.projectTrust(),
		BrokenPrograms: known.warnings,
	}
	own, theirs := known.layers.Files()
	for _, f := range append(own[:len(own):len(own)], theirs...) {
		r.Taught = append(r.Taught, f.Name)
	}
	for _, list := range [][]Warning{global.warnings, project.warnings, known.warnings} {
		r.Warnings = append(r.Warnings, list...)
	}
	return r, ends
}
