// Package knowledge shows what is known of programs, and where each fact comes
// from.
package knowledge

import (
	"cmp"
	"slices"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// From is who says a fact.
type From string

// The sources of facts.
const (
	FromPigate  From = "pigate"  // this binary
	FromOwn     From = "own"     // a file of the person
	FromProject From = "project" // a file of the project
)

// Place is where a fact stands. The file of one that this binary brings is the
// name of a file of its sources.
type Place struct {
	From From   `json:"from"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// Known is what is known of programs at one place.
type Known struct {
	layers *catalog.Layers
	from   map[string]From // by the names of files
}

// New shows what the layers know.
func New(layers *catalog.Layers) *Known {
	k := &Known{layers: layers, from: map[string]From{}}
	own, project := layers.Files()
	for _, f := range own {
		k.from[f.Name] = FromOwn
	}
	for _, f := range project {
		k.from[f.Name] = FromProject
	}
	return k
}

func (k *Known) place(p catalog.Place) Place {
	from, file := k.from[p.File], p.File
	if from == "" {
		from, file = FromPigate, p.File+".toml"
	}
	return Place{from, file, p.Line}
}

// Line is one program in a list.
type Line struct {
	Program string   `json:"program"`
	Names   []string `json:"names"` // its other names
	Class   string   `json:"class"` // "" when it depends on the subcommand, or is not told
	// Places are where it is told of: first where it is known from, then each file
	// that says more.
	Places []Place `json:"places"`
}

// List returns every program by name; with taught only those that a file of the
// person or of the project tells of.
func (k *Known) List(taught bool) []Line {
	lines := []Line{}
	for _, p := range k.layers.Full().Programs() {
		line := Line{Program: p.Names[0], Names: append([]string{}, p.Names[1:]...), Class: string(p.Class)}
		for _, at := range k.layers.Full().Places(p.Names[0]) {
			line.Places = append(line.Places, k.place(at))
		}
		if !taught || slices.ContainsFunc(line.Places, func(p Place) bool { return p.From != FromPigate }) {
			lines = append(lines, line)
		}
	}
	slices.SortFunc(lines, func(a, b Line) int { return cmp.Compare(a.Program, b.Program) })
	return lines
}
