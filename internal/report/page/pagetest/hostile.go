package pagetest

import (
	"strings"
	"time"

	"github.com/pigate/pigate/internal/gate"
)

// Attacks are texts that try to be more than text: in a page, in its script and
// style, in a table of Markdown, at a terminal.
var Attacks = []string{
	`<script>window.hit = 1; alert(1)</script>`,
	`"><img src=x onerror="window.hit=2">`,
	`'><svg/onload=window.hit=3>`,
	`</title></style></script></textarea><script>window.hit=4</script>`,
	`<a href="javascript:window.hit=5">click</a>`,
	`{{.Script}} {{range .}}${window.hit=6}`,
	`<iframe srcdoc="<script>parent.hit=7</script>"></iframe>`,
	`<style>*{display:none}</style><link rel=stylesheet href=http://127.0.0.1:9/x.css>`,
	`<base href=http://127.0.0.1:9/><form action=http://127.0.0.1:9/><button>x</button></form>`,
	`<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">`,
	"a | b\n| c | d |\n\n# heading\n![x](http://127.0.0.1:9/p.png) @everyone",
	"\u202egnp.exe\u202c \u200b\u2066zero\u2069 \x1b[31mred\x1b[0m \x07\x00\x7f",
	"=cmd|' /C calc'!A0",
	`]]></svg><script>window.hit=8</script>`,
	`&lt;script&gt; &#60;script&#62; \u003cscript\u003e`,
	strings.Repeat("W", 5000),
}

// hostile puts each attack wherever the journal takes text.
func hostile(w *Writer) {
	w.now = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, attack := range Attacks {
		file := "/home/ann/" + attack
		policy := w.policyOf(file, []string{"shell:echo *", "shell:cat *", "edit:*" + strings.ReplaceAll(attack, `\`, "")}, []string{"shell:rm *"})
		w.begin(attack, gate.SessionStart{Cwd: file, Root: file, Branch: attack, User: attack, Host: attack, Mode: "tui", HasUI: true, Remote: attack, File: file}, policy)
		for _, m := range []moment{
			{tool: "bash", input: command("echo " + attack), answer: gate.AnswerOnce, took: time.Second},
			{tool: "bash", input: command("make '" + attack + "'"), answer: gate.AnswerDeny, took: time.Second},
			{tool: "bash", input: command("'" + attack + "' x"), answer: gate.AnswerSession, took: time.Second, other: true},
			{tool: "bash", input: command("rm " + attack)},
			{tool: "write", input: map[string]string{"path": attack}, answer: gate.AnswerSave, took: time.Second},
			{tool: attack, input: map[string]string{"x": attack}, answer: gate.AnswerDismissed, took: time.Second},
			{tool: "mcp__" + attack + "__run", input: map[string]string{"x": attack}, answer: gate.AnswerOnce, took: time.Second, failed: true},
		} {
			w.now = w.now.Add(time.Minute)
			w.call(m)
		}
		w.saved(file, attack)
		w.end()
	}
}

func command(text string) map[string]string { return map[string]string{"command": text} }

// one is a single call.
func one(w *Writer) {
	w.now = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	w.begin("0199a1b2", gate.SessionStart{Cwd: "/home/ann/atlas", Root: "/home/ann/atlas", Mode: "tui", HasUI: true}, w.policyOf("", nil, nil))
	w.call(moment{tool: "bash", input: command("git push origin main"), answer: gate.AnswerOnce, took: 7 * time.Second})
}
