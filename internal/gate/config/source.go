package config

import (
	"bytes"
	"errors"
	"io/fs"
	"time"

	"github.com/pigate/pigate/internal/fileid"
	"github.com/pigate/pigate/internal/gate/config/disk"
	"github.com/pigate/pigate/internal/gate/rule"
)

// source is one of the two files with what is remembered of it between
// readings. Its Loader's lock protects it.
type source struct {
	path   string // where it is
	name   string // how people see it
	global bool

	content content
	reading *snapshot
	id      fileid.ID // of the file when content was read
	// goodDeny and goodAsk are the deny and ask rules of the last valid reading. They outlive the
	// file's removal, so that a file that is written anew in a broken form does
	// not lose them on the way.
	goodDeny, goodAsk []rule.Rule
	// given are the warnings that were handed out as new.
	given map[string]bool
}

// content is what was found at the path of a file.
type content struct {
	body []byte
	// err is "" for a file that could be read and for one that is missing.
	err     string
	missing bool
	// seedErr is why the missing file could not be created.
	seedErr string
}

func (c content) equal(o content) bool {
	return c.err == o.err && c.missing == o.missing && c.seedErr == o.seedErr && bytes.Equal(c.body, o.body)
}

// snapshot is what one content of a file amounts to. It does not change, except
// that denials keeps its result.
type snapshot struct {
	name     string // of the file as people see it
	global   bool
	content  content
	parsed   *fileValues // nil when there was nothing to parse
	invalid  bool
	why      Warning // the first reason of an invalid file
	warnings []Warning
	// keptDeny and keptAsk are the deny and ask rules that stay in force of a file
	// that otherwise does not count.
	keptDeny, keptAsk []rule.Rule
	// denyOnly reports that nothing else of the file counts; onlyDenials is what
	// denials made of this reading.
	denyOnly    bool
	because     string
	onlyDenials *snapshot
}

// noQuestion is why a project's file counts for its deny and ask rules only.
const noQuestion = "nobody was asked whether this project is trusted; " + TrustHint

// TrustHint says what makes a file count that has FileState.DenyOnly.
const TrustHint = `use /trust in Pi, or "` + keyProjectTrust + `": "` + ProjectTrustPi + `" in the global file`

// denials returns what the file amounts to when its deny and ask rules alone
// count: they join those of the global file, since replacing them would widen
// access. A reason becomes a warning. The same reading gives the same result for
// the same reason. The Loader's lock is held.
func (r *snapshot) denials(because string) *snapshot {
	if r.onlyDenials == nil || r.onlyDenials.because != because {
		only := *r
		only.denyOnly, only.because = true, because
		if because != "" {
			only.warnings = append([]Warning{{File: r.name, Text: "only its deny and ask rules count, because " + because}}, r.warnings...)
		}
		if !r.invalid {
			only.keptDeny, only.keptAsk = r.parsed.deny.counting(), r.parsed.ask.counting()
		}
		r.onlyDenials = &only
	}
	return r.onlyDenials
}

// projectTrust is what a reading of the global file says about the trust in
// projects: ProjectTrustAsked, unless a valid file says otherwise.
func (r *snapshot) projectTrust() string {
	if r.invalid || r.parsed == nil || r.parsed.projectTrust == nil {
		return ProjectTrustAsked
	}
	return *r.parsed.projectTrust
}

// read looks at the file again. The same content gives the same reading.
func (s *source) read(seeding bool) *snapshot {
	now := s.look()
	if now.missing && seeding {
		if err := seed(s.path); err != nil {
			now.seedErr = disk.Cause(err)
		} else {
			now = s.look()
		}
	}
	if s.reading == nil || !now.equal(s.content) {
		s.content, s.reading = now, s.interpret(now)
	}
	return s.reading
}

func (s *source) look() content {
	if s.reading != nil && s.id.Same(s.path) {
		return s.content
	}
	s.id = fileid.Of(s.path, time.Now())
	body, err := disk.Read(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return content{missing: true}
	case err != nil:
		return content{err: disk.Cause(err)}
	}
	return content{body: body}
}

func (s *source) interpret(c content) *snapshot {
	r := &snapshot{name: s.name, global: s.global, content: c}
	switch {
	case c.seedErr != "":
		r.warnings = []Warning{{File: s.name, Text: "the file could not be created with the defaults: " + c.seedErr}}
	case c.err != "":
		r.invalid, r.why = true, Warning{File: s.name, Text: "the file cannot be read: " + c.err}
		r.warnings = []Warning{{File: s.name, Text: r.why.Text + consequence}}
	case !c.missing:
		r.parsed = parse(c.body, s.name, s.global)
		r.invalid, r.why = r.parsed.invalid, r.parsed.why
		r.warnings = r.parsed.warnings
	}
	var deny, ask []rule.Rule
	if r.parsed != nil {
		deny, ask = r.parsed.deny.counting(), r.parsed.ask.counting()
	}
	switch {
	case r.invalid:
		r.keptDeny, r.keptAsk = union(deny, s.goodDeny), union(ask, s.goodAsk)
	case r.parsed != nil:
		s.goodDeny, s.goodAsk = deny, ask
	}
	return r
}

// news returns those of the warnings that were not handed out before.
func (s *source) news(warnings []Warning) []Warning {
	var fresh []Warning
	for _, w := range warnings {
		if text := w.String(); !s.given[text] {
			if s.given == nil {
				s.given = map[string]bool{}
			}
			s.given[text] = true
			fresh = append(fresh, w)
		}
	}
	return fresh
}

// union returns the rules of both lists, each text once with the same end.
func union(first, second []rule.Rule) []rule.Rule {
	seen := make(map[string]bool, len(first))
	all := first[:len(first):len(first)]
	key := func(r rule.Rule) string { return r.Text + "\x00" + r.Until.String() }
	for _, r := range first {
		seen[key(r)] = true
	}
	for _, r := range second {
		if k := key(r); !seen[k] {
			seen[k] = true
			all = append(all, r)
		}
	}
	return all
}
