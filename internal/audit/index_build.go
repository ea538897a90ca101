package audit

import (
	"context"
	"errors"
	"sort"

	"github.com/jmoiron/sqlx"

	"github.com/pigate/pigate/internal/gate"
)

// batchEntries is how many entries are indexed in one transaction: what is lost
// when it is interrupted.
const batchEntries = 1 << 17

// maxSame is how many digests are remembered from one batch to the next.
const maxSame = 1 << 19

// errStale reports that text was erased from entries that the index covers.
var errStale = errors.New("entries of the index were erased")

// builder brings an index up to date.
type builder struct {
	reader *Reader
	conn   *sqlx.Conn
	state  state
	began  int64 // what was covered when it began
	known  int64 // outcomes of decisions from here on are joined

	templates templates

	names  [nameKinds]map[string]int64
	fresh  []freshName
	blocks []block // without their columns
	open   map[int]*block
	same   map[digest]int64
	all    bool // same has all there are
	sames  []freshSame
	calls  map[digest]*History
}

type freshName struct {
	kind nameKind
	id   int64
	text string
}

type freshSame struct {
	digest digest
	seq    int64
}

// build indexes the entries that are missing, up to those there are now.
// Several may do it at once: each batch goes on where the last one ended, whoever
// made it.
func (ix *index) build(ctx context.Context, r *Reader, last int64) error {
	conn, err := ix.db.Connx(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // what was written is committed
	b := &builder{reader: r, conn: conn, known: r.files[0].first, began: -1}
	for {
		more, err := b.batch(ctx, ix, last)
		if err != nil || !more {
			return err
		}
	}
}

// batch indexes some entries in one transaction, and reports whether more are
// missing.
func (b *builder) batch(ctx context.Context, ix *index, last int64) (more bool, err error) {
	if err := begin(ctx, b.conn); err != nil {
		return false, err
	}
	defer func() { err = finish(ctx, b.conn, err) }()
	// A statement that ends early would cost the connection; reading the journal
	// heeds the context.
	free := context.WithoutCancel(ctx)
	now, err := ix.state(free, b.conn)
	if err != nil {
		return false, err
	}
	if now.Seq >= last {
		return false, nil
	}
	if b.began < 0 {
		b.began = now.Seq
	}
	if b.names[0] == nil || now.Seq != b.state.Seq {
		if err := b.load(free, now); err != nil {
			return false, err
		}
	}
	b.open, b.fresh, b.sames, b.calls = map[int]*block{}, nil, nil, map[digest]*History{}
	if len(b.same) > maxSame {
		b.same, b.all = map[digest]int64{}, false
	}
	after := max(now.Seq, b.state.First-1) // the files before the first are gone, and their entries with them
	err = b.reader.eachFacts(ctx, after+1, min(last, after+b.reader.indexing.batch), &b.templates, func(f *facts, hash []byte) error {
		b.state.Seq, b.state.Hash = f.seq, append(b.state.Hash[:0], hash...)
		return b.add(free, f)
	})
	if err == nil {
		err = b.write(free)
	}
	if err == nil && b.state.Seq == now.Seq {
		err = errNoIndex // so many entries are missing
	}
	b.reader.progress(b.state.Seq-b.began, last-b.began)
	return b.state.Seq < last, err
}

// load reads what the index has.
func (b *builder) load(ctx context.Context, now state) error {
	b.state, b.same, b.all = now, map[digest]int64{}, now.Seq == 0
	if now.Seq == 0 {
		b.state.First = b.known
	}
	for kind := range nameKinds {
		texts, err := namesOf(ctx, b.conn, kind)
		if err != nil {
			return err
		}
		b.names[kind] = make(map[string]int64, len(texts))
		for id, text := range texts {
			b.names[kind][text] = int64(id)
		}
	}
	b.blocks = nil
	return b.conn.SelectContext(ctx, &b.blocks, sqlBlocks)
}

const sqlBlocks = `SELECT id, rows, first, last, since, until FROM block ORDER BY id`

// add indexes one entry.
func (b *builder) add(ctx context.Context, f *facts) error {
	if f.erased > 0 && f.erased <= b.began {
		return errStale
	}
	if f.kind == gate.KindOutcome && f.of >= b.known {
		return b.join(ctx, f)
	}
	for c, kind := range nameColumns {
		f.values[c] = b.name(kind, f.names[kind])
	}
	if f.subject != (digest{}) {
		var err error
		if f.values[colSubject], err = b.first(ctx, f.subject, f.seq); err != nil {
			return err
		}
		if f.values[colJudged], err = b.first(ctx, judgedOf(f.subject, f.names[namePolicy], f.verdict), f.seq); err != nil {
			return err
		}
	}
	if f.call != (digest{}) {
		b.count(f)
	}
	if f.mark != "" && f.values[colFlags]&flagErased == 0 {
		if _, err := b.conn.ExecContext(ctx, `INSERT OR IGNORE INTO home (project, mark, session) VALUES (?, ?, ?)`,
			f.values[colProject], f.mark, f.values[colSession]); err != nil {
			return err
		}
	}
	last, err := b.last(ctx)
	if err != nil {
		return err
	}
	last.add(f.values)
	return nil
}

// join notes an outcome in the row of its decision. Only the first one counts.
func (b *builder) join(ctx context.Context, f *facts) error {
	if len(b.blocks) == 0 {
		return nil
	}
	// What is not in a full block is in the last.
	full := b.blocks[:len(b.blocks)-1]
	i := sort.Search(len(full), func(i int) bool { return full[i].Last >= f.of })
	bl, err := b.block(ctx, i)
	if err != nil {
		return err
	}
	row, found := bl.find(f.of)
	if !found || decode(kinds, bl.get(colKind, row)) != gate.KindDecision || bl.get(colOutcome, row) != 0 {
		return nil
	}
	outcome, mismatch := outcomeOf(&f.outcome)
	bl.set(colOutcome, row, outcome)
	bl.set(colDuration, row, f.outcome.Duration)
	bl.set(colFlags, row, bl.get(colFlags, row)|mismatch)
	return nil
}

// outcomeOf is the code of an outcome, and the flag for a call that was changed.
func outcomeOf(o *outcomeFields) (outcome, mismatch int64) {
	outcome = 2
	if o.OK {
		outcome = 1
	}
	if o.Mismatch {
		mismatch = flagMismatch
	}
	return outcome, mismatch
}

// name is the number of a text.
func (b *builder) name(kind nameKind, text string) int64 {
	id, known := b.names[kind][text]
	if !known {
		id = int64(len(b.names[kind]))
		b.names[kind][text] = id
		b.fresh = append(b.fresh, freshName{kind, id, text})
	}
	return id
}

// first is the number of the first entry that has a digest: seq when that is it.
func (b *builder) first(ctx context.Context, d digest, seq int64) (int64, error) {
	if first, known := b.same[d]; known {
		return first, nil
	}
	if !b.all {
		var found []int64
		if err := b.conn.SelectContext(ctx, &found, sqlSame, d[:]); err != nil {
			return 0, err
		}
		if len(found) > 0 {
			b.same[d] = found[0]
			return found[0], nil
		}
	}
	b.same[d] = seq
	b.sames = append(b.sames, freshSame{d, seq})
	return seq, nil
}

const sqlSame = `SELECT seq FROM same WHERE digest = ?`

// count adds a decision to the history of its call.
func (b *builder) count(f *facts) {
	h := b.calls[f.call]
	if h == nil {
		h = &History{}
		b.calls[f.call] = h
	}
	h.count(Micros(f.time), f.ran, f.denied, f.basis)
}
