package risk

import (
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

// Pieces of scripts that are joined at random. Some write the file PWNED, and
// some try to hide that: quotes, brackets, comments, labels, continued lines.
var (
	sedPieces = strings.Split("w PWNED|W PWNED|e touch PWNED|s/a/b/w PWNED|s/a/touch PWNED/e|s,a,b, |s/[/]/x/|s/[^]/]/x/|p|d|n|;|\n|{|}|/a/|"+
		"/[/]/|\\,a,|1|$|!|1,3|a\\|a x|i\\\n|c\\|b|t ]#c|:x|y/ab/cd/|r f|#c|l 3|q|=|x| |s/a\\/b/c/g|s/a/b\\\nc/|0~2|2,+1|/a/I|/a/,/b/|s;a;b;|v|F|"+
		"s/a/b/2g|\\|[|]|/|M|}w PWNED\n|T|h|s\na\nb\n|\\n", "|")
	awkPieces = strings.Split(`system("touch PWNED")¦print > "PWNED"¦print | "touch PWNED"¦"touch PWNED" | getline¦printf "x" >> "PWNED"¦{¦}¦(¦)¦[¦]¦/¦/a/¦/[/]/¦`+
		`/"/¦/["]/¦"¦"x"¦"\""¦BEGIN¦END¦if¦(1)¦while(0)¦else¦print¦print a,¦x¦x=1¦$1¦++¦--¦x++¦/ 2¦;¦#c¦# "¦1¦!¦~¦&&¦||¦?¦:¦> 1¦,¦getline¦in¦a[1]¦%¦-¦+¦ ¦`+
		`return¦length¦substr(x,1)¦-1¦split("a",b)¦=¦/=¦==¦^¦`+"\n¦\\\n", "¦")
)

// The real sed and awk are the judges: when a script is not guarded, running it
// must leave the folder as it was.
func TestScriptsThatPassWriteNothing(t *testing.T) {
	dir := t.TempDir()
	input := filepath.Join(dir, "f")
	if err := os.WriteFile(input, []byte("a\nb a\ntouch PWNED\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewSource(7))
	passed := map[string]int{}
	for range 6000 {
		program, args := randomScript(random)
		if !strings.Contains(strings.Join(args, " "), "PWNED") || len(Find(catalog.Default(), program, literalArgs(args...))) > 0 {
			continue
		}
		passed[program]++
		command := exec.Command(program, args...)
		command.Dir = dir
		_ = command.Run() // most of the scripts are nonsense
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Fatalf("%s %q passed and left %v, %v", program, args, left, err)
		}
	}
	if passed["sed"] < 20 || passed["awk"] < 20 {
		t.Errorf("too few scripts passed to judge anything: %v", passed)
	}
}

func randomScript(random *rand.Rand) (program string, args []string) {
	text := func(pieces []string) string {
		var b strings.Builder
		for range 1 + random.Intn(9) {
			b.WriteString(pieces[random.Intn(len(pieces))])
		}
		return b.String()
	}
	switch random.Intn(4) {
	case 0:
		return "sed", []string{text(sedPieces), "f"}
	case 1:
		return "sed", []string{"-n", "-e", text(sedPieces), "-e", text(sedPieces), "f"}
	case 2:
		return "awk", []string{text(awkPieces), "f"}
	default:
		return "awk", []string{"BEGIN{" + text(awkPieces) + "}"}
	}
}
