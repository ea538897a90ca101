package argv_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// takes are the options of the program that the table tests read.
var takes = map[string]catalog.Value{
	"-a": catalog.NoValue, "-b": catalog.NoValue, "-o": catalog.AnyValue, "-i": catalog.Attached, "-t": catalog.TwoValues,
	"--all": catalog.NoValue, "--out": catalog.AnyValue, "--pair": catalog.TwoValues, "-name": catalog.AnyValue, "--plain=a": catalog.NoValue,
}

func table(style catalog.Style) argv.Table[string] {
	return argv.Table[string]{Style: style, Find: func(name string) (string, catalog.Value, bool) {
		v, known := takes[name]
		return name, v, known
	}}
}

func words(text string) (list []argv.Arg) {
	for _, w := range strings.Fields(text) {
		list = append(list, argv.Arg{Text: strings.ReplaceAll(w, "…", "\x00"), Literal: true})
	}
	return list
}

func show(found []argv.Found[string], next int) string {
	var b strings.Builder
	for _, f := range found {
		b.WriteString(f.Name)
		if !f.Known {
			b.WriteString("?")
		}
		if f.Given {
			fmt.Fprintf(&b, "=%s@%d:%d", f.Value, f.Word, f.At)
		}
		b.WriteString(" ")
	}
	return strings.ReplaceAll(fmt.Sprint(b.String(), "next ", next), "\x00", "…")
}

func TestTableRead(t *testing.T) {
	for _, c := range []struct {
		style       catalog.Style
		words, want string
	}{
		{catalog.StyleGNU, "-a x", "-a next 1"},
		{catalog.StyleGNU, "-ab x", "-a -b next 1"},
		{catalog.StyleGNU, "-abo x y", "-a -b -o=x@1:0 next 2"},
		{catalog.StyleGNU, "-abox y", "-a -b -o=x@0:4 next 1"},
		{catalog.StyleGNU, "-o=x", "-o==x@0:2 next 1"},
		{catalog.StyleGNU, "-o", "-o next 1"},
		{catalog.StyleGNU, "-i x", "-i next 1"},
		{catalog.StyleGNU, "-ix", "-i=x@0:2 next 1"},
		{catalog.StyleGNU, "-t x y z", "-t=x@1:0 next 3"},
		{catalog.StyleGNU, "-tx y z", "-t=x@0:2 next 2"},
		{catalog.StyleGNU, "-t x", "-t=x@1:0 next 2"},
		{catalog.StyleGNU, "--out=x y", "--out=x@0:6 next 1"},
		{catalog.StyleGNU, "--out x y", "--out=x@1:0 next 2"},
		{catalog.StyleGNU, "--pair x y z", "--pair=x@1:0 next 3"},
		{catalog.StyleGNU, "--pair=x y z", "--pair=x@0:7 next 2"},
		{catalog.StyleGNU, "--odd x", "--odd? next 1"},
		{catalog.StyleGNU, "--odd=x y", "--odd?=x@0:6 next 1"},
		{catalog.StyleGNU, "--plain=a y", "--plain=a next 1"},
		{catalog.StyleGNU, "-name x", "-name=x@1:0 next 2"},
		{catalog.StyleGNU, "-az…o x", "-a -z? -…? next 1"},
		{catalog.StyleWords, "-ab x", "-ab? next 1"},
		{catalog.StyleWords, "-o=x", "-o=x@0:3 next 1"},
		{catalog.StyleLetters, "-ox y", "-o=x@0:2 next 1"},
		{catalog.StyleLetters, "-ax y", "-ax? next 1"},
		{catalog.StyleNopt, "-a false x", "-a=false@1:0 next 2"},
		{catalog.StyleNopt, "--odd null x", "--odd?=null@1:0 next 2"},
		{catalog.StyleNopt, "-ab true x", "-a -b=true@1:0 next 2"},
		{catalog.StyleCmdlet, "-name:x y", "-name=x@0:6 next 1"},
	} {
		if got := show(table(c.style).Read(words(c.words), 0)); got != c.want {
			t.Errorf("style %d, %s: %s, want %s", c.style, c.words, got, c.want)
		}
	}
}

func TestTableBundle(t *testing.T) {
	for text, want := range map[string]string{
		"aob x y":  "-a -o=x@1:0 -b next 2",
		"oo x y z": "-o=x@1:0 -o=y@2:0 next 3",
		"oz x":     "-o=x@1:0 -z? next 2",
		"o":        "-o next 1",
		"@ao x":    "next 0",
		"-ao x":    "next 0",
		"a…o x":    "-a next 1",
		"ai x":     "-a -i next 1",
	} {
		if got := show(table(catalog.StyleBundled).Bundle(words(text), 0)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// An option that spares a word leaves it to be read by itself.
func TestTableSpares(t *testing.T) {
	reader := table(catalog.StyleGNU)
	reader.Spares = func(option, word string) bool { return option == "-o" && word == "--all" }
	if got, want := show(reader.Read(words("-o --all x"), 0)), "-o next 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
