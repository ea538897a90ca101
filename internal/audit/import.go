package audit

import (
	"context"
	"fmt"

	"github.com/pigate/pigate/internal/gate"
)

// Prepared is an imported call as it will be stored.
type Prepared struct {
	parts  *parts
	name   callName // as it stands in the parts
	copied []string
}

// Prepare makes a past call ready to be stored: secrets are masked, the entry is
// split into its parts. It may be called by several goroutines. Errors are of
// type *Error.
func (j *Journal) Prepare(ctx context.Context, past PastCall) (Prepared, error) {
	if kind := past.Entry.Kind; kind != gate.KindImport {
		return Prepared{}, &Error{Op: opImport, Path: j.path, Err: fmt.Errorf("an entry of kind %q is no imported call", kind)}
	}
	n, err := j.encoding(ctx)
	if err != nil {
		return Prepared{}, err
	}
	p, err := n.encode(ctx, past.Entry)
	if err != nil {
		return Prepared{}, &Error{Op: opImport, Path: j.path, Err: err}
	}
	name := past.name()
	name.Session, name.Call = p.session, p.call
	name.Tool, name.Source = n.veil.name(ctx, name.Tool), n.veil.name(ctx, name.Source)
	return Prepared{p, name, past.Copied}, nil
}

const opImport = "import into"

// Import appends those of the calls that the journal does not know, all or none,
// and returns what it knew of each before. known has to be of this journal; what
// others appended meanwhile is added to it. The calls are stored in one
// transaction, which keeps a gate from writing for as long as it takes: some
// hundred take some milliseconds. Errors are of type *Error; after one nothing
// of the group is stored, and importing it again is safe.
func (j *Journal) Import(ctx context.Context, known *Known, calls []Prepared) (before []Standing, err error) {
	err = j.write(ctx, opImport, func(ctx context.Context, c *connection) error {
		before = make([]Standing, len(calls))
		var a addition
		err := c.transaction(ctx, func(ctx context.Context) error {
			if err := known.update(ctx, c.conn); err != nil {
				return err
			}
			return c.addUnknown(ctx, known, calls, before, &a)
		})
		if err != nil {
			c.seq = 0 // what was added is undone
			known.forget(a.added)
			return err
		}
		if len(a.added) > 0 {
			known.last = a.last
			c.keeper.appended(a.first, a.last, nil)
		}
		return nil
	})
	return before, err
}

// addition is what one transaction adds: the calls, and the numbers of the first
// and the last entry.
type addition struct {
	added       []callName
	first, last int64
}

// forget takes back that calls are known which were not stored after all.
func (k *Known) forget(list []callName) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, n := range list {
		delete(k.calls, n.imported())
		delete(k.calls, n.anywhere())
	}
}

// addUnknown inserts the calls that are not known and makes them known.
func (c *connection) addUnknown(ctx context.Context, known *Known, calls []Prepared, before []Standing, a *addition) error {
	seq, hash, err := c.lookUp(ctx)
	if err != nil {
		return err
	}
	a.first = seq + 1
	for i := range calls {
		p := &calls[i]
		if before[i] = known.standing(&p.name, p.copied); before[i] != Unknown {
			continue
		}
		if seq, hash, err = c.add(ctx, seq, hash, p.parts); err != nil {
			return sealed(err)
		}
		known.add(&p.name)
		a.added = append(a.added, p.name)
	}
	a.last, c.seq, c.hash = seq, seq, hash
	return nil
}
