package audit

import (
	"bytes"
	"crypto/sha256"
	"strconv"
	"sync"

	"github.com/pigate/pigate/internal/gate"
)

// templates remember the facts of entries, but for what differs each time. The
// same calls come again and again, and taking an entry apart costs ten times as
// much as seeing that another one was the same.
type templates struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]*facts
}

// maxTemplates bounds what is remembered: some tens of megabytes.
const maxTemplates = 1 << 16

func (t *templates) get(key [sha256.Size]byte) *facts {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.known[key]
}

func (t *templates) put(key [sha256.Size]byte, f *facts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || len(t.known) >= maxTemplates {
		t.known = map[[sha256.Size]byte]*facts{}
	}
	t.known[key] = f
}

// facts are those of one entry.
func (t *templates) facts(l *link) *facts {
	own, ok := ownOf(l)
	if !ok {
		return factsOf(l)
	}
	key := own.key(l)
	if f := t.get(key); f != nil {
		return own.fill(f)
	}
	f := factsOf(l)
	if f.values[colFlags]&flagUnclear == 0 && own.is(f) && own.once(l.body) {
		template := *f // f itself is written to by who gets it
		t.put(key, &template)
	}
	return f
}

// varyingFields are what an entry has for itself: its number, its head, and the
// fields of the public part that differ from call to call.
type varyingFields struct {
	seq                   int64
	kind                  gate.Kind
	time                  int64
	session, call, policy string
	waited, duration, of  int64
	rest                  []byte // of the public part
}

// ownOf reads the head of a public part and cuts the fields out, if all of it
// has the form in which encode writes it; any other entry is taken apart.
func ownOf(l *link) (o varyingFields, ok bool) {
	o.seq = l.seq
	rest := l.pub
	var kind []byte
	if kind, rest, ok = field(rest, `{"kind":"`, '"'); !ok {
		return o, false
	}
	o.kind = gate.Kind(kind)
	end := bytes.IndexByte(rest[min(1, len(rest)):], ',') + 1
	if end == 0 {
		return o, false // nothing but the head: few are
	}
	number, found := bytes.CutPrefix(rest[:end], []byte(`,"time":`))
	var err error
	if o.time, err = strconv.ParseInt(string(number), 10, 64); !found || err != nil {
		return o, false
	}
	rest = rest[end:]
	if text, after, has := field(rest, `,"session":"`, '"'); has {
		o.session, rest = string(text), after
	}
	if text, after, has := field(rest, `,"call":"`, '"'); has {
		o.call, rest = string(text), after
	}
	o.rest = rest
	for _, c := range []struct {
		name string
		to   *int64
	}{{`,"waited_us":`, &o.waited}, {`,"duration_us":`, &o.duration}, {`,"of":`, &o.of}} {
		o.cut(c.name, c.to)
	}
	if i := bytes.Index(o.rest, []byte(`,"policy":"`)); i >= 0 {
		if text, after, has := field(o.rest[i:], `,"policy":"`, '"'); has {
			o.policy = string(text)
			o.rest = append(append([]byte{}, o.rest[:i]...), after...)
		}
	}
	return o, true
}

// field takes a string field off the front of a text; one with escapes in it is
// none.
func field(text []byte, before string, end byte) (value, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(text, []byte(before))
	if !ok {
		return nil, text, false
	}
	i := bytes.IndexByte(rest, end)
	if i < 0 || bytes.IndexByte(rest[:i], '\\') >= 0 {
		return nil, text, false
	}
	return rest[:i], rest[i+1:], true
}

// cut takes a number out of the rest.
func (o *varyingFields) cut(name string, to *int64) {
	i := bytes.Index(o.rest, []byte(name))
	if i < 0 {
		return
	}
	digits := o.rest[i+len(name):]
	n := 0
	for n < len(digits) && digits[n] >= '0' && digits[n] <= '9' {
		n++
	}
	value, err := strconv.ParseInt(string(digits[:n]), 10, 64)
	if err != nil || n == len(digits) || digits[n] != ',' && digits[n] != '}' {
		return // it stays, and keeps the entry from being taken for another
	}
	*to = value
	o.rest = append(append([]byte{}, o.rest[:i]...), digits[n:]...)
}

// once reports that the fields which were cut out stand nowhere else: one that
// comes twice counts as it comes last.
func (o *varyingFields) once(body []byte) bool {
	for _, name := range []string{`,"time":`, `,"session":`, `,"call":`, `,"waited_us":`, `,"duration_us":`, `,"of":`, `,"policy":`} {
		if bytes.Contains(o.rest, []byte(name)) || bytes.Contains(body, []byte(name[1:])) {
			return false
		}
	}
	return true
}

// key is equal for entries whose facts differ in nothing but their own.
func (o *varyingFields) key(l *link) (key [sha256.Size]byte) {
	h := sha256.New()
	state := byte('0')
	if l.erased() {
		state = '1'
	}
	h.Write([]byte(string(o.kind) + "\x00" + string(state) + strconv.Itoa(len(o.rest)) + "\x00"))
	h.Write(o.rest)
	h.Write(l.body)
	h.Sum(key[:0])
	return key
}

// is reports that facts have what the entry has for itself.
func (o *varyingFields) is(f *facts) bool {
	again := *f
	return *o.fill(&again) == *f
}

// fill makes of the facts of another entry those of this one.
func (o *varyingFields) fill(template *facts) *facts {
	f := *template
	f.seq, f.time, f.of = o.seq, o.time, o.of
	f.values[colSeq], f.values[colTime], f.values[colCall] = o.seq, o.time, hashOf(o.call)
	f.values[colSubject], f.values[colJudged] = o.seq, o.seq
	f.values[colWaited], f.values[colDuration] = o.waited, o.duration
	f.names[nameSession], f.names[namePolicy] = o.session, o.policy
	f.outcome.Duration = o.duration
	return &f
}
