package shell

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/bash"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

// Bash reads a command line as bash would. It never fails: what cannot be read
// is told by Analysis.Unparsed. The time it takes is proportional to the text,
// which is not parsed when it exceeds MaxLength or MaxDepth.
func (r Reader) Bash(command string) model.Analysis { return r.analyse(command, (*builder).bash) }

// analyse runs one of the readers. The parser is not ours, and a fault in it
// must not end the gate: the command is unparsed then.
func (r Reader) analyse(command string, read func(*builder, string) model.Analysis) (a model.Analysis) {
	defer func() {
		if fault := recover(); fault != nil {
			a = model.Analysis{Unparsed: "it makes the analysis fail"}
		}
	}()
	return read(newBuilder(r.known()), command)
}

func (b *builder) bash(command string) model.Analysis {
	if problem := bash.Measure(command); problem != "" {
		b.unparsed(command, problem)
		return b.finish()
	}
	b.wide = strings.Contains(command, "GLOBIGNORE")
	b.root, b.current = source{b: b, text: command}, -1
	if err := b.read(&b.root, place{parent: -1}); err != nil {
		b.refuse(err.Error())
	}
	b.settle()
	b.dashNames()
	if b.refused != "" { // what the parser found still counts for deny rules
		b.unparsed(command, b.refused)
	}
	return b.finish()
}
