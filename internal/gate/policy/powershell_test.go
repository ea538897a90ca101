package policy

import (
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// PowerShell itself is not at hand to judge, so lines are made from pieces of
// what is dangerous and of what is harmless (testdata/powershell.txt): the
// first must never pass, the second must.

// powershellPieces are the sections of the file of pieces.
func powershellPieces(t *testing.T) map[string][]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "powershell.txt"))
	if err != nil {
		t.Fatal(err)
	}
	all, section := map[string][]string{}, ""
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "== "); ok {
			section = name
		} else if line != "" && section != "" {
			all[section] = append(all[section], strings.NewReplacer("⏎", "\n", "␠", "").Replace(line))
		}
	}
	return all
}

// filled returns the frame with the pieces that next gives in its holes.
func filled(frame string, next func() string) string {
	for strings.Contains(frame, "◆") {
		before, after, _ := strings.Cut(frame, "◆")
		piece := next()
		if strings.Contains(piece, "#") && after != "" && !strings.HasPrefix(after, "\n") {
			piece += "\n"
		}
		frame = before + piece + after
	}
	return frame
}

func one(random *rand.Rand, list []string) string { return list[random.Intn(len(list))] }

// disguised writes a line with other blanks, dashes, quotes and letters that
// PowerShell takes for the same.
func disguised(random *rand.Rand, line string) string {
	if random.Intn(3) == 0 && !strings.Contains(line, "#") {
		line = strings.Replace(line, " ", one(random, []string{"  ", "\t", "\u00a0", "\u2003", " <# b #> ", " `\n"}), 1+random.Intn(3))
	}
	if random.Intn(3) == 0 {
		line = strings.Replace(line, " -", " "+one(random, []string{"\u2013", "\u2014", "\u2015"}), 1)
	}
	if random.Intn(4) == 0 && strings.Count(line, `"`) == 2 && !strings.Contains(line, "'") {
		line = strings.Replace(strings.Replace(line, `"`, "\u201c", 1), `"`, "\u201d", 1)
	}
	if random.Intn(4) == 0 && !strings.Contains(line, "bash") { // whose options are letters in their own case
		line = strings.ToUpper(line)
	}
	return line
}

// framed puts a piece into one frame, and the result into another at times.
func framed(random *rand.Rand, piece string, frames, outer []string) string {
	line := filled(one(random, frames), func() string { return piece })
	if random.Intn(2) == 0 {
		line = filled(one(random, outer), func() string { return line })
	}
	return disguised(random, line)
}

func powershellVerdict(p *Policy, command string) Verdict {
	r := newRequest("powershell", map[string]string{"command": command})
	r.OS, r.Cwd, r.Root, r.Home = "windows", `C:\proj`, `C:\proj`, `C:\Users\u`
	return Evaluate(p, Derive(r), nil)
}

// preciseRules are allow rules for commands, one a line, under precise
// redirections.
func preciseRules(t *testing.T, commands string, deny ...string) *Policy {
	t.Helper()
	rules := []string{"+edit:*"}
	for line := range strings.Lines(commands) {
		rules = append(rules, "+shell:"+strings.TrimSpace(line))
	}
	for _, d := range deny {
		rules = append(rules, "-shell:"+d)
	}
	s := DefaultSettings()
	s.Redirections = RedirectionsPrecise
	return policyWith(t, s, rules...)
}

const usualPowerShell = `echo *
	git *
	gi *
	gci *
	gps *
	gc *
	Get-*
	Write-*
	Select-*
	Where-Object *
	ForEach-Object *
	Sort-Object *
	Out-String *
	Measure-Object *
	Test-Path *
	% *
	\? *
	foreach *
	where *
	sort *
	group *
	select *
	ft *
	npm *
	dotnet *
	pwsh *
	& *
	.\build.ps1 *`

func TestPowerShellDangersNeverPass(t *testing.T) {
	pieces := powershellPieces(t)
	values, statements, valueFrames, frames := pieces["dangerous values"], pieces["dangerous statements"], pieces["frames of a value"], pieces["frames of a statement"]
	policies := map[string]*Policy{"usual rules": preciseRules(t, usualPowerShell), "shell:*": preciseRules(t, "*")}
	judged := 0
	check := func(line string) {
		judged++
		for name, p := range policies {
			if v := powershellVerdict(p, line); v.Effect == Allow {
				t.Errorf("with %s %q passes", name, line)
			}
		}
	}
	for _, s := range statements {
		check(s)
	}
	for _, v := range values {
		for _, f := range valueFrames {
			if !strings.Contains(f, "'◆'") || !strings.Contains(v, "'") {
				check(filled(f, func() string { return v }))
			}
		}
	}
	for seed := range int64(5) {
		random := rand.New(rand.NewSource(seed))
		for range 2000 {
			if v, f := one(random, values), one(random, valueFrames); !strings.Contains(f, "'◆'") || !strings.Contains(v, "'") {
				check(framed(random, v, []string{f}, frames))
			}
			check(framed(random, one(random, statements), frames, frames))
		}
	}
	if t.Logf("%d lines judged", judged); judged < 20000 {
		t.Error("too few lines")
	}
}

func TestPowerShellDeniedIsNeverAllowed(t *testing.T) {
	pieces := powershellPieces(t)
	denied, judged := 0, 0
	for _, c := range []struct {
		rule, ways string
		least      float64 // the share that is denied, not only asked about
	}{{"git push *", "ways to push", 0.6}, {"Remove-Item -Recurse *", "ways to remove", 0.9}, {"ri -Recurse *", "ways to remove", 0.9}} {
		p := preciseRules(t, "*", c.rule)
		before, of := denied, judged
		for seed := range int64(5) {
			random := rand.New(rand.NewSource(seed))
			for range 1500 {
				line := framed(random, one(random, pieces[c.ways]), pieces["frames of a statement"], pieces["frames of a statement"])
				judged++
				switch powershellVerdict(p, line).Effect {
				case Allow:
					t.Errorf("%q passes beside a deny rule for %s", line, c.rule)
				case Deny:
					denied++
				case Ask, Pass:
				}
			}
		}
		if share := float64(denied-before) / float64(judged-of); share < c.least {
			t.Errorf("%s: only %.0f %% are denied", c.rule, 100*share)
		}
	}
	t.Logf("%d of %d lines denied, the others ask", denied, judged)
}

// TestPowerShellUnknownWordsAsk: what a deny rule could mean is asked about, under
// every name of the command.
func TestPowerShellUnknownWordsAsk(t *testing.T) {
	for _, rule := range []string{"Remove-Item .env *", "del .env *", "rm .env *"} {
		p := preciseRules(t, "*", rule)
		for line, want := range map[string]Effect{
			`ri $x`: Ask, `del (gc f)`: Ask, `rm "$x"`: Ask, `gci | % { erase $_ }`: Ask, `Remove-Item $env:X`: Ask, `rd @(gc f)`: Ask,
			`$x = ".env"; ri $x`: Deny, `del .env`: Deny, `ri a.txt`: Allow, `$x = "a.txt"; ri $x`: Allow, `foreach ($f in "a", "b") { rm $f }`: Allow, `Get-Content $x`: Allow,
		} {
			if v := powershellVerdict(p, line); v.Effect != want {
				t.Errorf("%q beside a deny rule for %s: %s, want %s", line, rule, v.Effect, want)
			}
		}
	}
}

// TestPowerShellTargets: a deny rule for edits sees the files that the line tells.
func TestPowerShellTargets(t *testing.T) {
	s := DefaultSettings()
	s.Redirections = RedirectionsPrecise
	p := policyWith(t, s, "+shell:*", "+edit:*", "-edit:.env*")
	for line, want := range map[string]Effect{
		`echo x > .env`: Deny, `$f = ".env"; echo x > $f`: Deny, `foreach ($f in "a", ".env") { echo x >> $f }`: Deny, `$f = "env"; echo x 2> ".$f"`: Deny, `'x' > .env`: Deny, `echo x *> (".env")`: Deny,
		`echo x > a`: Allow, `echo x > $f`: Ask, `$f = "a"; echo x > $f`: Ask, `echo x > *`: Ask, `echo x > $null`: Allow, `echo x 2>&1`: Allow,
	} {
		if v := powershellVerdict(p, line); v.Effect != want {
			t.Errorf("%q: %s, want %s", line, v.Effect, want)
		}
	}
}

func TestPowerShellHarmlessPasses(t *testing.T) {
	pieces := powershellPieces(t)
	p := preciseRules(t, usualPowerShell, "git push *", "Remove-Item *")
	passed, judged := 0, 0
	var asked []string
	for seed := range int64(5) {
		random := rand.New(rand.NewSource(seed))
		for range 2000 {
			line := filled(one(random, pieces["plain frames"]), func() string {
				command := one(random, pieces["plain commands"])
				for range random.Intn(4) {
					command += " " + one(random, pieces["plain words"])
				}
				return command + one(random, pieces["plain tails"])
			})
			judged++
			if v := powershellVerdict(p, line); v.Effect == Allow {
				passed++
			} else if len(asked) < 12 {
				asked = append(asked, line+"\n\t"+v.Reasons[0].Detail+" "+v.Reasons[0].Resource)
			}
		}
	}
	t.Logf("%d of %d harmless lines pass", passed, judged)
	if passed < judged*97/100 {
		t.Errorf("too few pass; of those that ask:\n%s", strings.Join(asked, "\n"))
	}
}
