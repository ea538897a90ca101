package audit

import (
	"fmt"
	"strings"
)

// View is a view that a query may read.
type View struct {
	Name string
	// About says what one row is.
	About   string
	Columns []ViewColumn
	from    string
}

// ViewColumn is a column of a View.
type ViewColumn struct {
	Name, About string
	sql         string
}

// The columns that several views have. NULL stands where there is nothing.
var (
	columnSeq     = ViewColumn{"seq", "the entry's number", "e.seq"}
	columnTime    = ViewColumn{"time", "when, as text: RFC 3339 in UTC with microseconds", timeText("json_extract(e.pub, '$.time')")}
	columnMicros  = ViewColumn{"time_us", "when, in microseconds since 1970", "json_extract(e.pub, '$.time')"}
	columnSession = ViewColumn{"session", "Pi's id of the session", "json_extract(e.pub, '$.session')"}
	columnCall    = ViewColumn{"call", "Pi's id of the call", "json_extract(e.pub, '$.call')"}
	columnProject = ViewColumn{"project", "the project's folder; its digest once the text is erased",
		"coalesce(nullif(json_extract(e.body, '$.root'), ''), nullif(json_extract(e.body, '$.cwd'), ''), json_extract(e.pub, '$.project'))"}
	columnTool = ViewColumn{"tool", "the exact tool name", "json_extract(e.pub, '$.tool')"}
	columnWhat = ViewColumn{"what", "the command, path, or MCP server and tool, as pigate audit list shows it",
		`CASE WHEN e.erased THEN '(erased)' ELSE coalesce(nullif(CASE json_type(e.body, '$.input.command') WHEN 'text' THEN json_extract(e.body, '$.input.command') END, ''),
    json_extract(e.body, '$.resources[0].text'),
    nullif(CASE json_type(e.body, '$.input.path') WHEN 'text' THEN json_extract(e.body, '$.input.path') END, ''),
    nullif(e.body -> '$.input', 'null'), '') END`}
	columnCauses = ViewColumn{"causes", "the causes of the verdict, with commas: rule, no-rule, outside-project, …",
		"(SELECT group_concat(DISTINCT value) FROM json_each(e.pub, '$.causes'))"}
	columnAnswer   = ViewColumn{"answer", "what the person said: once, session, save, deny, dismissed, no-ui, aborted", "json_extract(e.pub, '$.answer')"}
	columnWaited   = ViewColumn{"waited_us", "how long the person took, in microseconds", "json_extract(e.pub, '$.waited_us')"}
	columnDecision = ViewColumn{"decision", "run or block", "json_extract(e.pub, '$.decision')"}
)

// Views are what a query may read. docs/sql.md describes them in full.
func Views() []View {
	return []View{decisionsView, promptsView, sessionsView, rulesView, outcomesView, entriesView}
}

const isDecision = `FROM journal AS e WHERE e.kind = 'decision'`

var decisionsView = View{"decisions", "a decided call, with what came of it", []ViewColumn{
	columnSeq, columnTime, columnMicros, columnSession, columnCall,
	{"parent", "the call that made this one", "json_extract(e.pub, '$.parent')"},
	columnProject,
	{"cwd", "the working directory", "json_extract(e.body, '$.cwd')"},
	columnTool, columnWhat,
	{"input", "the tool's arguments, as JSON", "e.body -> '$.input'"},
	{"verdict", "what the rules say: allow, deny, ask, pass", "json_extract(e.pub, '$.verdict')"},
	columnCauses,
	{"rule", "the texts of the rules that decided, with commas",
		"(SELECT group_concat(DISTINCT json_extract(value, '$.rule')) FROM json_each(e.body, '$.reasons') WHERE json_extract(value, '$.cause') = 'rule')"},
	{"reasons", "the reasons, as JSON; docs/json.md describes one", "e.body -> '$.reasons'"},
	columnAnswer, columnWaited, columnDecision,
	{"basis", "by what: rule, grant, user, pass, disabled, no-ui, journal, error", "json_extract(e.pub, '$.basis')"},
	{"outcome", "ok or error; NULL when nothing was reported", outcomeWord("e.outcome")},
	{"exit_code", "of a command that ran", "json_extract(e.outcome, '$.exit_code')"},
	{"duration_us", "how long the tool took, in microseconds", "json_extract(e.outcome, '$.duration_us')"},
	{"mismatch", "1 when another input ran than was approved, else 0", "coalesce(json_extract(e.outcome, '$.mismatch'), 0)"},
	{"outside", "1 when the call reaches outside the project, else 0",
		`(EXISTS (SELECT 1 FROM json_each(e.pub, '$.causes') WHERE value = 'outside-project')
    OR EXISTS (SELECT 1 FROM json_each(e.body, '$.resources') WHERE json_extract(value, '$.kind') = 'edit' AND json_extract(value, '$.text') GLOB '/*'))`},
	{"masked", "1 when secrets were taken out, else 0", "(json_type(e.body, '$.masked') IS NOT NULL OR json_type(e.pub, '$.masked') IS NOT NULL)"},
	{"trusted", "1 when the project was trusted, else 0", "json_extract(e.pub, '$.trusted')"},
	{"policy", "the digest of the policy", "json_extract(e.pub, '$.policy')"},
	{"erased", "1 when the text was erased, else 0", "e.erased"},
}, `FROM (SELECT *, (` + outcomeLookup + `) AS outcome FROM journal) AS e WHERE e.kind = 'decision'`}

var promptsView = View{"prompts", "a call that a person was asked about", []ViewColumn{
	columnSeq, columnTime, columnMicros, columnSession, columnCall, columnProject, columnTool, columnWhat, columnCauses, columnAnswer, columnWaited, columnDecision,
}, isDecision + ` AND json_extract(e.pub, '$.answer') <> 'no-ui'`}

var rulesView = View{"rules", "a rule that decided calls in a project", []ViewColumn{
	{"rule", "its text", "json_extract(r.value, '$.rule')"},
	{"effect", "allow or deny", "json_extract(e.pub, '$.verdict')"},
	{"file", "the file it stood in; NULL for a built-in default", "json_extract(r.value, '$.file')"},
	{"line", "its line there, from 1", "json_extract(r.value, '$.line')"},
	columnProject,
	{"calls", "how many calls it decided", "count(DISTINCT e.seq)"},
	{"first", "when it first did, as text", timeText("min(json_extract(e.pub, '$.time'))")},
	{"last", "when it last did, as text", timeText("max(json_extract(e.pub, '$.time'))")},
}, `FROM journal AS e, json_each(e.body, '$.reasons') AS r WHERE e.kind = 'decision' AND json_extract(r.value, '$.cause') = 'rule' GROUP BY 1, 2, 3, 4, 5`}

var sessionsView = View{"sessions", "a session of Pi", []ViewColumn{
	{"session", "Pi's id", "json_extract(e.pub, '$.session')"},
	{"started", "its first entry, as text", timeText("min(json_extract(e.pub, '$.time'))")},
	{"last", "its last entry, as text", timeText("max(json_extract(e.pub, '$.time'))")},
	{"project", "the project's folder", ofStart("coalesce(nullif(json_extract(e.body, '$.root'), ''), nullif(json_extract(e.body, '$.cwd'), ''), json_extract(e.pub, '$.project'))")},
	{"mode", "Pi's mode: tui, rpc, json, print", ofStart("json_extract(e.pub, '$.mode')")},
	{"remote", "the checkout's remote", ofStart("json_extract(e.body, '$.remote')")},
	{"branch", "the branch that was checked out", ofStart("json_extract(e.body, '$.branch')")},
	{"host", "the machine", ofStart("json_extract(e.body, '$.host')")},
	{"user", "the user", ofStart("json_extract(e.body, '$.user')")},
	{"calls", "decided calls", "sum(e.kind = 'decision')"},
	{"prompts", "calls that a person was asked about", "sum(e.kind = 'decision' AND coalesce(json_extract(e.pub, '$.answer'), 'no-ui') <> 'no-ui')"},
	{"blocked", "calls that did not run", "sum(e.kind = 'decision' AND json_extract(e.pub, '$.decision') <> 'run')"},
}, `FROM journal AS e WHERE e.kind <> 'import' AND json_extract(e.pub, '$.session') <> '' GROUP BY 1`}

var outcomesView = View{"outcomes", "what a tool reported", []ViewColumn{
	columnSeq,
	{"of", "the number of the decision; NULL for a call that was never decided", "json_extract(e.pub, '$.of')"},
	columnTime, columnMicros, columnSession, columnCall, columnTool,
	{"outcome", "ok or error", outcomeWord("e.pub")},
	{"exit_code", "of a command that ran", "json_extract(e.pub, '$.exit_code')"},
	{"duration_us", "how long the tool took, in microseconds", "json_extract(e.pub, '$.duration_us')"},
	{"mismatch", "1 when another input ran than was approved, else 0", "coalesce(json_extract(e.pub, '$.mismatch'), 0)"},
	{"undecided", "1 when the gate never decided the call, else 0", "coalesce(json_extract(e.pub, '$.undecided'), 0)"},
}, `FROM journal AS e WHERE e.kind = 'outcome'`}

var entriesView = View{"entries", "anything that was recorded", []ViewColumn{
	columnSeq, columnTime, columnMicros,
	{"kind", "decision, prompt, answer, outcome, session_start, … (docs/json.md lists them)", "e.kind"},
	columnSession, columnCall,
	{"pub", "the public part, as JSON", "e.pub"},
	{"body", "the private part, as JSON; NULL when there is none", "e.body"},
	{"erased", "1 when the private part was erased, else 0", "e.erased"},
}, `FROM journal AS e`}

// outcomeLookup finds the outcome of a decision e by the index that each file
// has for it; "outcome_of" is replaced by that for all files.
const outcomeLookup = "outcome_of"

func outcomeIn(file string) string {
	return `(SELECT o.pub FROM ` + file + `.entry AS o WHERE o.pub GLOB '{"kind":"outcome"*' AND json_extract(o.pub, '$.of') = +journal.seq ORDER BY o.seq LIMIT 1)`
}

func outcomeWord(pub string) string {
	return "CASE json_extract(" + pub + ", '$.ok') WHEN 1 THEN 'ok' WHEN 0 THEN 'error' END"
}

// ofStart is the newest value that a start of the session has: the greatest with
// the entry's number in front.
func ofStart(sql string) string {
	return "substr(max(CASE e.kind WHEN 'session_start' THEN printf('%020d', e.seq) || " + sql + " END), 21)"
}

// timeText is microseconds in the form of Micros.
func timeText(us string) string {
	return "strftime('%Y-%m-%dT%H:%M:%S', " + us + " / 1000000, 'unixepoch') || printf('.%06dZ', " + us + " % 1000000)"
}

// viewTexts are the statements that make the views over so many attached files.
// What cannot be read as JSON is NULL, so that a damaged entry spoils no query.
func viewTexts(files int) []string {
	var entries, outcomes []string
	for i := range files {
		entries = append(entries, `SELECT seq, `+kindOf+` AS kind, CASE WHEN json_valid(pub) THEN pub END AS pub, CASE WHEN json_valid(body) THEN body END AS body,
  commitment IS NOT NULL AND salt IS NULL AS erased FROM `+schemaName(i)+`.entry`)
		outcomes = append(outcomes, outcomeIn(schemaName(i)))
	}
	list := []string{"CREATE TEMP VIEW journal AS " + strings.Join(entries, "\nUNION ALL ")}
	outcome := outcomes[0]
	if files > 1 {
		outcome = "coalesce(" + strings.Join(outcomes, ", ") + ")"
	}
	for _, v := range Views() {
		var columns []string
		for _, c := range v.Columns {
			columns = append(columns, c.sql+` AS "`+c.Name+`"`)
		}
		list = append(list, fmt.Sprintf("CREATE TEMP VIEW %s AS SELECT %s %s", v.Name, strings.Join(columns, ",\n  "), strings.Replace(v.from, outcomeLookup, outcome, 1)))
	}
	return list
}

// kindOf is the kind of an entry, which the triggers of the file keep in front.
const kindOf = `substr(pub, 10, instr(substr(pub, 10), '"') - 1)`
