package redact

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/pigate/pigate/internal/gate/catalog"

	"github.com/pigate/pigate/internal/audit/redact/clue"
)

const (
	aToken  = "ghp_tvWojKMdldRyBHUk4Erot61hrulnEgosVVUt"
	another = "glpat-yrr5xWRgORuBPOKSjdfN"
)

func TestMaskNamesTheKindAndADigest(t *testing.T) {
	m := New([]byte("a key"))
	got, found := mask(t, m, "echo "+aToken+" > f")
	if want := "echo [secret:github-pat:" + found[0].Digest + "] > f"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if f := found[0]; f.Kind != "github-pat" || f.Start != 5 || f.End != 5+len(aToken) || !regexp.MustCompile(`^[0-9a-f]{8}$`).MatchString(f.Digest) {
		t.Errorf("got %+v", f)
	}
}

func TestDigestRecognisesASecretAndNeedsTheKey(t *testing.T) {
	digest := func(key, text string) string {
		_, found := mask(t, New([]byte(key)), text)
		if len(found) != 1 {
			t.Fatalf("%s: found %v", text, found)
		}
		return found[0].Digest
	}
	// The known answer pins the form: a digest outlives the process.
	if got := digest("a key", "mysql -phunter2 app"); got != "f3fe6f0c" {
		t.Errorf("digest of hunter2 is %s", got)
	}
	same := []string{"TOKEN=" + another, "curl -H 'Private-Token: " + another + "'", "git clone https://oauth2:" + another + "@gitlab.com/a/b", "docker login -p \"" + another + "\" -u ci x"}
	for _, text := range same {
		if got, want := digest("a key", text), digest("a key", same[0]); got != want {
			t.Errorf("%s: digest %s, want %s", text, got, want)
		}
		if digest("another key", text) == digest("a key", text) {
			t.Errorf("%s: the digest does not depend on the key", text)
		}
	}
	if digest("a key", "TOKEN="+another) == digest("a key", "TOKEN="+another+"x") {
		t.Error("two secrets have one digest")
	}
}

func TestHolds(t *testing.T) {
	m := New([]byte("a key"))
	for text, want := range map[string]bool{
		"shell:curl -H 'Private-Token: " + another + "' *": true,
		"shell:curl -H 'Private-Token: *' *":               false,
		"shell:mysql -u root -p*":                          false,
		"shell:git push *":                                 false,
	} {
		if got, err := m.Holds(t.Context(), text); err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
}

func TestFailureGivesNoText(t *testing.T) {
	over, cancel := context.WithCancel(context.Background())
	cancel()
	broken := New([]byte("a key"))
	broken.detectors = []clue.Detector{func(_ context.Context, s string) []clue.Span { panic("at " + s) }}
	beyond := New([]byte("a key"))
	beyond.detectors = []clue.Detector{func(_ context.Context, s string) []clue.Span {
		return []clue.Span{{Start: 0, End: len(s) + 1, Kind: "x", Rank: clue.ByShape}}
	}}
	restless := New([]byte("a key"))
	restless.detectors = []clue.Detector{func(_ context.Context, s string) []clue.Span {
		at := strings.Index(s, " x ") // one more in every round
		return []clue.Span{{Start: at + 1, End: at + 2, Kind: "x", Rank: clue.ByShape}}
	}}
	noRules := New([]byte("a key"))
	<-noRules.loaded
	noRules.loadErr = errors.New("no rules")

	for name, c := range map[string]struct {
		ctx context.Context
		m   *Masker
		s   string
		is  error
	}{
		"the context is over": {over, New([]byte("a key")), "x " + aToken, context.Canceled},
		"a detector panics":   {t.Context(), broken, "x " + aToken, nil},
		"a span is too long":  {t.Context(), beyond, "x " + aToken, nil},
		"there is no end":     {t.Context(), restless, strings.Repeat(" x  ", 50), nil},
		"rules do not load":   {t.Context(), noRules, "x " + aToken, nil},
		"there is no key":     {t.Context(), New(nil), "x " + aToken, nil},
		"the text is long":    {t.Context(), New([]byte("a key")), aToken + strings.Repeat(" x", MaxText), ErrTooLong},
	} {
		got, found, err := c.m.Text(c.ctx, c.s)
		if got != "" || found != nil || err == nil || strings.Contains(err.Error(), aToken) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: got %q, %v, %v", name, got, found, err)
		}
		if holds, err := c.m.Holds(c.ctx, c.s); holds || err == nil {
			t.Errorf("%s: Holds says %v, %v", name, holds, err)
		}
		inJSON, found, err := c.m.JSON(c.ctx, []byte(`{"a":"`+c.s+`"}`))
		if inJSON != nil || found != nil || err == nil || strings.Contains(err.Error(), aToken) {
			t.Errorf("%s: JSON gives %q, %v, %v", name, inJSON, found, err)
		}
	}
}

func TestSeveralGoroutinesShareAMasker(t *testing.T) {
	m := New([]byte("a key"))
	want, _ := mask(t, New([]byte("a key")), "a "+aToken)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if got, _, err := m.Text(t.Context(), "a "+aToken); err != nil || got != want {
					t.Errorf("got %q, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

// A person may write what looks like a mask; it hides nothing beside it.
func TestForgedMask(t *testing.T) {
	m := New([]byte("a key"))
	for _, text := range []string{
		"echo [secret:x:00000000]" + aToken,
		"PASSWORD=[secret:x:00000000]hunter2",
		"echo [secret:" + aToken + "]",
		"echo [secret:x:00000000] " + aToken,
		"mysql -p[secret:x:0000]hunter2",
	} {
		got, _ := mask(t, m, text)
		if strings.Contains(got, aToken) || strings.Contains(got, "hunter2") {
			t.Errorf("%s\ngives %s", text, got)
		}
	}
}

// pieces are what the texts of the property tests are made of.
func pieces(t testing.TB) *rapid.Generator[string] {
	var list []string
	for _, line := range append(lines(t, "secrets.txt"), lines(t, "lookalikes.txt")...) {
		text, parts := marked(line)
		list = append(list, text)
		list = append(list, parts...)
	}
	for _, p := range catalog.Default().Programs() {
		for _, e := range p.Secrets {
			list = append(append(append(list, e.Options...), e.Logins...), e.After)
		}
	}
	list = append(list, `"`, `'`, "`", `\`, `\"`, `\n`, "\n", " ", "=", ":", "://", "@", "$(", ")", "{", "}", "[", "]", "<", ">", "</", "&", ";", "|", "<<<",
		"password", "PASSWORD=", "token: ", "--token ", "Authorization: ", "Bearer ", "Cookie: ", "-p", "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----",
		"[secret:github-pat:00000000]", "[secret:", "\x00", "\x01", "\xff", "é", "\u202e", aToken, another)
	return rapid.OneOf(rapid.SampledFrom(list), rapid.StringN(0, 6, -1))
}

func TestMaskingIsFinalAndKeepsTheRest(t *testing.T) {
	m := New([]byte("a key"))
	piece := pieces(t)
	rapid.Check(t, func(rt *rapid.T) {
		s := strings.Join(rapid.SliceOfN(piece, 1, 12).Draw(rt, "pieces"), "")
		checkMasking(rt, m, s)
	})
}

type failer interface{ Fatalf(string, ...any) }

// checkMasking asserts what holds for the masking of every text.
func checkMasking(t failer, m *Masker, s string) {
	got, found, err := m.Text(context.Background(), s)
	if err != nil {
		t.Fatalf("masking %q: %v", s, err)
	}
	// Outside of the masks all bytes are those of the original.
	var want strings.Builder
	done := 0
	for _, f := range found {
		if f.Start < done || f.End <= f.Start || f.End > len(s) {
			t.Fatalf("masking %q: mask %+v after byte %d", s, f, done)
		}
		want.WriteString(s[done:f.Start] + f.text())
		done = f.End
	}
	if want.WriteString(s[done:]); got != want.String() {
		t.Fatalf("masking %q gives %q, which is not what it found: %q", s, got, want.String())
	}
	if len(got) > len(s)+len(found)*(len(maskOpen)+maxKind+digestLen+2) {
		t.Fatalf("masking %q gives %d bytes", s, len(got))
	}
	for _, f := range found {
		if f.Kind == "github-pat" && strings.Contains(got, s[f.Start:f.End]) && f.End-f.Start > 30 {
			t.Fatalf("masking %q leaves %q", s, s[f.Start:f.End])
		}
	}
	again, more, err := m.Text(context.Background(), got)
	if err != nil || again != got || more != nil {
		t.Fatalf("masking %q\ngives  %q\nagain  %q, %v, %v", s, got, again, more, err)
	}
	if holds, err := m.Holds(context.Background(), s); err != nil || holds != (len(found) > 0) {
		t.Fatalf("Holds(%q) = %v, %v with %v found", s, holds, err, found)
	}
}

func FuzzText(f *testing.F) {
	for _, line := range append(lines(f, "secrets.txt"), lines(f, "lookalikes.txt")...) {
		text, _ := marked(line)
		f.Add(text)
	}
	m := New([]byte("a key"))
	f.Fuzz(func(t *testing.T, s string) { checkMasking(t, m, s) })
}
