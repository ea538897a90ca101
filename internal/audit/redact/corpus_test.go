package redact

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/pigate/pigate/internal/testcorpus"
)

// corpus reads the commands of a file of cases, and the secret that each holds.
func corpus(t testing.TB, path string) (list []secretCase) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var c secretCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		list = append(list, c)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Fatalf("%s is empty", path)
	}
	return list
}

type secretCase struct {
	Command string
	Secret  string
	Shape   string
}

func TestNoKnownSecretIsLeft(t *testing.T) {
	m := New([]byte("a key"))
	for _, c := range corpus(t, "testdata/secrets.jsonl") {
		got, found := mask(t, m, c.Command)
		if strings.Contains(got, c.Secret) || len(found) == 0 {
			t.Errorf("%s: %s", c.Shape, got)
		}
		raw, err := json.Marshal(map[string]any{"command": c.Command, "timeout": 10})
		if err != nil {
			t.Fatal(err)
		}
		inJSON, _, err := m.JSON(t.Context(), raw)
		if err != nil {
			t.Fatal(err)
		}
		var back struct{ Command string }
		if err := json.Unmarshal(inJSON, &back); err != nil {
			t.Fatal(err)
		}
		if back.Command != got {
			t.Errorf("in JSON\n got %s\nwant %s", back.Command, got)
		}
	}
}

func TestLookalikesStayReadable(t *testing.T) {
	m := New([]byte("a key"))
	list := lines(t, "lookalikes.txt")
	for _, c := range corpus(t, "testdata/secret-lookalikes.jsonl") {
		list = append(list, c.Command)
	}
	for _, text := range list {
		if got, found := mask(t, m, text); got != text || found != nil {
			t.Errorf("masked\n  %s\nas %s", text, got)
		}
	}
}

// Real commands hold hardly any secret: documentation has placeholders, and
// what people and agents ran was cleaned.
func TestHardlyAnyRealCommandIsMasked(t *testing.T) {
	m := New([]byte("a key"))
	for file, most := range map[string]int{"commands.jsonl": 20, "harmless.jsonl": 0} {
		t.Run(file, func(t *testing.T) {
			masked := 0
			for _, c := range corpus(t, testcorpus.Path(t, file)) {
				if got, found := mask(t, m, c.Command); found != nil {
					masked++
					t.Logf("%s", got)
				}
			}
			if masked > most {
				t.Errorf("%d commands are masked, more than %d", masked, most)
			}
		})
	}
}

func mask(t testing.TB, m *Masker, s string) (string, []Mask) {
	t.Helper()
	got, found, err := m.Text(t.Context(), s)
	if err != nil {
		t.Fatalf("masking %q: %v", s, err)
	}
	return got, found
}
