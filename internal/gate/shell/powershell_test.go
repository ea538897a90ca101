package shell_test

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pigate/pigate/internal/gate/shell"
	"github.com/pigate/pigate/internal/gate/shell/model"
)

var powershellCases = []struct {
	name    string
	command string
	want    []string
}{
	{"simple", "Get-ChildItem -Recurse", []string{"Get-ChildItem -Recurse"}},
	{"chains", "a; b && c || d | e\nf", []string{"a", "b", "c", "d", "e", "f"}},
	{"backslash is no escape", `echo "C:\dir\"; rm -rf x`, []string{`echo "C:\dir\"`, "rm -rf x"}},
	{"backtick is", "echo a`;b; c d`(e f` g", []string{"echo a`;b", "c d`(e f` g"}},
	{"quotes", `echo 'a; b' "c; d" 'it''s; e' "f""; g"`, []string{`echo 'a; b' "c; d" 'it''s; e' "f""; g"`}},
	{"curly quotes", "echo \u2018a; b\u2019", []string{"echo \u2018a; b\u2019"}},
	{"subexpressions", `echo "$(a)" $(b) (c) @(d)`, []string{`echo "$(a)" $(b) (c) @(d)`, "$(…): a", "$(…): b", "(…): c", "$(…): d"}},
	{"script blocks", "gci | % { a $_ }", []string{"gci", "% { a $_ }", "{…}: a $_"}},
	{"filter", "gci | ? { $_.Length -gt 5 }", []string{"gci", "? { $_.Length -gt 5 }"}},
	{"call", `& "a" b; & 'c'; . ./d.ps1; & { e }`, []string{`& "a" b`, "& 'c'", ". ./d.ps1", "{…}: e"}},
	{"assignment", "$x = a b; $y = 1; $env:PATH += 'x'", []string{"$x = a b", "$y = 1", "$env:PATH += 'x'"}},
	{"control flow", "if (a) { b } elseif (c) { d } else { e }; foreach ($i in f) { g }; while ($true) { h }; try { i } catch { j } finally { k }; switch ($x) { 1 { l } }; do { m } while (n)",
		[]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"}},
	{"return", "return a", []string{"a"}},
	{"hash table", "a @{ x = b y; z = 'c' }", []string{"a @{ x = b y; z = 'c' }", "@{…}: b y"}},
	{"here-strings", "echo @'\na; b\n$(c)\n'@\necho @\"\nd; e\n\"@", []string{"echo @'\na; b\n$(c)\n'@", "echo @\"\nd; e\n\"@"}},
	{"comments", "a # b; c\n<# d; e #> f", []string{"a", "f"}},
	{"continued", "a `\n b", []string{"a b"}},
	{"odd blanks", "a\u00a0b\u2003c \u0085d", []string{"a b c d"}},
	{"call of a result", "$x = & a; b && & c | & d", []string{"$x = & a", "b", "& c", "& d"}},
	{"lists", "a b, c ,d,\n e | f", []string{"a b, c ,d, e", "f"}},
	{"parameters", "a -b:c -d.e -f\"g h\" –i —j:$k", []string{"a -b:c -d.e -f\"g h\" –i —j:$k"}},
	{"words with variables", "a $env:X\\b $x/c d$x$(e)f \"$x.y $(g)\"", []string{"a $env:X\\b $x/c d$x$(e)f \"$x.y $(g)\"", "$(…): e", "$(…): g"}},
	{"numbers", "a \"$(b 2024-03-19)\"; \"$x°\"", []string{"a \"$(b 2024-03-19)\"", "$(…): b 2024-03-19"}},
	{"properties", "a $x.b.c $x[0].d $x[$i]; $_.e", []string{"a $x.b.c $x[0].d $x[$i]"}},
	{"redirections", "a > f 2>&1 *> $null", []string{"a > f 2>&1 *> $null"}},
	{"expression text", `iex "a; b"; Invoke-Expression 'c'`, []string{`iex "a; b"`, "invoke-expression: a", "invoke-expression: b", "Invoke-Expression 'c'", "invoke-expression: c"}},
	{"nested shells", `pwsh -c "a; b"; cmd /c "c & d"; bash -c 'e && f'`,
		[]string{`pwsh -c "a; b"`, "pwsh: a", "pwsh: b", `cmd /c "c & d"`, "cmd /c: c", "cmd /c: d", `bash -c 'e && f'`, "bash -c: e", "bash -c: f"}},
	{"start", `Start-Process git -ArgumentList "push","origin" -NoNewWindow`, []string{`Start-Process git -ArgumentList "push","origin" -NoNewWindow`, "start-process: git push origin"}},
	{"background", "a & b", []string{"a", "b"}},
	{"expressions", "'text'; $x; 1 + 2; -not $y; 'a','b' -join ','; (1..3)[0]; \"$x\" -like 'y*' -and !($z -eq 0x1f)", nil},
}

func TestPowerShellUnits(t *testing.T) {
	for _, c := range powershellCases {
		t.Run(c.name, func(t *testing.T) {
			a := shell.PowerShell(c.command)
			if a.Unparsed != "" {
				t.Fatalf("unparsed: %s", a.Unparsed)
			}
			got := texts(a)
			if c.name == "control flow" {
				for i, u := range a.Units {
					got[i] = u.Text
				}
			}
			if c.name == "return" {
				for i, u := range a.Units {
					got[i] = u.Text
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("units of %q (-want +got):\n%s", c.command, diff)
			}
			sound(t, c.command, a)
		})
	}
}

func TestPowerShellAliasesInViews(t *testing.T) {
	for command, view := range map[string]string{
		`ri -Recurse C:\d`: `Remove-Item -Recurse C:\d`, "rm x": "Remove-Item x", "Remove-Item x": "del x", "IEX x": "Invoke-Expression x",
		"gci | % { del y }": "Remove-Item y", `& "ri" z`: "Remove-Item z", "$x = erase w": "Remove-Item w",
	} {
		if !slices.ContainsFunc(shell.PowerShell(command).Units, func(u model.Unit) bool { return slices.Contains(u.Views, view) }) {
			t.Errorf("%q has no view %q", command, view)
		}
	}
}

func TestPowerShellDeny(t *testing.T) {
	p, ok := shell.CompileDeny("Remove-Item -Recurse *")
	if !ok {
		t.Fatal("not compiled")
	}
	for command, want := range map[string]bool{
		"Remove-Item x -Recurse": true, "remove-item -rec x": true, "ri -Force -Recurse x": true, "del x -r": true, "Remove-Item x": false, "Get-Item -Recurse": false,
		"Remove-Item -Recurse:$true x": true,
	} {
		if got := slices.ContainsFunc(shell.PowerShell(command).Units, p.Match); got != want {
			t.Errorf("%q matches: %v, want %v", command, got, want)
		}
	}
}

// TestPowerShellOptionsOfUnix: a rule with the options of rm means them, and not
// parameters that begin like them.
func TestPowerShellOptionsOfUnix(t *testing.T) {
	for command, want := range map[string]bool{"ri x -r": false, "ri x -Recurse": false, "ri x -Force": false, "rm -r x": false, "ri x -r -Force": true, "rm -rf x": true} {
		if got := isDenied("rm -rf *", shell.PowerShell(command)); got != want {
			t.Errorf("rm -rf * denies %q: %v", command, got)
		}
	}
}

func TestPowerShellOpaque(t *testing.T) {
	for _, command := range []string{"& $x", "& (a)", "iex $x", "a | iex", "pwsh -EncodedCommand AA", "pwsh -ec AA", ". $x", "$x = 'git'; & $x a", "git $x", "git $(a)", "git -C d $x", "a | python3", "a | bash", "sal a b",
		"set-variable a b", "saps -foo git", "saps $x"} {
		if !anyOpaque(shell.PowerShell(command)) {
			t.Errorf("%q is not opaque: %+v", command, shell.PowerShell(command).Units)
		}
	}
	for _, command := range []string{"a $x", "a (b)", "a *.txt", "$x = 1", "gci | % { $_.Name }", "git log $x", "$x = 'log'; git $x", "python3 x.py", "a | python3 x.py"} {
		if a := shell.PowerShell(command); anyOpaque(a) || a.Unparsed != "" {
			t.Errorf("%q asks: %s %+v", command, a.Unparsed, a.Units)
		}
	}
}

func TestPowerShellRedirections(t *testing.T) {
	for command, want := range map[string][]string{
		"a > f":               {">f"},
		"a 2>&1":              {">&1 free"},
		"a *>> 'f g'":         {">>f g"},
		"a > $null 2> $NULL":  {">$null free", ">$null free"},
		"a > $f":              {">\x00 ?"},
		"a > f*":              {">f* ?"},
		"$f = 'x'; a > $f":    {">x ?"},
		"a > $d/x 2> y":       {">\x00/x ?", ">y"},
		"if (x) { a > f }":    {">f"},
		"'text' > f":          {">f"},
		"a -gt 3":             nil,
		"$x -gt 3 > g":        {">g"},
		`echo "$(b > h)" > i`: {">h", ">i"},
	} {
		if diff := cmp.Diff(want, writes(shell.PowerShell(command))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", command, diff)
		}
	}
}

func TestPowerShellGuards(t *testing.T) {
	for command, rule := range map[string]string{
		"Add-Type -Path x": "Add-Type *", "New-Object x": "new-object *", "ii x": "Invoke-Item *", "Register-ObjectEvent x": "Register-ObjectEvent *", "ipmo x": "ipmo *", "nmo x": "",
		"ndr x": "New-PSDrive *", "$env:PATH = 'x'": "$env:PATH=*", "$env:FOO += 'x'": "", "${env:FOO}='x'": "", "saps a -RedirectStandardOutput f": "", "ni alias:x": "New-Item alias:x *", "sc -Path function:x y": "",
		"copy a,env:x": "", "rni FileSystem::Alias::x y": "", "cd alias:": "", "si x y": "Set-Item *",
	} {
		u := shell.PowerShell(command).Units[0]
		if len(u.Hazards) == 0 || u.Transparent {
			t.Errorf("%q has no hazard: %+v", command, u)
			continue
		}
		if u.Hazards[0].NamedBy("*") || rule != "" && !u.Hazards[0].NamedBy(rule) {
			t.Errorf("%q: a rule %q, and none less, names %+v", command, rule, u.Hazards[0])
		}
	}
	for _, command := range []string{"Get-Item x", "gci env:PATH", "Test-Path alias:x", "Get-Content function:x", "$x = 'env:'", "git add env:x", "Get-Process", "saps a", "gci -ErrorAction Stop", "echo -o x"} {
		if u := shell.PowerShell(command).Units[0]; len(u.Hazards) > 0 {
			t.Errorf("%q has hazards: %+v", command, u.Hazards)
		}
	}
}

// TestPowerShellValues: a deny rule sees what the line itself tells of a word,
// in any order, and any way of writing it.
func TestPowerShellValues(t *testing.T) {
	for pattern, commands := range map[string][]string{
		"git push *": {
			"$f='push'; git $f", "git $f; $f='push'", "$f='log'; $f='push'; git $f", "if (a) { $f='push' }; git $f", "foreach ($f in 'log','push') { git $f }", "for ($f='push'; $true; ) { git $f }",
			"$a='pu'; $f=\"${a}sh\"; git $f", "$f='pu'+'sh'; git $f", "git $('push')", "git @('push')", "git ('push')", "git (echo push)", "git pu$('sh')", "$f='push','x'; git $f", "git $null push", "git '' push",
			"git '\"push\"'", "$g='git'; & $g push", "$h='a','b'; foreach ($x in $h) { $y = 'push' }; git $y", "git –C x push", "iex \"git push\"", "$f='push'; iex \"git $f\"", "iex '$f=\"push\"'; git $f",
			"start git push", "saps -Args push -FilePath git", "saps -FilePath:git -ArgumentList:push", "saps -ErrorAction Stop git push,x", "Start-Process git -ArgumentList 'push x'", "sal g git; g push", "$x = $y = 'push'; git $x, $y; git $y",
			"while (a) { git $f; $f = \"$g\"; $g = 'push' }", "pwsh –c '$f=\"push\"; git $f'", "g'it' push", "&'git' push", "&(echo git) push", "git.EXE push", "C:\\bin\\git.exe push", "$x = git push", "'a' | % { git push }", "gi`t push",
			"git @'\npush\n'@",
		},
		"Remove-Item -Recurse *": {"ri x –Recurse", "rm x -r", "del -rec x", "Microsoft.PowerShell.Management\\Remove-Item -Recurse x", "ri x —r:$true", "rd -Rec x", "REMOVE–ITEM x -Recurse", "rm -r x", "$f='x'; ri $f -recurse"},
		"rm -rf *":               {"Remove-Item -Recurse -Force x", "ri -r -fo x", "rm -rf x", "del x –Force –Recurse"},
		"ri -Recurse *":          {"Remove-Item x -rec", "rm -r x"},
		"Remove-Item .env *":     {"ri x, .env", "$f = '.env', 'x'; ri $f", "'.env' | % { ri .env }", "del .env,x"},
		"Get-Content *":          {"content x", "type x", "gc x", "cat x"},
		"Start-Process *":        {"start x", "saps x"},
		"ri *":                   {"Remove-Item x", "erase x"},
	} {
		for _, command := range commands {
			a := shell.PowerShell(command)
			sound(t, command, a)
			if !isDenied(pattern, a) && !isDenied(strings.ToLower(pattern), a) {
				t.Errorf("%q does not match %q: %q", command, pattern, texts(a))
			}
		}
	}
}

func TestPowerShellUnparsed(t *testing.T) {
	for _, command := range []string{`a "b; rm x`, "a 'b; rm x", "a ( b; rm x", "a { b; rm x", "rm x )", "<# rm x", "rm x; a @'\nb", "rm x; a\x00",
		"rm x; a @{b=", "rm x; $y =", "rm x; a |", "rm x; a &&", "rm x; foreach ($y in", "rm x; a $(", "rm x; \"$(", "rm x; ${y", "rm x; a[", "rm x; [y", "rm x; a `", "rm x; a \"`", "rm x; -", "rm x; 1 +", "rm x; @", "rm x; a @\"\nb$("} {
		a := shell.PowerShell(command)
		if a.Unparsed == "" {
			t.Errorf("%q is parsed: %+v", command, a.Units)
		}
		if !slices.ContainsFunc(a.Units, func(u model.Unit) bool { return slices.Contains(u.Views, "rm x") }) {
			t.Errorf("%q does not show rm x: %q", command, texts(a))
		}
		sound(t, command, a)
	}
}

// powershellTokens are what the reading of PowerShell's text hinges on.
var powershellTokens = []string{"a", "b", " ", " ", "\n", ";", "|", "&", "&&", ",", "(", ")", "{", "}", "[", "]", "$(", "@(", "@{", "${", "$x", "$x=", "$env:x", "=", "+=", "'", `"`, "“", "’", "`", "`\n", "@'\n", "\n'@", "@\"\n", "\n\"@",
	"#", "<#", "#>", ".", "::", ".b(", "-", "--", "–x", "-eq ", "-not ", "-x:", "!", "+", "1", "1.5", "..", ">", "2>", ">&1", "<", "@x", "%", "?", "if(", "foreach($y in ", "switch(", "function f", "return ", "try{", "iex 'a", "saps ", "git ", "ri ", "\u00a0", "é", "\x00"}

// TestPowerShellSoup throws pieces of syntax together: there is an answer, and
// it is sound.
func TestPowerShellSoup(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	for range 30000 {
		var b strings.Builder
		for range 1 + random.Intn(16) {
			b.WriteString(powershellTokens[random.Intn(len(powershellTokens))])
		}
		command := b.String()
		sound(t, command, shell.PowerShell(command))
	}
}
