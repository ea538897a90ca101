package touch_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/paths"
	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/touch"
)

// judged are the programs that the judge runs, where the machine has them.
var judged = []string{"cp", "mv", "ln", "rm", "rmdir", "mkdir", "touch", "truncate", "tee", "install", "dd", "sed", "sort", "uniq", "shuf", "split", "csplit",
	"shred", "unlink", "link", "chmod", "gzip", "gunzip", "bzip2", "xz", "tar", "zip", "unzip", "git mv", "git rm", "perl",
	"patch", "git init", "git archive", "git apply", "git checkout", "git restore", "git clone"}

// unfit are options that wait, that have no end, or that make a program another one.
var unfit = []string{"-f", "--follow", "-F", "--retry", "-i", "-I", "--help", "--version", "--files0-from", "-s", "--exec-path", "-e", "-E"}

// TestJudge runs commands that are made of the catalogue's operands and options, in a
// folder of their own, and holds that every file which changed is one that the
// command was said to write or delete. PIGATE_JUDGE_SEED takes the place of the
// seed.
func TestJudge(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the catalogue's options are those of GNU's programs")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	runs := 800
	if testing.Short() {
		runs = 200
	}
	seed := uint64(11)
	if text := os.Getenv("PIGATE_JUDGE_SEED"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("PIGATE_JUDGE_SEED is %q, want a number", text)
		}
	}
	random := rand.New(rand.NewPCG(seed, 7))
	var programs []string
	for _, name := range judged {
		if _, err := exec.LookPath(strings.Fields(name)[0]); err == nil {
			programs = append(programs, name)
		}
	}
	if len(programs) == 0 {
		t.Fatal("none of the programs is there")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := sandbox{top: top, bash: bash}
	before := s.fresh(t)
	changed, by := 0, map[string]int{}
	for n := range runs {
		program := programs[n%len(programs)]
		command := madeCommand(random, program)
		output := s.run(command)
		after := s.listing(t)
		list := differences(before, after)
		if len(list) == 0 {
			continue
		}
		changed++
		by[program]++
		if missing := s.unsaid(command, list, before, after); len(missing) > 0 {
			t.Errorf("%s\n changed %s\n     said %s\n%s", command, strings.Join(missing, " "), touched(shell.Bash(command), command, s.place()), output)
		}
		before = s.fresh(t)
	}
	t.Logf("%d of %d commands changed files: %v", changed, runs, by)
	if changed < runs/5 {
		t.Errorf("only %d of %d commands changed a file: that judges little", changed, runs)
	}
	if len(by) < len(programs)/2 {
		t.Errorf("only %d of %d programs changed a file", len(by), len(programs))
	}
}

// madeCommand makes one command line of a program.
func madeCommand(random *rand.Rand, program string) string {
	words := strings.Fields(program)
	p := catalog.Lookup(words[0])
	c, _ := p.Sub(words[1:]...)
	line := words
	options := slices.DeleteFunc(slices.Clone(c.Visible()), func(o *catalog.Option) bool {
		return o.IsOperand() || o.Guard != nil && o.Guard.Kind == catalog.KindExec || slices.ContainsFunc(o.Names, func(n string) bool { return slices.Contains(unfit, n) })
	})
	if len(c.With) > 0 && random.IntN(2) == 0 { // those that change what operands are
		w := c.With[random.IntN(len(c.With))]
		if name := w.Options[random.IntN(len(w.Options))]; c.Option(name) == nil || c.Option(name).Value != catalog.AnyValue {
			line = append(line, name)
		}
	}
	for range max(random.IntN(4)-1, 0) {
		if len(options) == 0 {
			break
		}
		o := options[random.IntN(len(options))]
		name := o.Names[random.IntN(len(o.Names))]
		value := "1"
		if o.Role.Reads() || o.Role.Writes() || o.Role == catalog.RoleFolder || o.Role == catalog.RolePlace {
			value = madeName(random)
		}
		switch {
		case o.Value == catalog.NoValue || o.Value == catalog.Attached:
			line = append(line, name)
		case o.Value == catalog.AnyValue && strings.HasPrefix(name, "--") && random.IntN(2) == 0:
			line = append(line, name+"="+value)
		case o.Value == catalog.AnyValue:
			line = append(line, name, value)
		}
	}
	line = append(line, madeOperands(random, program, c)...)
	command := strings.Join(line, " ")
	switch random.IntN(8) {
	case 0:
		command = "cd d && " + command
	case 1:
		command = "cd d; " + command
	case 2:
		command = "(cd d && " + command + ")"
	}
	return command
}

func madeOperands(random *rand.Rand, program string, c *catalog.Command) (list []string) {
	switch program {
	case "dd":
		return []string{"if=" + madeName(random), "of=" + madeName(random), "status=none"}
	case "sed":
		list = append(list, "s/x/y/")
	case "chmod":
		list = append(list, []string{"600", "755", "u+x"}[random.IntN(3)])
	case "perl":
		list = append(list, "-pi", "-e", "s/x/y/")
	case "csplit":
		return []string{madeName(random), "2"}
	case "tar":
		mode := []string{"cf", "xf", "-cf", "-xf", "czf", "xzf", "-tf", "rf", "--create -f"}[random.IntN(9)]
		archive := []string{"a.tar", "d/n.tar", "../o/a.tar"}[random.IntN(3)]
		list = append(list, mode, archive)
		if strings.Contains(mode, "x") || strings.Contains(mode, "t") {
			return list
		}
	case "unzip":
		return append(list, "-o", "a.zip")
	case "git apply":
		return []string{"p.patch"}
	case "patch":
		return []string{"-i", "p.patch"}
	case "git clone":
		return []string{".", madeName(random)}
	case "git checkout", "git restore":
		list = append(list, "--")
	case "git archive":
		return append(list, "-o", madeName(random), "HEAD")
	}
	for range 1 + random.IntN(3) {
		list = append(list, madeName(random))
	}
	return list
}

// names of files that are there, of folders, and of files that are not there.
var names = strings.Fields(`a b c.txt .env d d/x d/y d/ ./a d/../b ../o/z ../o e e/f n1 d/n2 ../o/n3 "$PWD/a" "$PWD"/n4 ~/h ~/n5 l lz z.gz d/*.t ? {a,b} ./d/. .`)

func madeName(random *rand.Rand) string { return names[random.IntN(len(names))] }

// sandbox is a folder in which commands run.
type sandbox struct{ top, bash string }

func (s sandbox) place() paths.Place {
	return paths.Place{OS: "linux", Cwd: s.top + "/w", Home: s.top + "/home"}
}

// fresh makes the files anew and lists them.
// The first time is the pattern of the others.
func (s sandbox) fresh(t *testing.T) map[string]string {
	t.Helper()
	if _, err := os.Stat(s.top + "/kept"); err == nil {
		cmd := exec.Command(s.bash, "-c", "chmod -R u+rwX w o home; rm -rf w o home && cp -a kept/. .")
		cmd.Dir = s.top
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return s.listing(t)
	}
	script := `mkdir -p w/d w/e o home && cd w && echo ax > a && echo bx > b && printf 'c\nx\ncc\n' > c.txt && echo x > .env && echo x > d/x && echo y > d/y && echo t > d/u.t &&
echo f > e/f && echo z > ../o/z && echo h > ../home/h && ln -s a l && ln -s ../o lz && gzip -c a > z.gz && cp z.gz d/v.gz && tar cf a.tar a d && cp a.tar ../o/a.tar &&
printf -- '--- a\n+++ a\n@@ -1 +1 @@\n-ax\n+az\n' > p.patch && git init -q . && git add a b d e && git -c user.name=n -c user.email=e commit -qm m && { zip -q a.zip b d/x || true; } && cd .. && mkdir kept && cp -a w o home kept`
	cmd := exec.Command(s.bash, "-c", script)
	cmd.Dir = s.top
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the sandbox cannot be made: %v\n%s", err, out)
	}
	return s.listing(t)
}

func (s sandbox) run(command string) string {
	cmd := exec.Command(s.bash, "-c", command)
	cmd.Dir = s.top + "/w"
	cmd.Env = append(os.Environ(), "HOME="+s.top+"/home", "LC_ALL=C")
	cmd.Stdin = strings.NewReader("x\n")
	out, _ := cmd.CombinedOutput()
	return string(out[:min(len(out), 300)])
}

// listing is what is known of each file by its path: kind, mode, content.
func (s sandbox) listing(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	err := filepath.WalkDir(s.top, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			if p != s.top {
				list[p] += " unreadable"
				return nil
			}
			return err
		}
		if p == s.top+"/kept" {
			return fs.SkipDir
		}
		if strings.HasSuffix(p, "/.git") {
			list[p] = ""
			return fs.SkipDir // the index changes with every command of git
		}
		info, err := e.Info()
		if err != nil {
			return nil
		}
		list[p] = info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			content, _ := os.ReadFile(p)
			list[p] += fmt.Sprintf(" %x %d", sha256.Sum256(content), info.ModTime().UnixNano())
		case info.Mode()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(p)
			list[p] += " " + to
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func differences(before, after map[string]string) (list []string) {
	for p, was := range before {
		if is, there := after[p]; !there || is != was {
			list = append(list, p)
		}
	}
	for p := range after {
		if _, there := before[p]; !there {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return list
}

// unsaid lists the files among those that changed which the command was not said
// to write or delete. A folder that comes or goes with such a file, and a file behind a link that
// was named, are said with it.
func (s sandbox) unsaid(command string, changed []string, before, after map[string]string) (missing []string) {
	a := shell.Bash(command)
	line := touch.NewLine(&a, command, s.place())
	var said []touch.Touch
	for i := range a.Units {
		for _, t := range line.Unit(i) {
			if t.Action.Writes() {
				said = append(said, t)
			}
		}
	}
	covers := func(p string) bool {
		for _, t := range said {
			for above, first := p, true; len(above) > len(s.top); above, first = filepath.Dir(above), false {
				if (first || t.Reach == touch.Tree || t.Reach == touch.Below) && t.Path.May(above, "/none", "", false, false) {
					return true
				}
				link := ""
				switch { // the links of the sandbox
				case above == s.top+"/o" || strings.HasPrefix(above, s.top+"/o/"):
					link = s.top + "/w/lz" + strings.TrimPrefix(above, s.top+"/o")
				case above == s.top+"/w/a":
					link = s.top + "/w/l"
				}
				if link != "" && (first || t.Reach == touch.Tree || t.Reach == touch.Below) && t.Path.May(link, "/none", "", false, false) {
					return true
				}
			}
		}
		return false
	}
	for _, p := range changed {
		ok := covers(p)
		if !ok && strings.HasPrefix(after[p]+before[p], "d") {
			ok = slices.ContainsFunc(changed, func(q string) bool { return strings.HasPrefix(q, p+"/") && covers(q) })
		}
		if !ok {
			missing = append(missing, p)
		}
	}
	return missing
}
