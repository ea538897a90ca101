package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pigate/pigate/internal/gate"
)

// EraseOptions say what is erased, and who does it and why, for the record.
type EraseOptions struct {
	// Seqs are the numbers of entries, Match a text: every entry that has it in
	// its private part is meant.
	Seqs  []int64
	Match string
	// Reason, User and Host are recorded in private.
	Reason, User, Host string
}

// eraseEntry is the public part of an erasure: which entries, as ranges of
// numbers.
type eraseEntry struct {
	head
	Erased [][2]int64 `json:"erased"`
}

type erasedBy struct {
	User   string `json:"user,omitempty"`
	Host   string `json:"host,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// errPacking is what is left to do when text was erased but its bytes may be
// there still.
var errPacking = errors.New("the text is erased, but its bytes may still be in the file or its log")

var errIndexKept = errors.New("the text is erased, but not the index that was made of it; it may be deleted by hand")

// Erase removes the private text of entries of the journal at path, of its
// sealed files too, and packs the files, so that the bytes are gone from them
// and from their logs; the index goes with it. The chain stays whole: it holds a commitment to the text
// and not the text. An entry says what was erased. Erase returns the numbers;
// none means that nothing matched, and then nothing was done.
func Erase(ctx context.Context, path string, o EraseOptions, options Options) (seqs []int64, err error) {
	fail := func(err error) error { return &Error{Op: "erase in", Path: path, Err: err} }
	if _, err := os.Stat(path); err != nil {
		return nil, fail(errMissing)
	}
	files, err := Files(path)
	if err != nil {
		return nil, fail(err)
	}
	targets := make([][]int64, len(files))
	for i, file := range files {
		if targets[i], err = findPrivate(ctx, file, o); err != nil {
			return nil, &Error{Op: "read", Path: file, Err: err}
		}
		seqs = append(seqs, targets[i]...)
	}
	if len(seqs) == 0 {
		return nil, nil
	}
	if err := declare(ctx, path, seqs, o, options); err != nil {
		return nil, err
	}
	for i, file := range files {
		if err := eraseIn(ctx, file, targets[i]); err != nil {
			return seqs, &Error{Op: "erase in", Path: file, Err: err}
		}
	}
	// It knows projects, rules and programs, and what was the same as what.
	if err := removeIndex(path); err != nil {
		return seqs, &Error{Op: "erase in", Path: path + indexName, Err: fmt.Errorf("%w: %w", errIndexKept, err)}
	}
	return seqs, nil
}

// findPrivate finds the entries of one file that are meant and have a private
// part still.
func findPrivate(ctx context.Context, file string, o EraseOptions) (seqs []int64, err error) {
	wanted := map[int64]bool{}
	for _, s := range o.Seqs {
		wanted[s] = true
	}
	text, escaped := []byte(o.Match), []byte(inner(o.Match))
	src, err := openSource(ctx, file)
	if err != nil {
		return nil, err
	}
	err = src.each(ctx, 0, func(l *link) bool {
		matches := o.Match != "" && (bytes.Contains(l.body, text) || bytes.Contains(l.body, escaped))
		if l.salt != nil && (wanted[l.seq] || matches) {
			seqs = append(seqs, l.seq)
		}
		return true
	})
	return seqs, errors.Join(err, src.close())
}

// declare records what will be erased. It comes first: an erasure that nobody
// declared is a sign of tampering, one that did not happen is none.
func declare(ctx context.Context, path string, seqs []int64, o EraseOptions, options Options) (err error) {
	j := NewJournal(path, options)
	defer func() { err = errors.Join(err, j.Close()) }()
	n, err := j.encoding(ctx)
	if err != nil {
		return err
	}
	h := head{Kind: gate.KindErase, Time: time.Now().UnixMicro()}
	p, err := n.parts(ctx, h, eraseEntry{h, ranges(seqs)}, erasedBy{o.User, o.Host, o.Reason})
	if err != nil {
		return err
	}
	_, err = j.commit(ctx, p)
	return err
}

// ranges are ascending numbers as ranges from and to.
func ranges(seqs []int64) (list [][2]int64) {
	for _, s := range seqs {
		if n := len(list); n > 0 && list[n-1][1] == s-1 {
			list[n-1][1] = s
			continue
		}
		list = append(list, [2]int64{s, s})
	}
	return list
}

// eraseIn removes the private parts of entries from one file.
func eraseIn(ctx context.Context, path string, seqs []int64) (err error) {
	if len(seqs) == 0 {
		return nil
	}
	pl, err := locate(path)
	if err != nil {
		return err
	}
	c := &connection{place: pl, logging: !networked(filepath.Dir(pl.path))}
	defer func() { err = errors.Join(err, c.close()) }()
	if c.db, err = dial(pl.writerDSN(Options{})+"&mode=rw&_pragma=secure_delete(1)", erasing, &c.memory); err != nil {
		return err
	}
	c.db.SetMaxOpenConns(1)
	if c.conn, err = c.db.Connx(ctx); err != nil {
		return err
	}
	if err := requireJournal(ctx, c.conn); err != nil {
		return err
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if err := c.memory.take(pl); err != nil {
		return err
	}
	if err := c.place.remember(c.logging); err != nil {
		return err
	}
	err = c.transaction(ctx, func(ctx context.Context) error {
		for _, s := range seqs {
			if _, err := c.conn.ExecContext(ctx, `UPDATE entry SET salt = NULL, body = NULL WHERE seq = ?`, s); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.pack(ctx)
}

// pack rewrites the file and empties its log.
func (c *connection) pack(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, packPatience)
	defer cancel()
	err := c.patiently(ctx, func(ctx context.Context) error {
		_, err := c.conn.ExecContext(ctx, "VACUUM")
		return err
	})
	if err == nil && c.logging {
		err = c.empty(ctx)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errPacking, err)
	}
	return nil
}

// packPatience is how long packing waits for those who read.
const packPatience = 30 * time.Second
