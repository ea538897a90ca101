package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pigate/pigate/internal/fileid"
	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/checkout"
	"github.com/pigate/pigate/internal/gate/config/disk"
)

// projectPrograms is the folder of a project's files about programs as people see
// it, and in slash form its place below the project's folder.
const projectPrograms = ".pi/pigate/programs"

// ProgramsOf returns the folders with files about programs, the person's own and
// the project's, for an agent folder and a project folder, both absolute.
func ProgramsOf(agentDir, root string) (own, project string) {
	return filepath.Join(agentDir, "pigate", "programs"), filepath.Join(root, filepath.FromSlash(projectPrograms))
}

// What one folder may hold.
const (
	maxPrograms    = 1000    // entries
	maxProgramSize = 1 << 20 // bytes of a file
)

// brokenPrograms is what follows from a broken file.
const brokenPrograms = "; until it is mended or taken away, no shell command runs that no rule spells out"

// folder is one of the two folders with files about programs, with what is
// remembered of it between readings. Its Loader's lock protects it.
type folder struct {
	path string // where it is
	name string // how people see it

	files map[string]*programFile // by base name
	now   *programTexts
	// good are the texts, by the names that people see, of the last readings in
	// which nothing was wrong with them. They stay in force while a file is broken.
	good map[string]string
}

// programFile is one file as it was last read.
type programFile struct {
	id   fileid.ID
	body string
	err  string
}

// programTexts are the files of a folder at one time. They do not change.
type programTexts struct {
	files []catalog.File
	wrong []Warning // about what cannot be read
}

func newFolder(path, name string) *folder {
	return &folder{path: path, name: name, good: map[string]string{}}
}

// read looks at the folder again. The same content gives the same texts.
func (f *folder) read() *programTexts {
	names, err := namesIn(f.path)
	next := &programTexts{}
	files := make(map[string]*programFile, len(names))
	for _, base := range names {
		shown := f.name + string(filepath.Separator) + base
		if f.name == projectPrograms {
			shown = f.name + "/" + base
		}
		file := f.files[base].look(filepath.Join(f.path, base))
		files[base] = file
		if file.err != "" {
			next.wrong = append(next.wrong, Warning{File: shown, Text: "the file cannot be read: " + file.err})
		}
		next.files = append(next.files, catalog.File{Name: shown, Text: file.body})
	}
	if err != nil {
		next.wrong = append(next.wrong, Warning{File: f.name, Text: "the folder cannot be read: " + disk.Cause(err)})
	}
	f.files = files
	if f.now == nil || !slices.Equal(f.now.files, next.files) || !slices.Equal(f.now.wrong, next.wrong) {
		f.now = next
	}
	return f.now
}

// look reads the file at path again, unless it is known to be as it was; the file
// may be nil.
func (f *programFile) look(path string) *programFile {
	if f != nil && f.id.Same(path) {
		return f
	}
	next := &programFile{id: fileid.Of(path, time.Now())}
	body, err := disk.Read(path)
	switch {
	case err != nil:
		next.err = disk.Cause(err)
	case len(body) > maxProgramSize:
		next.err = fmt.Sprintf("it is larger than %d MiB", maxProgramSize>>20)
	default:
		next.body = string(body)
	}
	return next
}

// namesIn lists the files about programs of a folder, in order; none where there
// is no folder. Hidden ones, which editors leave, are not among them.
func namesIn(path string) (names []string, err error) {
	if !filepath.IsAbs(path) {
		return nil, nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err = os.Lstat(path); err == nil {
			return nil, errors.New("it is a link to a folder that does not exist")
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, errors.New("it is no folder")
	}
	dir, err := disk.OpenFolder(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }() // nothing was written
	entries, err := dir.Readdirnames(maxPrograms + 1)
	for _, name := range entries {
		if name[0] != '.' && strings.EqualFold(filepath.Ext(name), ".toml") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	switch {
	case len(entries) > maxPrograms:
		return names, fmt.Errorf("it holds more than %d files", maxPrograms)
	case len(entries) == 0:
		return nil, nil // that it is empty comes as the error io.EOF
	}
	return names, err
}

// programs is what is known of programs at one time.
type programs struct {
	layers *catalog.Layers
	// warnings say what is wrong with the files; the first is what a verdict says.
	warnings []Warning

	own, project *programTexts // what it was made of
}

// broken is what is wrong, in one line; "" when nothing is.
func (p *programs) broken() string {
	if len(p.warnings) == 0 {
		return ""
	}
	return "a file about programs is broken: " + strings.TrimSuffix(p.warnings[0].String(), brokenPrograms)
}

// nearestPrograms is the first folder with files about programs among the
// project's own and those beside the other files that may count for it. None of
// them can loosen; two of them could contradict each other.
func (p *projectFiles) nearestPrograms(at checkout.Layout) (*folder, *programTexts) {
	own := p.folder.read()
	if len(own.files)+len(own.wrong) > 0 {
		return p.folder, own
	}
	for _, above := range at.Above {
		f := p.foldersAbove[above.Path]
		if f == nil {
			_, path := ProgramsOf("", above.Path)
			f = newFolder(path, path)
			p.foldersAbove[above.Path] = f
		}
		if texts := f.read(); len(texts.files)+len(texts.wrong) > 0 {
			return f, texts
		}
	}
	return p.folder, own
}

// readPrograms reads the folders again. While they keep their content the result
// stays the same.
func (l *Loader) readPrograms(p *projectFiles, at checkout.Layout) *programs {
	own := l.own.read()
	folder, project := p.nearestPrograms(at)
	if now := p.programs; now != nil && now.own == own && now.project == project {
		return now
	}
	next := &programs{own: own, project: project}
	layers, problems := catalog.NewLayers(own.files, project.files)
	unreadable := len(own.wrong) + len(project.wrong)
	if len(problems)+unreadable > 0 {
		// What is known of the files from before still counts.
		layers, _ = catalog.NewLayers(l.own.lastGood(own, problems), folder.lastGood(project, problems))
	} else {
		l.own.keep(own)
		folder.keep(project)
	}
	next.layers = layers
	for _, w := range append(own.wrong[:len(own.wrong):len(own.wrong)], project.wrong...) {
		w.Text += brokenPrograms
		next.warnings = append(next.warnings, w)
	}
	for _, problem := range problems {
		text := problem.Text
		if problem.Command != "" {
			text = problem.Command + ": " + text
		}
		next.warnings = append(next.warnings, Warning{File: problem.File, Line: problem.Line, Text: text + brokenPrograms})
	}
	if len(next.warnings) > maxWarnings {
		next.warnings = append(next.warnings[:maxWarnings:maxWarnings], Warning{File: l.own.name, Text: fmt.Sprintf("and %d more", len(next.warnings)-maxWarnings)})
	}
	p.programs = next
	return next
}

// keep remembers the texts as good ones.
func (f *folder) keep(t *programTexts) {
	clear(f.good)
	for _, file := range t.files {
		f.good[file.Name] = file.Text
	}
}

// lastGood returns the files with the last good text of those that are broken.
func (f *folder) lastGood(t *programTexts, problems []*catalog.Error) []catalog.File {
	files := slices.Clone(t.files)
	for i := range files {
		name := files[i].Name
		bad := slices.ContainsFunc(problems, func(p *catalog.Error) bool { return p.File == name }) ||
			slices.ContainsFunc(t.wrong, func(w Warning) bool { return w.File == name })
		if text, known := f.good[name]; bad && known {
			files[i].Text = text
		}
	}
	return files
}
