package catalog_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// TestEmbedded: every program that this binary knows can be read.
func TestEmbedded(t *testing.T) {
	if _, err := catalog.New(catalog.Embedded()); err != nil {
		t.Fatal(err)
	}
	if n := len(catalog.Default().Programs()); n < 500 {
		t.Errorf("%d programs", n)
	}
}

func read(t *testing.T, text string) *catalog.Catalog {
	t.Helper()
	c, err := catalog.New([]catalog.File{{Name: "f", Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestDocumentedTool reads the example of docs/programs.md.
func TestDocumentedTool(t *testing.T) {
	page, err := os.ReadFile("../../../docs/programs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```toml\n")
	text, _, found := strings.Cut(text, "```")
	if !found || strings.Count(text, "\n") > 11 {
		t.Fatalf("no example of ten lines: %q", text)
	}
	p := read(t, text).Lookup("shipit")
	if p == nil || p.Depth != 1 || len(p.Secrets) != 1 {
		t.Fatalf("shipit is %+v", p)
	}
	if o := p.Option("--report"); o == nil || o.Value != catalog.AnyValue || o.Role != catalog.RoleWrite || o.Guard == nil || o.Guard.Unless != "inside" {
		t.Errorf("--report is %+v", o)
	}
	if c, n := p.Sub("deploy", "now"); n != 1 || c.Guard == nil || c.Guard.Kind != catalog.KindNet || c != p.Subs["up"] {
		t.Errorf("deploy is %v after %d words", c, n)
	}
	if c, _ := p.Sub("exec"); c.Runs == nil || c.Runs.Operands != 1 {
		t.Errorf("exec is %+v", c)
	}
	if p.Classes["status"] != catalog.ClassLooks {
		t.Errorf("the classes are %v", p.Classes)
	}
}

// TestErrors: what is wrong is said with the file, the line and the program.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[a]\nx = 1\n", `f:2: a: unknown field "x"`},
		{"[a]\n[\"a b\"]\ndepth = 1\n", `f:3: a b: unknown field "depth" of a subcommand`},
		{"[a]\n\n[b]\n[a]\n", `f:4: a: a is told already, at f:1`},
		{"[a]\nnames = \"b\"\n[b]\n", `f:3: b: b is told already, at f:1`},
		{"[a]\n[a]\n", `f:2: a: this heading stands twice`},
		{"[a]\noptions = \"-x\"\noptions = \"-y\"\n", `f:3: a: "options" stands twice`},
		{"[a]\noptions = \"-x -y,-x\"\n", `f:2: a: the option -x is told twice`},
		{"[a]\noptions = \"-x\"\n[a.guard]\n\"-x\" = { exec = \"runs\" }\n", `f:4: a: the option -x is told twice`},
		{"[a]\n[a.guard]\n\"-x\" = { run = \"runs\" }\n", `f:3: a: unknown field "run" of a guarded entry`},
		{"[a]\n[a.guard]\n\"-x\" = { unless = \"empty\" }\n", `f:3: a: "-x" says no kind`},
		{"[a]\n[a.guard]\n\"-x=\" = { exec = \"runs\", unless = \"happy\" }\n", `f:3: a: there is no test "happy"`},
		{"[a]\ncheck = \"happy\"\n", `f:2: a: there is no check "happy"`},
		{"[a]\nruns = { reader = \"happy\" }\n", `f:2: a: there is no reader "happy"`},
		{"[a]\nruns = { operands = \"one\" }\n", `f:2: a: "operands" has the wrong type or value`},
		{"[a]\noptions = \"-o=happy\"\n", `f:2: a: "-o=happy": a value is no happy`},
		{"[a]\nclass = \"happy\"\n", `f:2: a: "class" has the wrong type or value`},
		{"[a]\nstyle = \"happy\"\n", `f:2: a: "style" has the wrong type or value`},
		{"[a]\nlike = \"b\"\n", `f:2: a: like names no program: "b"`},
		{"[a]\nlike = \"b\"\n[b]\nlike = \"a\"\n", `likenesses go round in a circle`},
		{"[a]\noptions = \n", `f:2: `},
		{"x = 1\n[a]\n", `f: "x = 1" stands before the first heading`},
		{"[\"a b\"]\n", `f:1: a b: the program's own heading must come first`},
		{"[a]\ndepth = 1 # one\nnames = 'b'\n", `f:3: a: names stand in one line`},
	} {
		_, err := catalog.New([]catalog.File{{Name: "f", Text: c.text}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
}

func TestLike(t *testing.T) {
	c := read(t, `[a]
names = "b"
depth = 1
class = "looks"
options = "-x,--long= -y"
[a.guard]
"run" = { exec = "runs" }
["a run"]
options = "-z="
["a box run"]
like = "a run"
[c]
like = "a"
options = "-x"
["c run"]
options = "-q"
`)
	p := c.Lookup("c")
	if o := p.Option("-x"); o == nil || o.Value != catalog.NoValue {
		t.Errorf("-x of c is %+v", o)
	}
	if o := p.Option("--long"); o == nil || o.Value != catalog.AnyValue || len(o.Names) != 1 {
		t.Errorf("--long of c is %+v", o)
	}
	run, _ := p.Sub("run")
	if run.Guard == nil || run.Option("-z") == nil || run.Option("-q") == nil {
		t.Errorf("run of c is %+v", run)
	}
	if box, n := c.Lookup("a").Sub("box", "run"); n != 2 || box.Option("-z") == nil || box.Guard == nil {
		t.Errorf("box run is %+v", box)
	}
	if p.Class != "" || !slices.Equal(p.Names, []string{"c"}) {
		t.Errorf("c has the class %q and the names %q", p.Class, p.Names)
	}
}

func TestOptions(t *testing.T) {
	c := read(t, `[a]
depth = 1
options = "-v --in[=] -D*write of=*write -Wl,* -d,--del -f -B>-d,-f -p[=secret]"
subcommand-options = "-s="
["a one,two|three"]
options = "-o="
[b]
inherit = true
options = "-i="
["b sub"]
["python -m json.tool|x"]
options = "--indent="
`)
	a := c.Lookup("a")
	for name, want := range map[string]catalog.Value{"-v": catalog.NoValue, "--in": catalog.Attached, "-D": catalog.Rest, "of=": catalog.Rest,
		"-Wl,": catalog.Rest, "--del": catalog.NoValue, "-p": catalog.Attached} {
		if o := a.Option(name); o == nil || o.Value != want {
			t.Errorf("%s is %+v", name, o)
		}
	}
	if o := a.Option("-B"); !slices.Equal(o.For, []string{"-d", "-f"}) {
		t.Errorf("-B stands for %q", o.For)
	}
	if !a.Option("of=").IsOperand() || a.Option("-D").IsOperand() {
		t.Error("what is an operand's beginning is not told apart")
	}
	if a.Subs["one"] != a.Subs["two"] || a.Subs["one"] == a.Subs["three"] || a.Subs["two"].Name() != "one" {
		t.Errorf("subcommands are %v", a.Subs)
	}
	if visible := a.Subs["three"].Visible(); len(visible) != 2 {
		t.Errorf("three has %d options", len(visible))
	}
	if sub, _ := c.Lookup("b").Sub("sub"); sub.Option("-i") == nil {
		t.Error("an option is not inherited")
	}
	if c.Module("json.tool").Option("--indent") == nil || c.Module("x") != c.Module("json.tool") || c.Lookup("python") != nil {
		t.Error("modules are not read")
	}
	if c.Lookup("a-1.2") != a || c.Exact("a-1.2") != nil {
		t.Error("a version at the end of a name is not taken off")
	}
}
