package shell

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var powershellCases = []struct {
	name    string
	command string
	want    []string
}{
	{"simple", "Get-ChildItem -Recurse", []string{"Get-ChildItem -Recurse"}},
	{"chains", "a; b && c || d | e\nf", []string{"a", "b", "c", "d", "e", "f"}},
	{"backslash is no escape", `echo "C:\dir\"; rm -rf x`, []string{`echo "C:\dir\"`, "rm -rf x"}},
	{"backtick is", "echo `\"; a`\"", []string{"echo `\"", "a`\""}},
	{"quotes", `echo 'a; b' "c; d" 'it''s; e' "f""; g"`, []string{`echo 'a; b' "c; d" 'it''s; e' "f""; g"`}},
	{"curly quotes", "echo \u2018a; b\u2019", []string{"echo \u2018a; b\u2019"}},
	{"subexpressions", `echo "$(a)" $(b) (c) @(d)`, []string{`echo "$(a)" $(b) (c) @(d)`, "$(…): a", "$(…): b", "(…): c", "$(…): d"}},
	{"script blocks", "gci | % { a $_ }", []string{"gci", "% { a $_ }", "{…}: a $_"}},
	{"filter", "gci | ? { $_.Length -gt 5 }", []string{"gci", "? { $_.Length -gt 5 }"}},
	{"method", "gci | % { $_.Delete() }", []string{"gci", "% { $_.Delete() }", "{…}: $_.Delete()"}},
	{"static method", `[IO.File]::Delete("x")`, []string{`[IO.File]::Delete("x")`}},
	{"call", `& "a" b; & 'c'; . ./d.ps1; & { e }`, []string{`& "a" b`, "& 'c'", ". ./d.ps1", "{…}: e"}},
	{"assignment", "$x = a b; $y = 1; $env:PATH += 'x'", []string{"$x = a b", "$y = 1", "$env:PATH += 'x'"}},
	{"control flow", "if (a) { b } elseif (c) { d } else { e }; foreach ($i in f) { g }; while ($true) { h }; try { i } catch { j } finally { k }; switch ($x) { 1 { l } }; do { m } while (n)",
		[]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"}},
	{"functions", "function f { a }; filter g { b }; f", []string{"a", "b", "f"}},
	{"return", "return a", []string{"a"}},
	{"hash table", "a @{ x = b y; z = 'c' }", []string{"a @{ x = b y; z = 'c' }", "@{…}: b y"}},
	{"here-strings", "echo @'\na; b\n$(c)\n'@\necho @\"\nd; $(e)\n\"@", []string{"echo @'\na; b\n$(c)\n'@", "echo @\"\nd; $(e)\n\"@", "$(…): e"}},
	{"comments", "a # b; c\n<# d; e #> f", []string{"a", "f"}},
	{"continued", "a `\n b", []string{"a ` b"}},
	{"redirections", "a > f 2>&1 *> $null", []string{"a > f 2>&1 *> $null"}},
	{"expression text", `iex "a; b"; Invoke-Expression 'c'`, []string{`iex "a; b"`, "invoke-expression: a", "invoke-expression: b", "Invoke-Expression 'c'", "invoke-expression: c"}},
	{"nested shells", `pwsh -c "a; b"; cmd /c "c & d"; bash -c 'e && f'`,
		[]string{`pwsh -c "a; b"`, "pwsh: a", "pwsh: b", `cmd /c "c & d"`, "cmd /c: c", "cmd /c: d", `bash -c 'e && f'`, "bash -c: e", "bash -c: f"}},
	{"start", `Start-Process git -ArgumentList "push","origin" -NoNewWindow`, []string{`Start-Process git -ArgumentList "push","origin" -NoNewWindow`, "start-process: git push origin"}},
	{"background", "a & b", []string{"a", "b"}},
	{"type", "[int]5; 'text'; $x; 1 + 2; -not $y", nil},
}

func TestPowerShellUnits(t *testing.T) {
	for _, c := range powershellCases {
		t.Run(c.name, func(t *testing.T) {
			a := PowerShell(c.command)
			if a.Unparsed != "" {
				t.Fatalf("unparsed: %s", a.Unparsed)
			}
			got := texts(a)
			if c.name == "control flow" {
				for i, u := range a.Units {
					got[i] = u.Text
				}
			}
			if c.name == "functions" || c.name == "return" {
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
		if !slices.ContainsFunc(PowerShell(command).Units, func(u Unit) bool { return slices.Contains(u.Views, view) }) {
			t.Errorf("%q has no view %q", command, view)
		}
	}
}

func TestPowerShellDeny(t *testing.T) {
	p, ok := CompileDeny("Remove-Item -Recurse *")
	if !ok {
		t.Fatal("not compiled")
	}
	for command, want := range map[string]bool{
		"Remove-Item x -Recurse": true, "remove-item -rec x": true, "ri -Force -Recurse x": true, "del x -r": true, "Remove-Item x": false, "Get-Item -Recurse": false,
		"Remove-Item -Recurse:$true x": true,
	} {
		if got := slices.ContainsFunc(PowerShell(command).Units, p.Match); got != want {
			t.Errorf("%q matches: %v, want %v", command, got, want)
		}
	}
}

func TestPowerShellOpaque(t *testing.T) {
	for _, command := range []string{"& $x", "& (a)", "iex $x", "a | iex", "pwsh -EncodedCommand AA", ". $x"} {
		if !anyOpaque(PowerShell(command)) {
			t.Errorf("%q is not opaque: %+v", command, PowerShell(command).Units)
		}
	}
	for _, command := range []string{"a $x", "a (b)", "a *.txt", "$x = 1", "gci | % { $_.Name }"} {
		if anyOpaque(PowerShell(command)) {
			t.Errorf("%q is opaque: %+v", command, PowerShell(command).Units)
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
		"if (x) { a > f }":    {">f"},
		"'text' > f":          {">f"},
		"a -gt 3":             nil,
		"$x -gt 3 > g":        {">g"},
		`echo "$(b > h)" > i`: {">h", ">i"},
	} {
		if diff := cmp.Diff(want, writes(PowerShell(command))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", command, diff)
		}
	}
}

func TestPowerShellUnparsed(t *testing.T) {
	for _, command := range []string{`a "b; rm x`, "a 'b; rm x", "a ( b; rm x", "a { b; rm x", "rm x )", "<# rm x", "rm x; a @'\nb", "rm x; a\x00"} {
		a := PowerShell(command)
		if a.Unparsed == "" {
			t.Errorf("%q is parsed: %+v", command, a.Units)
		}
		if !slices.ContainsFunc(a.Units, func(u Unit) bool { return slices.Contains(u.Views, "rm x") }) {
			t.Errorf("%q does not show rm x: %q", command, texts(a))
		}
		sound(t, command, a)
	}
}
