package shell_test

import (
	"testing"
)

func TestGuardedText(t *testing.T) {
	checkGuards(t, []guardCase{
		{"sort *", "sort -o PWNED a", "-o"},
		{"sort *", "sort --compress-program=./evil a", "--compress-program"},
		{"sort *", "sort --comp ./evil a", "--compress-program"},
		{"sort *", "sort -uoPWNED a", "-o"},
		{"uniq *", "uniq a PWNED", "PWNED"},
		{"uniq *", "uniq -c a PWNED", "PWNED"},
		{"xxd *", "xxd -r a PWNED", "PWNED"},
		{"xxd *", "xxd -r -p a PWNED", "PWNED"},
		{"base64 *", "base64 -o PWNED a", "-o"},
		{"yq *", "yq --inplace .a=1 f", "--inplace"},
		{"yq *", "yq -Pi .a=1 f", "-i"},
		{"pandoc *", "pandoc --lua-filter=./evil.lua a", "--lua-filter"},
		{"pandoc *", "pandoc -o PWNED a", "-o"},
		{"pandoc *", "pandoc -F ./evil a", "-F"},
		{"iconv *", "iconv -o PWNED a", "-o"},
		{"xmllint *", "xmllint --output PWNED a", "-output"},
		{"uniq *", "uniq -f 1 a PWNED", "PWNED"},
		{"sort *", "sort -t o -k2", ""},
		{"sort *", "sort -to -k 1,1", ""},
		{"sort *", "sort -k1,1 -k2,2nr a", ""},
		{"sort *", "sort --parallel 4 a", ""},
		{"uniq *", "uniq -c", ""},
		{"uniq *", "uniq -f 1 a", ""},
		{"jq *", "jq -r '.a > 1 | .b' f", ""},
		{"yq *", "yq -o json '.a' f", ""},
		{"xxd *", "xxd -l 16 -s 4 a", ""},
		{"base64 *", "base64 -d a", ""},
		{"gofmt *", "gofmt -l .", ""},
		{"gofmt *", "gofmt -s -d .", ""},
	})
}
