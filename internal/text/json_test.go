package text_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/text"
)

func TestJSONShowsOnATerminalWhatItHolds(t *testing.T) {
	for in, want := range map[string]string{
		"a\u009b31mb":             `"a\u009b31mb"`,
		"a\x7fb":                  `"a\u007fb"`,
		"\u202egnp.exe":           `"\u202egnp.exe"`,
		"a\u200bb":                `"a\u200bb"`,
		"\U000e0041x":             `"\udb40\udc41x"`,
		"ä <b> & 日本":              `"ä <b> & 日本"`,
		"\x1b[31m":                `"\u001b[31m"`,
		"\\u202e is plain \"here": `"\\u202e is plain \"here"`,
	} {
		var b strings.Builder
		if err := text.NewEncoder(&b).Encode(in); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(b.String(), "\n"); got != want {
			t.Errorf("%q is written as %s, want %s", in, got, want)
		}
	}
}

func TestJSONMeansTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := map[string]string{rapid.String().Draw(t, "key"): rapid.StringOf(rapid.RuneFrom(nil, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zs, unicode.L)).Draw(t, "text")}
		var b strings.Builder
		if err := text.NewEncoder(&b).Encode(in); err != nil {
			t.Fatal(err)
		}
		plain, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var got, want map[string]string
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(plain, &want); err != nil {
			t.Fatal(err)
		}
		for k, v := range want {
			if got[k] != v {
				t.Fatalf("%q became %q", v, got[k])
			}
		}
		for _, r := range strings.TrimSuffix(b.String(), "\n") {
			if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) {
				t.Fatalf("%q holds %U", b.String(), r)
			}
		}
	})
}
