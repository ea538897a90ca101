package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"slices"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// facts are what an index keeps of one entry.
type facts struct {
	seq    int64
	time   int64
	kind   gate.Kind
	values [columns]int64 // but for names and what other entries say
	names  [nameKinds]string

	subject, verdict digest // zero when the entry is the only one of its kind
	call             digest // of what History looks up; zero for what is no decision
	basis            policy.Basis
	ran, denied      bool
	mark             string // the keyed digest of the project in which a session starts

	of      int64 // the decision that an outcome belongs to
	outcome outcomeFields
	erased  int64 // the first entry whose text an erasure names
}

// outcomeFields are what an outcome says of its call.
type outcomeFields struct {
	OK       bool  `json:"ok"`
	Duration int64 `json:"duration_us"`
	Mismatch bool  `json:"mismatch"`
}

// digest tells apart what is compared: 128 bits of a SHA-256.
type digest [16]byte

// digestOf is the digest of pieces, each with its length.
func digestOf(label string, pieces ...[]byte) (d digest) {
	h := sha256.New()
	for _, p := range append([][]byte{[]byte(label)}, pieces...) {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(p)))
		h.Write(size[:])
		h.Write(p)
	}
	copy(d[:], h.Sum(nil))
	return d
}

// hashOf is a short hash of a text, for a column: what has it is looked at.
func hashOf(text string) int64 { return int64(crc32.ChecksumIEEE([]byte(text))) }

// historyOf is what History looks up: the call as a person saw it.
func historyOf(project, tool, target string) digest {
	return digestOf("history", []byte(project), []byte(tool), []byte(target))
}

// factsOf reads one entry. What cannot be understood, or has a value without a
// code, is unclear and has no other facts.
func factsOf(l *link) *facts {
	s := storedEntry{Seq: l.seq, Pub: string(l.pub), Erased: l.erased()}
	s.Body.String = string(l.body)
	f := &facts{seq: l.seq}
	if !f.read(&s, l.pub) {
		var h head
		if json.Unmarshal(l.pub, &h) == nil {
			f.time = h.Time
		}
		return &facts{seq: l.seq, time: f.time, values: [columns]int64{colSeq: l.seq, colTime: f.time, colFlags: flagUnclear, colSubject: l.seq, colJudged: l.seq}}
	}
	return f
}

func (f *facts) read(s *storedEntry, pub []byte) bool {
	row, err := s.row()
	f.time, f.kind = int64(row.Time), row.Kind
	if err != nil {
		return false
	}
	if row.Kind == gate.KindOutcome {
		var o struct {
			Of int64 `json:"of"`
			outcomeFields
		}
		if json.Unmarshal(pub, &o) != nil {
			return false
		}
		f.of, f.outcome = o.Of, o.outcomeFields
	}
	e, ok := readCall(&row)
	if !ok {
		return false
	}
	f.names = [nameKinds]string{nameSession: row.Session, nameProject: row.Project, nameTool: row.Tool, namePolicy: e.Policy,
		nameRules: listName(row.Rules()), namePrograms: listName(row.Programs())}
	f.values = [columns]int64{colSeq: row.Seq, colTime: int64(row.Time), colWaited: e.Waited, colDuration: row.Duration, colCall: hashOf(e.Call),
		colFlags: flags(&row, e), colSubject: row.Seq, colJudged: row.Seq}
	if !f.codes(&row) {
		return false
	}
	f.compare(&row, e)
	return f.special(&row, pub)
}

// readCall reads what a Call says; of what is about no call, how long an answer
// took.
func readCall(row *Row) (*callBody, bool) {
	if slices.Contains(callKinds, row.Kind) {
		var e callBody
		return &e, json.Unmarshal(row.Body, &e) == nil
	}
	var e struct {
		Call   string `json:"call"`
		Waited int64  `json:"waited_us"`
	}
	err := json.Unmarshal(row.Body, &e)
	return &callBody{Call: e.Call, Waited: e.Waited}, err == nil
}

// codes writes the values that have a code.
func (f *facts) codes(row *Row) bool {
	return put(f, colKind, kinds, row.Kind) && put(f, colVerdict, verdicts, row.Verdict) && put(f, colDecision, actions, row.Decision) &&
		put(f, colBasis, bases, row.Basis) && put(f, colAnswer, answers, row.Answer) && put(f, colOutcome, outcomes, row.Outcome)
}

func put[T ~string](f *facts, c column, list []T, value T) (ok bool) {
	f.values[c], ok = code(list, value)
	return ok
}

func flags(row *Row, e *callBody) (bits int64) {
	for _, f := range []struct {
		bit int64
		set bool
	}{{flagMismatch, row.Mismatch}, {flagErased, row.Erased}, {flagMasked, len(e.Masked) > 0}, {flagOutside, outside(row)}, {flagRefused, e.Result == gate.ResultRefused}} {
		if f.set {
			bits |= f.bit
		}
	}
	return bits
}

// compare makes the digests by which entries are found to be the same.
func (f *facts) compare(row *Row, e *callBody) {
	if row.Erased || !slices.Contains(callKinds, row.Kind) {
		return
	}
	f.subject, f.verdict = e.subject(row.Kind), e.verdict()
	if row.Kind == gate.KindDecision {
		f.call = historyOf(row.Project, row.Tool, policy.Target(row.Tool, row.Input))
		f.basis, f.ran, f.denied = row.Basis, row.Decision == policy.Run, row.Answer == gate.AnswerDeny
	}
}

// special notes what only some kinds of entries say.
func (f *facts) special(row *Row, pub []byte) bool {
	switch row.Kind {
	case gate.KindSessionStart:
		var public callEntry
		if json.Unmarshal(pub, &public) != nil {
			return false
		}
		f.mark = public.Project
	case gate.KindErase:
		var e eraseEntry
		if json.Unmarshal(pub, &e) != nil {
			return false
		}
		for _, span := range e.Erased {
			if f.erased == 0 || span[0] < f.erased {
				f.erased = span[0]
			}
		}
	default:
		// it says nothing special
	}
	return true
}
