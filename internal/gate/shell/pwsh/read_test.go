package pwsh

import (
	"slices"
	"strings"
	"testing"
)

// refusedPowerShell are lines with each construct that is not understood, in
// the order of grammar, all under its name there.
var refusedPowerShell = map[form][]string{
	formOtherKeyword:  {"function f { a }; f", "filter g { b }", "class C { m() { a } }", "trap { a }", "& { param($x) a }", "using module x", "data { a }", "begin { a }", "workflow w { a }", "enum E { a }", "configuration c { a }"},
	formAssignment:    {"$x.y = 1", "$x[0] = 1", "$a, $b = 1, 2", "$global:x = 1", "${alias:git} = 'ri'", "$function:x = 1", "$PSDefaultParameterValues = @{}", "$OFS = 1", "$PSModuleAutoLoadingPreference = 1", "$_ = 1", "($x) = 1", "$HOME = 1", "$ErrorActionPreference = $x", "$args = 1", "foreach ($env:X in 1) { }"},
	formExpandedHere:  {"a @\"\nb $c\n\"@"},
	formNameEscape:    {"a`b", "a b`c", "r`i x", "a \"`e[0m\"", "a \"`u{41}\"", "a b`\nc"},
	formOtherVariable: {"a $ExecutionContext", "a ${c:\\f}", "a $function:f", "a $alias:x", "a $host", "a $args", "a $$", "a \"$x:y\"", "a $x?", "a $é", "a $input", "a $MyInvocation", "a $error", "a ${a b}"},
	formMember:        {"(a).b", "'x'.Length", "\"x\".Length", "@(a).Count", "a (b).c", "a 'x'.y", "1.GetType", "$x.'y'", "$x.$y", "$x.(y)", "(a)[0].b", "a | % b", "a | foreach b", "a | ForEach-Object -MemberName b", "a | % -m b", "a | % -Process b", "a | % $x", "a | % -foo:bar { }", "@{a=1}.a", "a <#\n#> (b).c"},
	formMethod:        {"$_.Delete()", "a $x.b()", "a \"$($x.b())\"", "$x.b{ c }", "(a).b()", "'x'.b()", "$x[0].b()", "$x.b.c()", "a | % { $_.b() }", "a | ? { $_.b() }", "if ($x.b()) { }", "$y = $x.b()", "@{a=$x.b()}", "a > $x.b()"},
	formStatic:        {"$x::y", "a $x::y", "(a)::b", "'x'::b"},
	formType:          {"[x]::y", "[int]5", "a ([x]'y')", "[x[y]]::z()", "if ([x]::y) { }", "$x = [y]1", "try { } catch [x] { }", "1 + [x]2"},
	formOtherOperator: {"$x -as 'y'", "$x -is $y", "$x -isnot $y", "$x ? 1 : 2", "$x ?? 1", "1 -foo 2"},
	formQuotedText:    {"a \"$(b \"\" c)\"", "a \"$(b ')' c)\"", "a \"$(b '(' c)\"", "a b$(c `\"d)e"},
	formBlock:         {"a { b }", "icm { b }", "a -b { c }", "a -b:{ c }", "$x = { a }", "{ a }", "select @{n='x';e={ a }}", "a | sort @{e={ b }}", "start-job { a }", "a ({ b })", "'x' -replace 'y', { a }"},
	formSplat:         {"a @b", "& a @b", "a x @b y"},
	formVerbatim:      {"a --% b"},
	formSetter:        {"gci -OutVariable x", "gci -ov x", "gci -errorv x", "gci -pv x", "gci | tee -Variable x", "iwr a -SessionVariable x"},
	formInput:         {"a < b"},
	formNumberWord:    {"a 1\"b\"", "a +$x", "a .5'b'"},
	formPattern:       {"a* b", "& x*y", "& x[0]"},
	formGlued:         {"a \"b\"c", "a (b)c", "a $x=1", "a $x(b)", "a b(c)", "a b{ c }", "a (b)<#c#>.d()", "a (b)#c", "a $x$y(z)", "a b>c", "$x'y'", "'x''y'\"z\"", "5a b; 'x'y", "5>f", "a $?b"},
	formStray:         {"\"a\" b", "a | 'b'", "1 2", "-a", "=a", "a , , b", "a ]b", "a ] b", "\"a\" + b", "a .$x", "*", "a >&2", "break x", "| a", "a -b:#c"},
}

// TestPowerShellRefuses: each construct that is not understood is refused by name,
// and hides no command behind it.
func TestPowerShellRefuses(t *testing.T) {
	for f := range grammar {
		g, commands := grammar[f], refusedPowerShell[form(f)]
		if g.name == "" || g.why == "" {
			t.Errorf("construct %d has no name or reason", f)
		}
		if g.in == 0 && commands == nil {
			t.Errorf("no example of %s", g.name)
		}
		for _, command := range commands {
			events, problem := Read(command+"\nri x", &Variables{})
			if !strings.Contains(problem.Why, g.name) || !strings.Contains(problem.Why, g.why) {
				t.Errorf("%q is not refused for %s: %q", command, g.name, problem.Why)
			}
			if !slices.ContainsFunc(events, func(e Event) bool {
				return e.Kind == CommandEnded && slices.ContainsFunc(e.Command.Readings, func(r Reading) bool { return r.Program == "remove-item" })
			}) {
				t.Errorf("%q hides what follows", command)
			}
		}
	}
}
