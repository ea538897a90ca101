package config

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pigate/pigate/internal/gate/checkout"
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

	// Decided tells whether a person decided to trust a folder, by what Pi keeps of
	// such decisions alone; with silent also whether Pi trusts it without asking. It
	// counts for files of other folders than the session's. Nil means no.
	Decided func(folder string, silent bool) bool

	// Now is the clock by which rules end. Nil is the system's.
	Now func() time.Time
	// readOnly keeps Load from creating the global file.
	readOnly bool

	agentDir string

	mu     sync.Mutex
	global *source
	// organisation is nil until there is such a file.
	organisation *source
	own          *folder
	projects     map[string]*projectFiles // by root
	created      createdProjects
}

// projectFiles is what is remembered of one project folder.
type projectFiles struct {
	source *source
	above  map[string]*source // of other folders that count for it, by their paths
	folder *folder
	// foldersAbove are those of other folders with files about programs, by the paths
	// of those.
	foldersAbove map[string]*folder
	programs     *programs
	// result belongs to the readings below and to the trust.
	result            Result
	globalReading     *snapshot
	floor             floor
	files             []counted
	programsReading   *programs
	trusted, complete bool
	ends              time.Time // when the result no longer holds; zero for never
}

// NewLoader returns a Loader for Pi's agent folder (usually ~/.pi/agent), which
// must be absolute.
func NewLoader(agentDir string) *Loader {
	path := FilesOf(agentDir, "").Global
	own, _ := ProgramsOf(agentDir, "")
	return &Loader{agentDir: agentDir, global: &source{path: path, name: path, global: true}, own: newFolder(own, own), projects: map[string]*projectFiles{},
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
	// Organisation says what became of the organisation's file, whose rules and
	// settings no other lifts; Ignored is one that others than root could have
	// written.
	Organisation FileState
	// Global and Project say what became of the files; Project is the one whose
	// allow rules count, or would if it were there.
	Global, Project FileState
	// Others are further files of the project, of which deny and ask rules count;
	// Strays, which Look alone fills, are files nearby that do not count.
	Others []FileState
	Strays []checkout.Stray
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
	warnings := slices.Clone(p.programs.warnings)
	for _, c := range p.files {
		warnings = append(warnings, c.reading.warnings...)
	}
	result.New = append(l.global.news(slices.Concat(p.floor.warnings(), p.globalReading.warnings)), p.source.news(warnings)...)
	return result
}

// Look is Load for a report: no warning counts as returned by it.
func (l *Loader) Look(root string, trust policy.Trust) Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, result := l.load(root, trust)
	result.Strays = l.strays(checkout.Around(root))
	return result
}

func (l *Loader) load(root string, trust policy.Trust) (*projectFiles, Result) {
	p := l.project(root)
	global := l.global.read(!l.readOnly)
	at := checkout.Around(root)
	base := l.readFloor()
	files := l.chain(p, at, trust, base.projectTrust(global))
	trusted := trust != policy.Untrusted && !files[0].state.DenyOnly
	now := time.Now
	if l.Now != nil {
		now = l.Now
	}
	moment, programs := now(), l.readPrograms(p, at)
	if !p.complete || !p.ends.IsZero() && !moment.Before(p.ends) || p.programsReading != programs || p.globalReading != global || p.floor != base ||
		!slices.Equal(p.files, files) || p.trusted != trusted {
		p.globalReading, p.floor, p.files, p.programsReading, p.trusted, p.complete = global, base, files, programs, trusted, true
		p.result, p.ends = merge(base, global, files, programs, moment)
		p.result.Organisation = base.state
		p.result.Trusted = trusted
		p.result.Global = global.state(l.global.path)
		p.result.Project = files[0].state
		for _, c := range files[1:] {
			p.result.Others = append(p.result.Others, c.state)
		}
	}
	return p, p.result
}

func (l *Loader) project(root string) *projectFiles {
	p := l.projects[root]
	if p == nil {
		_, programs := ProgramsOf(l.agentDir, root)
		p = &projectFiles{source: &source{path: FilesOf(l.agentDir, root).Project, name: projectName}, above: map[string]*source{}, foldersAbove: map[string]*folder{}, folder: newFolder(programs, projectPrograms)}
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

func (l *Loader) readProject(p *projectFiles, own checkout.Folder, trust policy.Trust, setting string) (FileState, *snapshot) {
	s := p.source
	if trust != policy.Untrusted {
		r := s.read(false)
		if !r.content.missing && trust == policy.TrustedByHost && setting != ProjectTrustPi && !l.vouched(own) {
			r = r.denials(noQuestion)
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
// the file, or decided to trust the main checkout of the worktree.
func (l *Loader) vouched(own checkout.Folder) bool {
	return l.created.has(own.Path) || l.Asked != nil && l.Asked(own.Path) ||
		own.Twin != "" && l.Decided != nil && l.Decided(own.Twin, false)
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

func merge(base floor, global *snapshot, files []counted, known *programs, now time.Time) (Result, time.Time) {
	l := base.under(stack(files, global.layer().over(builtIn())))
	pol, ends := l.policy(known, now)
	r := Result{
		Policy:         pol,
		Ended:          l.ended(now),
		Journal:        *l.journal,
		ProjectTrust:   base.projectTrust(global),
		BrokenPrograms: known.warnings,
	}
	own, theirs := known.layers.Files()
	for _, f := range append(own[:len(own):len(own)], theirs...) {
		r.Taught = append(r.Taught, f.Name)
	}
	r.Warnings = append(r.Warnings, base.warnings()...)
	r.Warnings = append(r.Warnings, global.warnings...)
	for _, c := range files {
		r.Warnings = append(r.Warnings, c.reading.warnings...)
	}
	r.Warnings = append(r.Warnings, known.warnings...)
	return r, ends
}
