package shell_test

import (
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

func FuzzBash(f *testing.F) {
	for _, command := range knownLines() {
		f.Add(command)
	}
	for _, piece := range hardTexts {
		f.Add(strings.Repeat(piece, 40))
	}
	f.Fuzz(func(t *testing.T, command string) {
		a := shell.Bash(command)
		sound(t, command, a)
		for _, c := range denyCases {
			if p, ok := shell.CompileDeny(c.pattern); ok {
				for _, u := range a.Units {
					p.Match(u)
				}
			}
		}
	})
}

func FuzzPowerShell(f *testing.F) {
	for _, command := range knownLines() {
		f.Add(command)
	}
	f.Fuzz(func(t *testing.T, command string) {
		sound(t, command, shell.PowerShell(command))
	})
}

func FuzzCompileDeny(f *testing.F) {
	for _, c := range denyCases {
		f.Add(c.pattern, c.denied[0])
	}
	f.Fuzz(func(t *testing.T, pattern, command string) {
		p, ok := shell.CompileDeny(pattern)
		for _, u := range shell.Bash(command).Units {
			if match := p.Match(u); match && (!ok || p.Program() != u.Program) {
				t.Errorf("%q matches %q of program %q", pattern, u.Text, u.Program)
			}
		}
	})
}
