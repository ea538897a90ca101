package shell

import (
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

func FuzzBash(f *testing.F) {
	for _, command := range seeds() {
		f.Add(command)
	}
	for _, piece := range hardTexts {
		f.Add(strings.Repeat(piece, 40))
	}
	f.Fuzz(func(t *testing.T, command string) {
		a := (newBuilder(catalog.Default())).bash(command) // without the net that Bash spans
		sound(t, command, a)
		for _, c := range denyCases {
			if p, ok := CompileDeny(c.pattern); ok {
				for _, u := range a.Units {
					p.Match(u)
				}
			}
		}
	})
}

func FuzzPowerShell(f *testing.F) {
	for _, command := range seeds() {
		f.Add(command)
	}
	f.Fuzz(func(t *testing.T, command string) {
		sound(t, command, (newBuilder(catalog.Default())).powershell(command))
	})
}

func FuzzCompileDeny(f *testing.F) {
	for _, c := range denyCases {
		f.Add(c.pattern, c.denied[0])
	}
	f.Fuzz(func(t *testing.T, pattern, command string) {
		p, ok := CompileDeny(pattern)
		for _, u := range Bash(command).Units {
			if match := p.Match(u); match && (!ok || p.Program() != u.Program) {
				t.Errorf("%q matches %q of program %q", pattern, u.Text, u.Program)
			}
		}
	})
}
