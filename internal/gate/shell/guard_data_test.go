package shell_test

import (
	"testing"
)

func TestGuardedData(t *testing.T) {
	checkGuards(t, []guardCase{
		{"sqlite3 *", `sqlite3 db ".system touch PWNED"`, ".system"},
		{"sqlite3 *", `sqlite3 db ".output PWNED" "select 1"`, ".output"},
		{"sqlite3 *", `sqlite3 db ".once PWNED"`, ".once"},
		{"sqlite3 *", `sqlite3 db "select writefile('PWNED','x')"`, "writefile"},
		{"sqlite3 *", "sqlite3 -cmd '.shell touch x' db", ".shell"},
		{"sqlite3 *", `sqlite3 db "select load_extension('./evil')"`, "load_extension"},
		{"sqlite3 *", `sqlite3 db '.import "|touch PWNED" t'`, ".import"},
		{"sqlite3 *", "sqlite3 -init evil.sql db", "-init"},
		{"sqlite3 *", "sqlite3 db '.s touch PWNED'", ".s"},
		{"sqlite3 *", "sqlite3 db '.sh touch PWNED'", ".sh"},
		{"sqlite3 *", "sqlite3 db '.o PWNED'", ".o"},
		{"sqlite3 *", "sqlite3 db '.i x t'", ".i"},
		{"sqlite3 *", "sqlite3 db '.c x'", ".c"},
		{"sqlite3 *", "sqlite3 db '.t x'", ".t"},
		{"sqlite3 *", "sqlite3 db \".sh\ttouch PWNED\"", ".sh"},
		{"sqlite3 *", "sqlite3 db .sch .tab .tables '.mode csv' '.d t' .ex", ""},
		{"psql *", "psql -o PWNED -c 'select 1'", "-o"},
		{"psql *", `psql -c "copy t to program 'touch PWNED'"`, "program"},
		{"psql *", `psql --command='\! touch PWNED'`, `\`},
		{"psql *", `psql -c '\o |touch PWNED'`, `\`},
		{"psql *", `psql -c "\copy t to PWNED"`, `\`},
		{"psql *", "psql -L PWNED -c 'select 1'", "-L"},
		{"mysql *", `mysql -e '\! touch PWNED'`, `\!`},
		{"mysql *", "mysql -e 'system touch PWNED'", "system"},
		{"mysql *", "mysql --pager=./evil -e 'select 1'", "--pager"},
		{"mysql *", "mysql --tee=PWNED -e 'select 1'", "--tee"},
		{"mysql *", `mysql -e "select 1 into outfile 'PWNED'"`, "outfile"},
		{"redis-cli *", "redis-cli config set dir /etc", "config"},
		{"redis-cli *", "redis-cli flushall", "flushall"},
		{"psql *", `psql -c "select regexp_replace(x,'\w+','') from t"`, ""},
		{"psql *", `psql -c '\dt'`, ""},
		{"psql *", "psql -tAc 'select 1'", ""},
		{"sqlite3 *", "sqlite3 db '.schema' '.tables'", ""},
		{"sqlite3 *", "sqlite3 -header -column db 'select edited from t'", ""},
		{"mysql *", "mysql -u root -psecret -e 'show tables'", ""},
		{"redis-cli *", "redis-cli get x", ""},
		{"redis-cli *", "redis-cli config get dir", ""},
	})
}
