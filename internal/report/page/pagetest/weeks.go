package pagetest

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/pigate/pigate/internal/gate"
)

// The time of the journal "weeks": eight of them, in which the clocks of its
// zone change on the last day.
const (
	WeeksZone  = "Europe/Berlin"
	WeeksSince = "2026-03-02"
	WeeksUntil = "2026-03-30"
)

// habit is a call that comes up in the work, and what people make of it.
type habit struct {
	moment
	often int
	// answers are what people say to it, in turn.
	answers []gate.Answer
	// from is the day of the eight weeks from which on it comes up.
	from int
}

const (
	once, sess, save         = gate.AnswerOnce, gate.AnswerSession, gate.AnswerSave
	deny, dismissed, aborted = gate.AnswerDeny, gate.AnswerDismissed, gate.AnswerAborted
)

func bash(often int, text string, answers ...gate.Answer) habit {
	return habit{moment: moment{tool: "bash", input: command(text)}, often: often, answers: answers}
}

func file(often int, tool, path string, answers ...gate.Answer) habit {
	return habit{moment: moment{tool: tool, input: map[string]string{"path": path}}, often: often, answers: answers}
}

func (h habit) since(day int) habit {
	h.from = day
	return h
}

var habits = []habit{
	file(40, "read", "src/server.ts"), file(22, "read", "README.md"), file(14, "grep", "src"),
	bash(26, "ls src"), bash(14, "cat package.json | grep version"), bash(30, "git status --short"), bash(24, "git diff"),
	bash(30, "npm test"), bash(8, "npm test -- --coverage"), bash(10, "grep -rn TODO src"),
	file(34, "edit", "src/server.ts"), file(20, "edit", "src/routes/orders.ts"), file(12, "write", "docs/orders.md"),
	bash(11, "git add -A && git commit -m 'orders: page through the list'", once, once, sess, once),
	bash(8, "git push origin orders", once, once, deny, once),
	bash(6, "npm run build", sess, once, save),
	bash(5, "npm install", once, deny, once, aborted),
	bash(4, "docker compose up -d", once, sess),
	bash(3, "node scripts/migrate.js --env staging", once, deny, dismissed),
	bash(2, "psql -h db.staging.internal -f migrations/0042_orders.sql", once, deny),
	bash(3, "npm test > test.log 2>&1", once),
	bash(2, "find . -name '*.tmp' -delete", once, once).since(30),
	bash(2, "curl -fsS https://api.staging.internal/health", once, sess),
	bash(2, "curl -u deploy:"+secret+" https://registry.internal/v2/_catalog", once).since(34),
	bash(1, "curl -fsSL https://get.tool.internal/install.sh | sh", deny, dismissed, once).since(20),
	bash(2, "rm -rf dist"), bash(1, "git push --force origin orders"),
	file(1, "edit", ".env.production"),
	file(2, "write", "/home/ann/notes/orders.md", once, deny),
	file(1, "edit", ".pi/allowlist-gate.json", deny),
	{moment: moment{tool: "mcp__tracker__create_issue", input: map[string]string{"title": "Orders time out"}}, often: 3, answers: []gate.Answer{once, sess, deny}},
	{moment: moment{tool: "mcp__tracker__read_issue", input: map[string]string{"id": "412"}}, often: 5},
}

var team = []gate.SessionStart{
	{Cwd: "/home/ann/atlas", Root: "/home/ann/atlas", Branch: "orders", User: "ann", Host: "birch", Mode: "tui", HasUI: true},
	{Cwd: "/home/ann/atlas", Root: "/home/ann/atlas", Branch: "main", User: "ann", Host: "birch", Mode: "tui", HasUI: true},
	{Cwd: "/home/ann/harbour", Root: "/home/ann/harbour", Branch: "main", User: "ben", Host: "alder", Mode: "tui", HasUI: true},
	{Cwd: "/home/ann/atlas", Root: "/home/ann/atlas", Branch: "main", User: "ci", Host: "runner-3", Mode: "print"},
}

// weeks is a team at work for eight weeks. Halfway it saves rules for what it
// always allows, so that it is asked less.
func weeks(w *Writer) {
	zone, err := time.LoadLocation(WeeksZone)
	if err != nil {
		w.err = err
		return
	}
	allow := []string{"shell:ls *", "shell:cat *", "shell:grep *", "shell:git status *", "shell:git diff *", "shell:npm test *", "shell:find *",
		"edit:src/*", "edit:docs/*", "mcp:tracker:read_*"}
	denied := []string{"shell:rm -rf *", "shell:git push --force *", "edit:.env*"}
	const config = "/home/ann/.pi/agent/extensions/allowlist-gate.json"
	before, after := w.policyOf(config, allow, denied), w.policyOf(config, append(allow, "shell:npm run build *", "shell:git commit *", "shell:git add *"), denied)
	random := rand.New(rand.NewPCG(7, 11))
	for day := range 56 {
		date := time.Date(2026, 2, 2+day, 0, 0, 0, 0, zone)
		if weekend := date.Weekday() == time.Saturday || date.Weekday() == time.Sunday; weekend && day != 55 {
			continue
		}
		policy := before
		if day > 37 {
			policy = after
		}
		for i := range 2 + random.IntN(2) {
			start := team[random.IntN(len(team))]
			if day == 50 {
				start = team[0]
			}
			w.now = date.Add(time.Duration(9*60+i*150+random.IntN(90)) * time.Minute)
			w.begin(fmt.Sprintf("0199%04x-%02d", day, i), start, policy)
			w.work(random, day, 18+random.IntN(26))
			if day == 50 && i == 0 {
				w.call(moment{tool: "bash", input: command("git push origin tags"), answer: once, took: 3 * time.Second, other: true})
			}
			if day == 37 && i == 0 {
				w.saved(config, "shell:npm run build *", "shell:git commit *", "shell:git add *")
			}
			w.end()
		}
	}
}

// work is so many calls of a session, drawn from the habits.
func (w *Writer) work(random *rand.Rand, day, calls int) {
	total := 0
	for _, h := range habits {
		if day >= h.from {
			total += h.often
		}
	}
	granted := map[string]bool{}
	for range calls {
		n := random.IntN(total)
		for i := range habits {
			h := &habits[i]
			if day < h.from {
				continue
			}
			if n -= h.often; n >= 0 {
				continue
			}
			m := h.moment
			name := m.input["command"] + m.input["path"] + m.tool
			if len(h.answers) > 0 && !granted[name] {
				m.answer = h.answers[random.IntN(len(h.answers))]
				m.took = time.Duration(1200+random.ExpFloat64()*9000) * time.Millisecond
				granted[name] = m.answer == sess
			}
			m.failed = random.IntN(9) == 0
			w.now = w.now.Add(time.Duration(5+random.IntN(140)) * time.Second)
			w.call(m)
			break
		}
	}
}
