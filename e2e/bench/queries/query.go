package main

import "strings"

// query is one question, to pigate and to the sqlite3 shell. Without the second
// there is no equal one.
type query struct {
	args []string
	sql  string
}

func (q *query) name() string {
	return strings.NewReplacer(" --all", "", "audit ", "", " -o -", "").Replace(strings.Join(q.args, " "))
}

const (
	fields  = `SELECT seq, json_extract(pub, '$.time'), json_extract(pub, '$.tool'), json_extract(body, '$.input'), json_extract(pub, '$.verdict'), json_extract(pub, '$.decision'), json_extract(pub, '$.basis') FROM entry WHERE pub GLOB '{"kind":"decision"*'`
	newest  = ` ORDER BY seq DESC LIMIT 50`
	day     = ` AND json_extract(pub, '$.time') >= 1717200000000000 AND json_extract(pub, '$.time') < 1717286400000000`
	pushing = ` AND (json_extract(body, '$.input.command') GLOB 'git push*' OR EXISTS (SELECT 1 FROM json_each(body, '$.resources') WHERE json_extract(value, '$.text') GLOB 'git push*'))`
	// Counting programs, but not how long people took.
	programs = `SELECT substr(text, 1, instr(text || ' ', ' ') - 1) AS program, count(DISTINCT seq), count(DISTINCT CASE WHEN answer IS NOT NULL THEN seq END) FROM
  (SELECT seq, json_extract(pub, '$.answer') AS answer, json_extract(value, '$.text') AS text FROM entry, json_each(body, '$.resources') WHERE pub GLOB '{"kind":"decision"*') GROUP BY program ORDER BY 3 DESC`
	verdicts = `SELECT date(json_extract(pub, '$.time') / 1000000, 'unixepoch') AS day, json_extract(pub, '$.verdict'), count(*) FROM entry WHERE pub GLOB '{"kind":"decision"*' GROUP BY 1, 2`
)

func queries(session string) []query {
	list := func(sql string, flags ...string) query {
		return query{append([]string{"audit", "list", "--all"}, flags...), sql}
	}
	equal := func(field, value string) string {
		return fields + " AND json_extract(pub, '$." + field + "') = '" + value + "'" + newest
	}
	in := []string{"--since", "2024-06-01", "--until", "2024-06-02"}
	return []query{
		list(fields+newest, "--limit", "50"),
		list(fields+day+newest, append(in, "--limit", "50")...),
		list(equal("session", session), "--limit", "50", "--session", session),
		{[]string{"audit", "list", "--project", "/home/user/work/project-37", "--limit", "50"},
			fields + ` AND json_extract(body, '$.root') = '/home/user/work/project-37'` + newest},
		list(equal("tool", "write_stdin"), "--tool", "write_stdin", "--limit", "50"),
		list(equal("verdict", "deny"), "--verdict", "deny", "--limit", "50"),
		list(equal("basis", "grant"), "--basis", "grant", "--limit", "50"),
		list(equal("answer", "save"), "--answer", "save", "--limit", "50"),
		list(fields+` AND EXISTS (SELECT 1 FROM json_each(body, '$.reasons') WHERE json_extract(value, '$.rule') GLOB 'shell:rm*')`+newest, "--rule", "shell:rm*", "--limit", "50"),
		list(fields+pushing+day+" ORDER BY seq", append(in, "--match", "git push*")...),
		list(fields+pushing+" ORDER BY seq", "--match", "git push*"),
		{[]string{"audit", "stats", "--all", "--by", "program"}, programs},
		{[]string{"audit", "stats", "--all", "--by", "day"}, verdicts},
		{[]string{"audit", "show", "500000"}, `SELECT * FROM entry WHERE seq = 500000`},
		{[]string{"report", "--all", "--since", "2024-01-01", "-o", "-"}, ""},
	}
}
