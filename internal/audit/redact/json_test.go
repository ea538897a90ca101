package redact

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/audit/redact/clue"
)

func TestJSONMasksValuesNamesAndCommandLines(t *testing.T) {
	m := New([]byte("a key"))
	for _, c := range []struct {
		raw, want string // • for masks
		fields    []string
	}{
		{`{"command":"mysql -phunter2 app","timeout":10}`, `{"command":"mysql -p• app","timeout":10}`, []string{"/command"}},
		{`{ "password" : "hunter2" , "user":"bob"}`, `{ "password" : "•" , "user":"bob"}`, []string{"/password"}},
		{`{"db":{"adminPassword":12345678,"port":5432}}`, `{"db":{"adminPassword":"•","port":5432}}`, []string{"/db/adminPassword"}},
		{`{"apiKeys":["x8Xk2mQ9wZr4Vt7Lp0Ns","y8Xk2mQ9wZr4Vt7Lp0Ns"]}`, `{"apiKeys":["•","•"]}`, []string{"/apiKeys/0", "/apiKeys/1"}},
		{`{"headers":{"Authorization":"Bearer x8Xk2mQ9wZr4Vt7L","Accept":"a/b"}}`, `{"headers":{"Authorization":"Bearer •","Accept":"a/b"}}`, []string{"/headers/Authorization"}},
		{`{"headers":[{"name":"X-Api-Key","value":"hunter2pw"}]}`, `{"headers":[{"name":"X-Api-Key","value":"•"}]}`, []string{"/headers/0/value"}},
		{`{"headers":[{"value":"hunter2pw","key":"X-Api-Key"}]}`, `{"headers":[{"value":"•","key":"X-Api-Key"}]}`, []string{"/headers/0/value"}},
		{`{"args":["mysql","-phunter2","-e","select 1"]}`, `{"args":["mysql","-p•","-e","select 1"]}`, []string{"/args/1"}},
		{`{"args":["curl","-u","bob:hunter2",3,"https://acme.dev"]}`, `{"args":["curl","-u","bob:•",3,"https://acme.dev"]}`, []string{"/args/2"}},
		{`{"args":["login","--password","hunter2pw"]}`, `{"args":["login","--password","•"]}`, []string{"/args/2"}},
		{`{"` + aToken + `":{"a/b~c":"` + aToken + `"}}`, `{"•":{"a/b~c":"•"}}`, []string{"", "/[secret:github-pat:4207a59f]/a~1b~0c"}},
		{`"` + aToken + `"`, `"•"`, []string{""}},
		{`["a\u0062\n\ud83d\ude00 \"` + aToken + `\" \/é"]`, `["a\u0062\n\ud83d\ude00 \"•\" \/é"]`, []string{"/0"}},
		{`{"content":"password: \"hunter2pw\"\nport: 1\n"}`, `{"content":"password: \"•\"\nport: 1\n"}`, []string{"/content"}},
		{`{"token":"\u0068unter2pw"}`, `{"token":"•"}`, []string{"/token"}},
		{`{"token":"$TOKEN","max_tokens":4096,"secret_name":"db1","password":null,"passwordFile":"/x"}`, `{"token":"$TOKEN","max_tokens":4096,"secret_name":"db1","password":null,"passwordFile":"/x"}`, nil},
		{`{"tokens":["a","b"],"key":"Enter","auth":true,"path":"src/token.ts"}`, `{"tokens":["a","b"],"key":"Enter","auth":true,"path":"src/token.ts"}`, nil},
		{` [ 1.5e3 , -0, true , null, [ ] , { } , "" ] `, ` [ 1.5e3 , -0, true , null, [ ] , { } , "" ] `, nil},
	} {
		got, found, err := m.JSON(t.Context(), json.RawMessage(c.raw))
		if err != nil {
			t.Errorf("%s: %v", c.raw, err)
			continue
		}
		if shown := maskForm().ReplaceAllString(string(got), "•"); shown != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.raw, got, c.want)
		}
		var fields []string
		for _, f := range found {
			fields = append(fields, f.Field)
		}
		if !slices.Equal(fields, c.fields) {
			t.Errorf("%s: fields %q, want %q", c.raw, fields, c.fields)
		}
	}
}

func TestJSONTellsWhatIsNone(t *testing.T) {
	m := New([]byte("a key"))
	for _, raw := range []string{"", "{", `{"a":"` + aToken + `"`, `{"a":1}{"b":2}`, "nul", `"` + "\n" + `"`} {
		if got, found, err := m.JSON(t.Context(), json.RawMessage(raw)); err == nil || got != nil || found != nil {
			t.Errorf("%q: got %q, %v, %v", raw, got, found, err)
		}
	}
}

// checkJSON asserts what holds for the masking of every JSON text.
func checkJSON(t failer, m *Masker, raw string) {
	got, found, err := m.JSON(context.Background(), json.RawMessage(raw))
	if err != nil {
		t.Fatalf("masking %s: %v", raw, err)
	}
	if !json.Valid(got) {
		t.Fatalf("masking %s gives %s", raw, got)
	}
	var want strings.Builder
	done := 0
	for _, f := range found {
		if f.Start < done || f.End <= f.Start || f.End > len(raw) {
			t.Fatalf("masking %s: mask %+v after byte %d", raw, f, done)
		}
		text := f.text()
		if clue.IsNumber(raw[f.Start:f.End]) && raw[f.Start-1] != '"' && got[want.Len()+f.Start-done] == '"' {
			text = `"` + text + `"`
		}
		want.WriteString(raw[done:f.Start] + text)
		done = f.End
	}
	if want.WriteString(raw[done:]); string(got) != want.String() {
		t.Fatalf("masking %s gives %s, which is not what it found: %s", raw, got, want.String())
	}
	again, more, err := m.JSON(context.Background(), got)
	if err != nil || string(again) != string(got) || more != nil {
		t.Fatalf("masking %s\ngives  %s\nagain  %s, %v, %v", raw, got, again, more, err)
	}
}

// jsonValue draws a value of JSON out of the pieces.
func jsonValue(piece *rapid.Generator[string], depth int) *rapid.Generator[any] {
	text := rapid.Map(rapid.SliceOfN(piece, 0, 3), func(s []string) any { return strings.Join(s, "") })
	list := []*rapid.Generator[any]{text, rapid.Map(rapid.IntRange(0, 1e9), func(n int) any { return n })}
	if depth > 0 {
		inner := jsonValue(piece, depth-1)
		list = append(list,
			rapid.Map(rapid.SliceOfN(inner, 0, 5), func(v []any) any { return v }),
			rapid.Map(rapid.MapOfN(rapid.OneOf(piece, rapid.SampledFrom([]string{"name", "value", "key", "password", "apiKey"})), inner, 0, 4), func(v map[string]any) any { return v }))
	}
	return rapid.OneOf(list...)
}

func TestJSONMaskingIsFinalAndKeepsTheRest(t *testing.T) {
	m := New([]byte("a key"))
	value := jsonValue(pieces(t), 3)
	rapid.Check(t, func(rt *rapid.T) {
		raw, err := json.Marshal(value.Draw(rt, "value"))
		if err != nil {
			rt.Fatal(err)
		}
		checkJSON(rt, m, string(raw))
	})
}

func FuzzJSON(f *testing.F) {
	for _, raw := range []string{`{"password":12345678}`, `{"a":["mysql","-phunter2"]}`, `{"name":"token","value":"hunter2pw"}`, `"\ud83d\ude00` + aToken + `"`, "{\"\":[\"mysql\",\"-p\x97\"]}"} {
		f.Add(raw)
	}
	m := New([]byte("a key"))
	f.Fuzz(func(t *testing.T, raw string) {
		if json.Valid([]byte(raw)) {
			checkJSON(t, m, raw)
		}
	})
}
