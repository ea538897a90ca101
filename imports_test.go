package pigate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/pigate/pigate/"

// layers says which packages of this module each room may import, and why the
// rule stands.
var layers = map[string]struct {
	may []string
	why string
}{
	"internal/hint":                 {nil, "errors alone"},
	"internal/text":                 {nil, "text alone"},
	"internal/gate/glob":            {nil, "a pattern knows nothing but text"},
	"internal/gate/rule":            {[]string{"internal/gate/glob"}, "the grammar knows nothing but text"},
	"internal/gate/catalog":         {nil, "what is known of programs is data"},
	"internal/gate/possible":        {nil, "texts that are not known are texts alone"},
	"internal/gate/shell/argv":      {[]string{"internal/gate/catalog", "internal/gate/possible"}, "the words of a command, and what is known of them"},
	"internal/gate/shell/script":    {[]string{"internal/gate/shell/argv"}, "the languages of awk, sed and SQL are text"},
	"internal/gate/shell/pwsh":      {[]string{"internal/gate/shell/argv", "internal/gate/catalog"}, "PowerShell is text"},
	"internal/gate/shell/risk":      {[]string{"internal/gate/shell/argv", "internal/gate/shell/script", "internal/gate/shell/pwsh", "internal/gate/glob", "internal/gate/catalog", "internal/gate/possible"}, "what is guarded stands in the words of one command"},
	"internal/gate/shell/model":     {[]string{"internal/gate/shell/argv", "internal/gate/shell/pwsh", "internal/gate/shell/risk", "internal/gate/glob", "internal/gate/catalog", "internal/gate/possible"}, "what was read of a line knows nothing of the reading"},
	"internal/gate/shell/deny":      {[]string{"internal/gate/shell/argv", "internal/gate/shell/pwsh", "internal/gate/shell/model", "internal/gate/glob", "internal/gate/catalog", "internal/gate/possible"}, "deny rules are matched against what was read"},
	"internal/gate/shell/bash":      {[]string{"internal/gate/shell/argv", "internal/gate/catalog"}, "the syntax tree of bash is text"},
	"internal/gate/shell/memory":    {[]string{"internal/gate/shell/argv", "internal/gate/shell/bash"}, "what a line tells of its variables stands in the line"},
	"internal/gate/shell/wrap":      {[]string{"internal/gate/shell/argv", "internal/gate/shell/bash", "internal/gate/shell/model", "internal/gate/shell/pwsh", "internal/gate/catalog"}, "what a command runs stands in its words"},
	"internal/gate/shell":           {[]string{"internal/gate/shell/argv", "internal/gate/shell/pwsh", "internal/gate/shell/risk", "internal/gate/shell/bash", "internal/gate/shell/memory", "internal/gate/shell/model", "internal/gate/shell/deny", "internal/gate/shell/wrap", "internal/gate/catalog", "internal/gate/possible"}, "the analysis knows nothing but text"},
	"internal/gate/shell/shelltest": {nil, "command lines and real shells, for tests alone"},
	"internal/gate/paths":           {nil, "paths are judged without a file system"},
	"internal/gate/touch":           {[]string{"internal/gate/catalog", "internal/gate/paths", "internal/gate/possible", "internal/gate/shell", "internal/gate/shell/argv"}, "what a command touches is told by its words and the catalogue"},
	"internal/gate/policy":          {[]string{"internal/gate/shell/argv", "internal/gate/glob", "internal/gate/catalog", "internal/gate/rule", "internal/gate/possible", "internal/gate/shell", "internal/gate/paths", "internal/gate/touch"}, "the decision is pure"},
	"internal/gate/dialog":          {[]string{"internal/gate/catalog", "internal/gate/policy", "internal/gate/rule", "internal/gate/shell"}, "what a person is shown of a call knows nothing but the call"},
	"internal/gate":                 {[]string{"internal/gate/dialog", "internal/gate/policy", "internal/gate/glob", "internal/gate/rule"}, "the guard asks the policy, a person and the journal"},
	"internal/gate/config/disk":     {nil, "files are bytes"},
	"internal/gate/config":          {[]string{"internal/gate", "internal/gate/config/disk", "internal/gate/policy", "internal/gate/checkout", "internal/gate/organisation", "internal/gate/catalog", "internal/gate/rule", "internal/fileid"}, "the files speak the gate's words"},
	"internal/gate/kin":             {[]string{"internal/gate"}, "a question goes to another gate as it is"},
	"internal/gate/links":           {[]string{"internal/gate/policy", "internal/gate/paths"}, "link facts speak the gate's words"},
	"internal/gate/wire":            {[]string{"internal/gate", "internal/gate/policy"}, "the server decides nothing"},
	"internal/gate/organisation":    {nil, "who may write a file has nothing to do with what it says"},
	"internal/gate/checkout":        {[]string{"internal/gate/gitinfo", "internal/gate/policy", "internal/fileid"}, "which folders belong together stands in git's files"},
	"internal/gate/gitinfo":         {nil, "git's files have nothing to do with decisions"},
	"internal/audit":                {[]string{"internal/gate", "internal/gate/policy", "internal/gate/glob", "internal/audit/redact", "internal/audit/redact/clue", "migrations"}, "the journal records the gate's words, without secrets"},
	"internal/audit/audittest":      {[]string{"internal/gate", "internal/audit", "internal/audit/redact"}, "a journal for other packages' tests"},
	"internal/audit/redact":         {[]string{"internal/gate/catalog", "internal/audit/redact/clue"}, "secrets are found in text alone"},
	"internal/audit/redact/clue":    {nil, "how secrets look depends on nothing"},
	"internal/report":               {[]string{"internal/gate", "internal/gate/policy", "internal/audit"}, "what is derived reads the journal and asks the gate"},
	"internal/report/replay":        {[]string{"internal/gate", "internal/gate/policy", "internal/gate/rule", "internal/audit", "internal/report"}, "recorded calls are decided by the gate alone; who starts a replay brings the configuration"},
	"internal/report/suggest/tui":   {[]string{"internal/gate/policy", "internal/report/suggest"}, "a list shows drafts and hands on what the person says"},
	"internal/report/suggest":       {[]string{"internal/gate", "internal/gate/policy", "internal/gate/glob", "internal/gate/catalog", "internal/gate/rule", "internal/gate/shell", "internal/audit", "internal/report/dangerous"}, "drafts are drawn from the journal, named after the units of commands, and verified by the gate"},
	"internal/report/knowledge":     {[]string{"internal/gate/catalog"}, "what is known of programs is shown as it is"},
	"internal/report/dangerous":     {[]string{"internal/gate/policy", "internal/gate/rule"}, "dangerous calls are tried through the gate alone"},
	"internal/report/prove":         {[]string{"internal/gate/catalog", "internal/gate/glob", "internal/gate/policy", "internal/gate/rule", "internal/report/dangerous"}, "questions about rules are put to the gate itself"},
	"internal/report/lint":          {[]string{"internal/gate", "internal/gate/policy", "internal/gate/glob", "internal/gate/rule", "internal/gate/shell", "internal/audit", "internal/report/dangerous"}, "rules are judged by the gate alone, and by what the journal knows of their use"},
	"internal/report/tidy":          {[]string{"internal/gate", "internal/gate/policy", "internal/gate/glob", "internal/gate/rule", "internal/audit", "internal/report/lint", "internal/report/suggest"}, "what can be tidied is told by the gate and by what the journal knows of use"},
	"internal/report/ruletest":      {[]string{"internal/gate/policy"}, "a table is text that becomes requests"},
	"internal/report/coverage":      {[]string{"internal/gate", "internal/gate/policy", "internal/audit", "internal/report", "internal/transcript"}, "session files are held against the journal"},
	"internal/report/chart":         {nil, "a drawing knows nothing but numbers"},
	"internal/report/page":          {[]string{"internal/gate", "internal/gate/policy", "internal/audit", "internal/report", "internal/report/chart", "internal/report/lint"}, "the report reads the journal and writes pages"},
	"internal/report/page/pagetest": {[]string{"internal/gate", "internal/gate/policy", "internal/gate/rule", "internal/audit", "internal/audit/redact"}, "journals to make reports of"},
	"internal/report/piview":        {[]string{"internal/gate", "internal/gate/policy", "internal/audit", "internal/report", "internal/report/suggest"}, "what is shown inside Pi reads the journal"},
	"internal/transcript":           {[]string{"internal/gate", "internal/gate/policy"}, "session files are told in the gate's words"},
	"internal/importer":             {[]string{"internal/gate", "internal/audit", "internal/transcript"}, "past calls go from session files into the journal"},
	"internal/testcorpus":           {nil, "where the tests' corpora are, for tests alone"},
	"internal/fileid":               {nil, "files alone"},
	"internal/pi":                   {[]string{"internal/fileid"}, "Pi's files have nothing to do with decisions"},
	"migrations":                    {nil, "SQL alone"},
	"extension":                     {nil, "the embedded sources alone"},
	"cmd/pigate":                    {[]string{"*"}, "the command wires everything"},
	"":                              {nil, "a comment"},
}

// leaves are rooms that any other may import.
var leaves = []string{"internal/hint", "internal/text"}

// importers says which packages may import what is not the standard library's.
var importers = map[string][]string{
	"golang.org/x/text":               {"internal/gate/paths"},
	"mvdan.cc/sh/v3":                  {"internal/gate/shell/bash", "internal/gate/shell/memory", "internal/gate/shell/wrap", "internal/gate/shell"},
	"github.com/tailscale/hujson":     {"internal/gate/config"},
	"github.com/gofrs/flock":          {"internal/gate/config/disk", "internal/audit"},
	"github.com/natefinch/atomic":     {"internal/gate/config", "internal/gate/config/disk", "internal/pi", "cmd/pigate"}, // cmd: a report is whole or not there
	"github.com/creachadair/jrpc2":    {"internal/gate/wire"},
	"github.com/jmoiron/sqlx":         {"internal/audit"},
	"modernc.org/sqlite":              {"internal/audit"},
	"github.com/go-analyze/charts":    {"internal/report/chart"},
	"github.com/rs/zerolog":           {"cmd/pigate"},
	"github.com/spf13/cobra":          {"cmd/pigate"},
	"charm.land/bubbletea/v2":         {"internal/report/suggest/tui"}, // the terminal as a screen
	"charm.land/bubbles/v2":           {"internal/report/suggest/tui"}, // a line to edit in it
	"github.com/spf13/pflag":          {"cmd/pigate"},                  // cobra's flags
	"golang.org/x/term":               {"cmd/pigate"},                  // whether a person reads
	"golang.org/x/sys":                {"internal/audit", "internal/gate/config/disk", "internal/gate/organisation"},
	"github.com/pelletier/go-toml/v2": {"internal/gate/catalog", "internal/audit/redact"},                               // programs, and the form of the rules of gitleaks
	"golang.org/x/sync":               {"internal/gate", "internal/audit", "internal/importer", "internal/report/page"}, // semaphores, and groups of goroutines that end at the first error
	"github.com/klauspost/compress":   {"internal/transcript"},                                                          // Codex packs old sessions
	"golang.org/x/mod":                {"internal/audit"},                                                               // signed notes
}

// effects are packages of the standard library that the pure rooms must not
// import.
var effects = []string{"os", "os/exec", "io/ioutil", "net", "net/http", "database/sql", "log", "log/slog", "syscall", "path/filepath"}

var pure = []string{"internal/hint", "internal/text", "internal/gate/glob", "internal/gate/catalog", "internal/gate/rule", "internal/gate/possible", "internal/gate/shell/argv", "internal/gate/shell/script", "internal/gate/shell/pwsh", "internal/gate/shell/risk", "internal/gate/shell/model", "internal/gate/shell/deny", "internal/gate/shell/bash", "internal/gate/shell/memory", "internal/gate/shell/wrap", "internal/gate/shell", "internal/gate/paths", "internal/gate/touch", "internal/gate/policy", "internal/gate/dialog"}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []goPackage
	for d := json.NewDecoder(bufio.NewReader(bytes.NewReader(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		list = append(list, p)
	}
}

func TestImportsRunOneWay(t *testing.T) {
	for _, p := range packages(t) {
		room := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, strings.TrimSuffix(module, "/")), "/")
		if strings.HasPrefix(room, "e2e/") {
			continue // programs that the benchmarks start
		}
		layer, known := layers[room]
		if !known {
			t.Errorf("%s is a room without a rule: add it to layers and to ARCHITECTURE.md", room)
			continue
		}
		for _, imported := range p.Imports {
			if own, ok := strings.CutPrefix(imported, module); ok {
				if !slices.Contains(leaves, own) && !slices.Contains(layer.may, own) && !slices.Contains(layer.may, "*") {
					t.Errorf("%s imports %s: %s", room, own, layer.why)
				}
				continue
			}
			first, _, _ := strings.Cut(imported, "/")
			if strings.Contains(first, ".") {
				checkImporter(t, room, imported)
			}
			if slices.Contains(pure, room) && slices.Contains(effects, imported) {
				t.Errorf("%s imports %s: the room is pure", room, imported)
			}
		}
	}
}

func checkImporter(t *testing.T, room, imported string) {
	t.Helper()
	for dependency, rooms := range importers {
		if imported == dependency || strings.HasPrefix(imported, dependency+"/") {
			if !slices.Contains(rooms, room) {
				t.Errorf("%s imports %s, which belongs to %s", room, imported, strings.Join(rooms, ", "))
			}
			return
		}
	}
	t.Errorf("%s imports %s, a dependency without a rule: add it to importers with the one room that needs it", room, imported)
}
