package shell_test

import (
	"testing"
)

func TestGuardedAwkPrograms(t *testing.T) {
	checkGuards(t, []guardCase{
		{"awk *", `awk '{print > "PWNED"}' a`, ">"},
		{"awk *", `awk '{print $1 >> "PWNED"}' a`, ">"},
		{"awk *", `awk '{printf "%s", $1 > "PWNED"}' a`, ">"},
		{"awk *", `awk '{print | "sh"}' a`, "|"},
		{"awk *", `awk 'BEGIN { while (("touch PWNED" | getline l) > 0) print l }'`, "|"},
		{"awk *", `awk 'BEGIN{print "x" |& "sh"}'`, "|"},
		{"awk *", `awk -v x=1 'BEGIN{system ("touch PWNED")}'`, "system"},
		{"awk *", `awk -F: 'BEGIN{system("touch PWNED")}' a`, "system"},
		{"awk *", `awk '/"/ {system("touch PWNED")}' a`, "system"},
		{"awk *", `awk 'BEGIN{f="system"; @f("touch PWNED")}'`, "@"},
		{"awk *", "awk '{print $1,\n $2 > \"PWNED\"}' a", ">"},
		{"awk *", `awk -- 'BEGIN{system("touch PWNED")}'`, "system"},
		{"awk *", "awk '{ if (1) /\"/; system(\"touch PWNED\") #\"\n}' a", "system"},
		{"gawk *", "gawk -i inplace '{print}' a", "-i"},
		{"gawk *", "gawk -l ./evil.so 'BEGIN{}'", "-l"},
		{"gawk *", "gawk -o PWNED '{}'", "-o"},
		{"gawk *", "gawk --dump-variables=PWNED '{}' a", "--dump-variables"},
		{"gawk *", `gawk -e 'BEGIN{system("touch PWNED")}'`, "system"},
		{"gawk *", `gawk --source 'BEGIN{system("touch PWNED")}'`, "system"},
		{"gawk *", `gawk '@load "filefuncs"; BEGIN{}'`, "@"},
		{"mawk *", "mawk -W exec=evil.awk", "-W"},
		{"awk *", "awk '$3 > 5' a", ""},
		{"awk *", "awk '{ if ($1 > 3) print $2 }' a", ""},
		{"awk *", "awk 'NR>1 && $2>3 {print $1}' a", ""},
		{"awk *", "awk '{print ($1 > 2)}' a", ""},
		{"awk *", `awk '{print $1 > "/dev/stderr"}' a`, ""},
		{"awk *", "awk -F'|' '{print $2}' a", ""},
		{"awk *", `awk -F\| '{print $1 "|" $2}' a`, ""},
		{"awk *", "awk '/a|b/ {print}' a", ""},
		{"awk *", `awk '$1 ~ /x|y/ || $2 {print "a > b"}' a`, ""},
		{"awk *", `awk "{print \$$n}" a`, ""},
		{"awk *", "awk '{s+=$1} END {print s/NR}' a", ""},
		{"awk *", `awk 'BEGIN{system_x=1; print "system(x)"}'`, ""},
		{"awk *", `awk -v n="$n" 'NR==n' a`, ""},
		{"awk *", `awk '{print NR">"$0}' a`, ""},
		{"awk *", "awk '!seen[$0]++' a", ""},
		{"awk *", "awk 'length > 80' a", ""},
		{"awk *", "awk '{ for (i=1; i>0; i--) print $i }' a", ""},
		{"awk *", "awk '{ print a[$1 > 2] }' a", ""},
		{"awk *", "awk '{ x = y > 2 ? 1 : 0; print x }' a", ""},
	})
}

// awks differ in where a / begins a regular expression: what runs in any of them
// counts.
func TestAwkProgramsThatAwksReadDifferently(t *testing.T) {
	checkGuards(t, []guardCase{
		{"awk *", `awk 'BEGIN{x++ /"/; system("x") #"` + "\n}'", "system"},
		{"awk *", `awk 'length /"/ {system("x")} #"'`, "system"},
		{"awk *", `awk '{getline /"/; system("x") #"` + "\n}'", "system"},
		{"awk *", `awk '1system("x")'`, "system"},
		{"awk *", `awk 'x = y / 2 / system("x")'`, "system"},
		{"awk *", `awk '{print a, # comment` + "\n" + `b > "x"}'`, ">"},
		{"awk *", `awk '{print length / 2}'`, ""},
		{"awk *", `awk '{n++; print n / 2 "a|b"}'`, ""},
		{"awk *", `awk '{print $1 > "/dev/null" ".x"}'`, ">"},
		{"awk *", `awk -S '{print > "x"}'`, ""},
	})
}
