package shell_test

import (
	"testing"
)

func TestGuardedSedScripts(t *testing.T) {
	checkGuards(t, []guardCase{
		{"sed *", "sed -i s/a/b/ a", "-i"},
		{"sed *", "sed -n '$w PWNED' a", "w"},
		{"sed *", "sed -e p -e 'w PWNED' a", "w"},
		{"sed *", "sed -n '/a/{p;w PWNED\n}' a", "w"},
		{"sed *", "sed 's/x/touch PWNED/e' a", "e"},
		{"sed *", "sed '1e touch PWNED' a", "e"},
		{"sed *", "sed --expression='1e touch PWNED' a", "e"},
		{"sed *", "sed 's|a|b|w PWNED' a", "w"},
		{"sed *", "sed 's/a/b/;s/c/d/gw PWNED' a", "w"},
		{"sed *", "sed -s -n -e '1,3p;W PWNED' a", "w"},
		{"sed *", `sed -En 's/(a)/\1/pw PWNED' a`, "w"},
		{"sed *", "sed 'y/abc/def/;w PWNED' a", "w"},
		{"sed *", "sed '/[/]/w PWNED' a", "w"},
		{"sed *", `sed '\,a,w PWNED' a`, "w"},
		{"sed *", "sed -nf s.sed a", "-f"},
		{"sed *", "sed --in-pl s/a/b/ a", "--in-place"},
		{"sed *", "sed -zi s/a/b/ a", "-i"},
		{"sed *", "sed 's/a/b/\nw PWNED' a", "w"},
		{"sed *", "sed '1{\nw PWNED\n}' a", "w"},
		{"sed *", "sed -n '1,5p' a", ""},
		{"sed *", `sed -n "${a},${b}p" f`, ""},
		{"sed *", `sed "s/$x/$y/g" f`, ""},
		{"sed *", "sed 's/window/w x/' a", ""},
		{"sed *", "sed -e 's/a/b/g' -e 's/we/ew/' a", ""},
		{"sed *", "sed '/w/d;/e/!s/w/e/' a", ""},
		{"sed *", "sed 's/[/]w x/y/' a", ""},
		{"sed *", `sed -E 's/(w) (e)/\2 \1/g;s/x//' a`, ""},
		{"sed *", "sed '/start/,/end/{s/w/e/;p}' a", ""},
		{"sed *", `sed ':a;N;$!ba;s/\n/ /g' a`, ""},
		{"sed *", "sed 'a\\\nw hello' a", ""},
		{"sed *", "sed '1i w PWNED' a", ""},
		{"sed *", "sed '$!d' a", ""},
		{"sed *", "sed 's/a/b/w /dev/stdout' a", ""},
		{"sed *", "sed -n '/^## w/,/^## e/p' a", ""},
		{"sed *", `sed "${n}q;d" a`, ""},
		{"sed *", "sed = a", ""},
		{"sed *", "sed 'y/we/ew/' a", ""},
	})
}

func TestSedReadsScriptsOfSeveralWords(t *testing.T) {
	checkGuards(t, []guardCase{
		{"sed *", "sed -e 'a\\' -e 'w x' f", ""},
		{"sed *", "sed -e 'c\\' -e '1\nw x' f", "w"},
		{"sed *", "sed -e 't ]#c;i\\\nw x' f", "w"},
		{"sed *", "sed 's,a,b, M;e touch x' f", "e"},
		{"sed *", "sed 's/a/b/ w x' f", "w"},
		{"sed *", "sed ':a w x' f", "w"},
		{"sed *", "sed 'p;nonsense;w x' f", "w"},
		{"sed *", "sed --sandbox 'w x' f", ""},
		{"sed *", "sed -l 5 'w x' f", "w"},
		{"sed *", "sed -e \"$a\" -e p f", ""},
		{"sed *", "sed \"$a\" f", "script"},
		{"sed *", "sed -e \"$a\" f", "script"},
	})
}
