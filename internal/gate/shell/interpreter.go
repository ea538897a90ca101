package shell

import (
	"slices"
	"strings"
)

// interpreter is a program that runs code, or commands of its own language, which
// it reads from its input when its words name none.
type interpreter struct {
	programs string
	// values are the options that take the next word when nothing is attached,
	// code those that give it the code, or leave nothing to run. Both without
	// the dash of single letters, with both of long ones.
	values, code string
	// rest are letters whose value is the rest of their word.
	rest string
	// words tells that options are words after one dash.
	words bool
	// operands is how many operands leave the input unread; 0 is one.
	operands int
	// dash tells that it reads its input only when an operand is "-".
	dash bool
	// sub are subcommands to step over.
	sub string
}

// always is more operands than a command has.
const always = 1 << 30

// interpreters is written from the programs' manuals.
var interpreters = []interpreter{
	{programs: "python pypy ipython", values: "W X --check-hash-based-pycs", code: "c m V h --version --help"},
	{programs: "perl", values: "I", rest: "MmiFxDC", code: "e E v V h"},
	{programs: "ruby", values: "r I C E", rest: "iFKTWx", code: "e v h --version --help"},
	{programs: "php", values: "d c z t", code: "r B R E f F v i m h S --run --version --help --ini"},
	{programs: "node nodejs tsx ts-node", values: "r C --require --import --loader --experimental-loader --conditions --env-file --title --stack-trace-limit",
		code: "e p v h --eval --print --test --run --version --help --v8-options"},
	{programs: "deno bun", sub: "run test eval", dash: true},
	{programs: "lua luajit texlua", values: "l", code: "e v"},
	{programs: "r rscript littler", values: "g", code: "e f --file --version --help --args"},
	{programs: "julia", values: "t p O C J", code: "e E v h L --eval --print --version --help"},
	{programs: "tclsh wish expect", code: "c f v"},
	{programs: "osascript", values: "l s", code: "e"},
	{programs: "groovy scala kotlin jshell clojure clj", words: true, values: "-cp -classpath", code: "-e -v -version -help -m -M --version --help"},
	{programs: "ocaml guile racket gst csi chicken-csi ghci", values: "l I", code: "e c s f v --version --help"},
	{programs: "sbcl clisp", code: "x --script --version --help", values: "--core --eval --load"},
	{programs: "elixir iex erl", code: "e v S --eval --version --help", values: "--erl --name --sname"},
	{programs: "irb pry", operands: always, code: "v h --version --help"},
	{programs: "octave gnuplot maxima", code: "e --eval --version --help V"},
	{programs: "ed ex gdb lldb", operands: always, code: "--version --help --batch"},
	{programs: "dc", code: "e f V h --expression --file --version --help"},
	{programs: "psql", operands: always, code: "c f l V ? --command --file --list --version --help"},
	{programs: "mysql mariadb", operands: always, values: "u h P D S", rest: "p", code: "e V ? --execute --version --help"},
	{programs: "sqlite3 sqlite duckdb", words: true, operands: 2, values: "-cmd -separator -newline -nullvalue -init -mmap -maxsize -lookaside -vfs", code: "-version -help -c -s"},
	{programs: "mongo mongosh", operands: always, code: "f --eval --file --version --help"},
	{programs: "clickhouse-client cqlsh sqlcmd sqlplus", operands: always, code: "e f q Q i --query --execute --file --version --help"},
	{programs: "redis-cli", values: "h p a n u s i r", code: "v --version --help --eval"},
}

var interpreterOf = func() map[string]*interpreter {
	all := map[string]*interpreter{}
	for i := range interpreters {
		for _, program := range strings.Fields(interpreters[i].programs) {
			all[program] = &interpreters[i]
		}
	}
	return all
}()

// codeFiles are options of other programs whose value "-" means that they run
// what their input holds.
var codeFiles = map[string]string{"make": "-f --file --makefile", "gmake": "-f --file --makefile", "awk": "-f --file", "gawk": "-f --file", "mawk": "-f",
	"sed": "-f --file", "gsed": "-f --file"}

// fedCode marks a unit that runs what it reads from its input: a question even
// where a rule allows the program, since the rule says nothing of the code.
func (s *source) fedCode(i int, program string, args []Arg, in feed) {
	if in.stmt == nil {
		return
	}
	if k := slices.IndexFunc(args, func(a Arg) bool { return a.writes }); k > 0 {
		if _, fed := readsCode(program, args[:k+1]); fed {
			s.b.opaque(i, "it runs what a command writes")
			return
		}
	}
	fd, fed := readsCode(program, args)
	if !fed {
		return
	}
	switch found := s.input(&in, fd); found.how {
	case inputHere:
		if !found.text.Literal {
			s.b.opaque(i, "it runs what it reads from its input")
			return
		}
		h := Hazard{Flag: found.from.Op.String(), Why: "runs code given on standard input", Kind: KindExec, word: found.text.Text, form: formWord}
		h.Start, h.End = s.b.out.Units[i].Start, s.b.out.Units[i].End
		u := &s.b.out.Units[i]
		u.Hazards = append(u.Hazards, h)
	case inputPipe:
		s.b.opaque(i, "it runs what it reads from its input")
	case inputFile:
		if !found.text.Literal {
			s.b.opaque(i, "it runs what it reads from its input")
		}
	case inputNone: // what the agent's shell has as its input: nothing
	}
}

// readsCode reports whether the program takes what it runs from its input.
func readsCode(program string, args []Arg) (fd string, ok bool) {
	if names := codeFiles[program]; names != "" {
		return "", readsFile(names, args)
	}
	known := interpreterOf[program]
	if known == nil {
		if known = interpreterOf[strings.TrimRight(program, "0123456789.-")]; known == nil {
			return "", false
		}
	}
	return known.reads(args[1:])
}

func readsFile(names string, args []Arg) bool {
	for k := 1; k < len(args); k++ {
		t := args[k].Text
		name, value, given := strings.Cut(t, "=")
		switch {
		case hasField(names, t) && k+1 < len(args):
			value = args[k+1].Text
		case given && hasField(names, name):
		case strings.HasPrefix(t, "-f") && len(t) > 2:
			value = t[2:]
		default:
			continue
		}
		if value == "-" || value == "/dev/stdin" {
			return true
		}
	}
	return false
}

// reads reports whether the words leave the code to the input, and to which
// descriptor, "" being the standard input.
func (n *interpreter) reads(args []Arg) (fd string, ok bool) {
	operands := 0
	for k := 0; k < len(args); k++ {
		t := args[k].Text
		if fd, ok := inputDescriptor(t); ok && operands == 0 {
			return fd, true
		}
		switch {
		case t == "-" || operands == 0 && args[k].writes:
			return "", true
		case t == "--":
			if k+1 < len(args) && args[k+1].Text != "-" {
				operands++
			}
			return "", !n.dash && operands < max(n.operands, 1)
		case len(t) > 1 && t[0] == '-':
			given, next := n.option(t)
			if given {
				return "", false
			}
			if next {
				k++
			}
		case operands == 0 && hasField(n.sub, t):
		default:
			operands++
			if operands >= max(n.operands, 1) {
				return "", false
			}
		}
	}
	return "", !n.dash
}

// option reads one option word: whether it gives the code, and whether the next
// word is its value.
func (n *interpreter) option(t string) (given, next bool) {
	if t[1] == '-' || n.words {
		name, _, attached := strings.Cut(t, "=")
		return slices.Contains(strings.Fields(n.code), name), !attached && hasField(n.values, name)
	}
	for j := 1; j < len(t); j++ {
		switch letter := t[j : j+1]; {
		case hasField(n.code, letter):
			return true, false
		case hasField(n.values, letter):
			return false, j+1 == len(t)
		case strings.Contains(n.rest, letter):
			return false, false
		}
	}
	return false, false
}
