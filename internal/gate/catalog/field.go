package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// field sets one field of a command, or of the program.
func (b *builder) field(at *Command, f fact) error {
	v, key, ok := f.entry.value, f.entry.key, true
	switch key {
	case "options":
		words, ok := v.words()
		if !ok {
			return f.at.wrongAt(f.entry.at, "options are words")
		}
		return b.options(at, f, words)
	case "subcommand-options":
		words, ok := v.words()
		if !ok {
			return f.at.wrongAt(f.entry.at, "options are words")
		}
		all := &Command{Path: at.Path}
		err := b.options(all, f, words)
		at.SubOptions = all.Options
		return err
	case "style":
		at.Style, ok = styles[v.text]
		b.styled[at] = true
	case "subcommand-style":
		at.subStyle, ok = styles[v.text]
		at.subStyle++
	case "inherit":
		at.Inherit, ok = v.yes()
	case "options-first":
		at.OptionsFirst, ok = v.yes()
	case "operands-first":
		at.OperandsFirst, ok = v.yes()
	case "end-at":
		at.EndAt, ok = v.words()
	case "same-as":
		if at.Same, ok = v.words(); len(f.path) == 0 {
			return f.at.wrongAt(f.entry.at, "a program has no subcommand's effect")
		}
	case "shorten":
		at.Shorten, ok = v.yes()
	case "fold":
		at.Fold, ok = v.yes()
	case "check":
		if at.Check = v.text; at.Check == "none" {
			at.Check = ""
		} else if Checks[at.Check] == "" {
			return f.at.wrongAt(f.entry.at, "there is no check %q", v.text)
		}
	case "operands":
		var problem string
		if at.Operands, problem = toOperands(v); problem != "" {
			return f.at.wrongAt(f.entry.at, "%s", problem)
		}
	case "effects":
		words, isWords := v.words()
		ok, at.Effects = isWords, 0
		for _, word := range words {
			effect, known := effects[word]
			if !known {
				return f.at.wrongAt(f.entry.at, "there is no effect %q", word)
			}
			at.Effects |= effect
		}
	case "hosts":
		at.Hosts, ok = v.yes()
	case "objects":
		at.Objects, ok = v.yes()
	case "lists-files":
		at.ListsFiles, ok = v.some()
	case "writes-numbers":
		at.WritesNumbers, ok = v.some()
	case "runs":
		var err error
		if at.Runs, err = toRuns(f.at, f.entry.at, v.table); err != nil {
			return err
		}
		ok = v.kind == unstable.InlineTable
	case "subcommands":
		words, isWords := v.words()
		ok = isWords
		for _, word := range words {
			named := f
			named.path = append(slices.Clone(f.path), word)
			if _, err := b.command(named); err != nil {
				return err
			}
		}
	default:
		if len(f.path) > 0 {
			return f.at.wrongAt(f.entry.at, "unknown field %q of a subcommand", key)
		}
		return b.programField(f)
	}
	if !ok {
		return f.at.wrongAt(f.entry.at, "%q has the wrong type or value", key)
	}
	return nil
}

func (b *builder) programField(f fact) (err error) {
	p, v, ok := b.program, f.entry.value, true
	layer, told := b.told[f.entry.key]
	over := told && layer/lower > f.layer/lower // a catalogue below tells it too
	b.told[f.entry.key] = f.layer
	problem := ""
	switch f.entry.key {
	case "names":
		words, isWords := v.words()
		if ok = isWords; ok && !b.source.decoded && !slices.Equal(words, p.Names[1:]) && f.layer == 0 {
			return f.at.wrongAt(f.entry.at, `names stand in one line, as in names = "a b", or in a list of strings`)
		}
	case "depth":
		before := p.Depth
		if p.Depth, ok = v.number(); over && p.Depth < before {
			problem = fmt.Sprintf("the depth is %d already, and a file of yours can only make it more", before)
		}
	case "deeper":
		before := p.Deeper
		if p.Deeper, ok = v.words(); over {
			p.Deeper = append(before[:len(before):len(before)], p.Deeper...)
		}
	case "help":
		p.Help, ok = v.words()
	case "any-order":
		p.AnyOrder, ok = v.yes()
	case "leaves-files":
		p.LeavesFiles, ok = v.some()
	case "makes-links":
		p.MakesLinks, ok = v.some()
	case "signals":
		p.Signals, ok = v.yes()
	case "input":
		p.Input, err = toInput(f.at, v.table)
	case "class":
		before := p.Class
		p.Class = Class(v.text)
		ok, problem = slices.Contains(classes, p.Class), lowered(before, p.Class, over)
	case "draft":
		before := p.Draft
		p.Draft = Draft(v.text)
		if ok = slices.Contains(drafts, p.Draft); b.source.below != nil && f.layer < lower && p.Draft != before && p.Draft != DraftNever {
			problem = `of a program that is known already a file of yours can only say draft = "never"`
		}
	case "secrets":
		if !over {
			p.Secrets = nil
		}
		ok = v.kind == unstable.Array
		for _, item := range v.list {
			place, err := toSecret(f.at, f.entry.at, item)
			if err != nil {
				return err
			}
			p.Secrets = append(p.Secrets, place)
		}
	default:
		return f.at.wrongAt(f.entry.at, "unknown field %q", f.entry.key)
	}
	if err == nil && !ok {
		return f.at.wrongAt(f.entry.at, "%q has the wrong type or value", f.entry.key)
	}
	if err == nil && problem != "" {
		return f.at.wrongAt(f.entry.at, "%s", problem)
	}
	return err
}

// lowered is the problem when a class that a catalogue below tells becomes a less
// risky one.
func lowered(before, after Class, over bool) string {
	if over && slices.Index(classes, after) < slices.Index(classes, before) {
		return fmt.Sprintf("the class is %q already, and a file of yours can only name a more risky one", before)
	}
	return ""
}

// classes reads one entry of the table of classes.
func (b *builder) classes(f fact) error {
	class := Class(f.entry.key)
	texts, ok := f.entry.value.texts()
	if f.entry.value.kind == unstable.String {
		texts = []string{f.entry.value.text}
	}
	if !slices.Contains(classes, class) || !ok {
		return f.at.wrongAt(f.entry.at, "there is no class %q", f.entry.key)
	}
	if b.program.Classes == nil {
		b.program.Classes = map[string]Class{}
	}
	for _, text := range texts {
		for words := range strings.SplitSeq(text, "|") {
			words = strings.Join(strings.Fields(words), " ")
			layer, told := b.told["class of "+words]
			over := told && layer/lower > f.layer/lower
			if problem := lowered(b.program.Classes[words], class, over); problem != "" {
				return f.at.wrongAt(f.entry.at, "%q: %s", words, problem)
			}
			b.program.Classes[words], b.told["class of "+words] = class, f.layer
		}
	}
	return nil
}
