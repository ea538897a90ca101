package audit

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/pigate/pigate/internal/gate"
	"github.com/pigate/pigate/internal/gate/policy"
)

// Past tells the gate what became of a call before. It reads the journal beside
// the process that writes it, by connections of its own. It may be used by
// several goroutines.
type Past struct {
	path string

	mu     sync.Mutex
	reader *Reader // nil until Refresh
}

var _ gate.Historian = (*Past)(nil)

// NewPast returns the past of the journal at path, which is looked at from the
// first Refresh on.
func NewPast(path string) *Past { return &Past{path: path} }

// Refresh opens the journal, or what it has become since. It builds nothing: the
// error is ErrBehind when its index has to be brought up to date before History
// can tell anything. Reader.Refresh does that, in this process or another.
func (p *Past) Refresh(ctx context.Context) error {
	files, err := Files(p.path)
	if err != nil {
		return err
	}
	r, err := OpenReader(ctx, files...)
	if err != nil {
		return err
	}
	if _, err = r.History(ctx, "", "", nil); err != nil && !errors.Is(err, ErrBehind) {
		return errors.Join(err, r.Close())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	old := p.reader
	p.reader = r
	for _, f := range r.files {
		f.memory.yields(p)
	}
	if old != nil {
		err = errors.Join(err, old.Close())
	}
	return err
}

// ErrChanged is the error of Past.History when the journal was not looked at yet,
// or its files are others since: rotated, replaced or gone. Refresh mends that.
var ErrChanged = errors.New("the journal's files are not those that were looked at")

// maxRelated is how many other worktrees a history is looked up in.
const maxRelated = 8

// History looks up what became of calls that are the same to the person, in the
// project and in the other worktrees of its repository. Its errors are ErrChanged and those of Reader.History.
func (p *Past) History(ctx context.Context, req policy.Request) (gate.History, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reader == nil || !p.reader.current() {
		return gate.History{}, ErrChanged
	}
	project := req.Root
	if project == "" {
		project = req.Cwd
	}
	var sum gate.History
	for _, folder := range append([]string{project}, req.Checkout.Worktrees[:min(len(req.Checkout.Worktrees), maxRelated)]...) {
		h, err := p.reader.History(ctx, folder, req.Tool, req.Input)
		if err != nil {
			return gate.History{}, err
		}
		sum.Approved, sum.Denied, sum.Unasked = sum.Approved+h.Approved, sum.Denied+h.Denied, sum.Unasked+h.Ran-h.Approved
		sum.LastRan, sum.LastDenied = max(sum.LastRan, int64(h.LastRan)), max(sum.LastDenied, int64(h.LastDenied))
	}
	return sum, nil
}

// current reports that the reader's files are still where they were found.
func (r *Reader) current() bool {
	return !slices.ContainsFunc(r.files, func(f *file) bool { return still(f.path, &f.id) != nil || !f.memory.current(f.place) })
}

// Close closes what Refresh has opened.
func (p *Past) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reader == nil {
		return nil
	}
	r := p.reader
	p.reader = nil
	return r.Close()
}
