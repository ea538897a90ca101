package audit

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// ExportOptions choose what is exported. The zero value exports everything.
type ExportOptions struct {
	// Public leaves the private parts out; the export can be verified all the
	// same.
	Public bool
	// Session is the id of a session of Pi, "" for all.
	Session string
	// From and To are the first and the last number; 0 for no bound.
	From, To int64
}

func (o ExportOptions) partial() bool { return o.Session != "" || o.From > 0 || o.To > 0 }

// exportMark is how an export begins.
const exportMark = `{"pigate_journal_export":1`

// exportHead is the first line of an export.
type exportHead struct {
	Format  int      `json:"pigate_journal_export"`
	Partial bool     `json:"partial"`
	Private bool     `json:"private"`
	Keys    []string `json:"keys"`
}

// exportLine is one entry. Hashes and salt are in hex; pub and body are texts,
// so that no tool that reads JSON can change a byte of what was hashed.
type exportLine struct {
	Seq        int64   `json:"seq"`
	Version    int64   `json:"version"`
	Prev       string  `json:"prev"`
	Hash       string  `json:"hash"`
	Commitment string  `json:"commitment,omitempty"`
	Pub        string  `json:"pub"`
	Salt       *string `json:"salt,omitempty"`
	Body       *string `json:"body,omitempty"`
}

// Export writes the files of a journal at the paths, in order, as JSON lines
// that Verify takes and that whoever has them can verify. It returns how many
// entries it wrote.
func Export(ctx context.Context, w io.Writer, o ExportOptions, paths ...string) (n int64, err error) {
	keys, err := beside(paths[len(paths)-1], publicSuffix)
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(exportHead{1, o.partial(), !o.Public, append([]string{}, strings.Fields(keys)...)}); err != nil {
		return 0, err
	}
	for _, path := range paths {
		src, err := openSource(ctx, path)
		if err != nil {
			return n, &Error{Op: "export", Path: path, Err: err}
		}
		var writeErr error
		err = src.each(ctx, o.From, func(l *link) bool {
			if o.To > 0 && l.seq > o.To {
				return false
			}
			if !o.wants(l) {
				return true
			}
			n++
			writeErr = encoder.Encode(o.line(l))
			return writeErr == nil
		})
		if err = errors.Join(err, src.close()); err != nil {
			return n, &Error{Op: "export", Path: path, Err: err}
		}
		if writeErr != nil {
			return n, fmt.Errorf("write export: %w", writeErr)
		}
	}
	if err := out.Flush(); err != nil {
		return n, fmt.Errorf("write export: %w", err)
	}
	return n, nil
}

func (o ExportOptions) wants(l *link) bool {
	if o.Session == "" {
		return true
	}
	var h head
	return json.Unmarshal(l.pub, &h) == nil && h.Session == o.Session
}

func (o ExportOptions) line(l *link) exportLine {
	e := exportLine{Seq: l.seq, Version: l.version, Prev: hex.EncodeToString(l.prev), Hash: hex.EncodeToString(l.hash),
		Commitment: hex.EncodeToString(l.commitment), Pub: string(l.pub)}
	if !o.Public && l.salt != nil {
		salt, body := hex.EncodeToString(l.salt), string(l.body)
		e.Salt, e.Body = &salt, &body
	}
	return e
}

// exportFile is an export, open to be verified.
type exportFile struct {
	file *os.File
	head exportHead
	from int64 // where the entries begin
}

var errNoExport = &fault{words: "it is neither a journal nor an export of one", hint: hintOther}

func openExport(path string) (*exportFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	e := &exportFile{file: f}
	line, err := bufio.NewReader(io.LimitReader(f, 1<<20)).ReadBytes('\n')
	if err != nil || !strings.HasPrefix(string(line), exportMark) || json.Unmarshal(line, &e.head) != nil {
		_ = f.Close() // it only read
		return nil, errNoExport
	}
	e.from = int64(len(line))
	return e, nil
}

func (e *exportFile) each(_ context.Context, from int64, f func(*link) bool) error {
	if _, err := e.file.Seek(e.from, io.SeekStart); err != nil {
		return err
	}
	for lines := bufio.NewReaderSize(e.file, 1<<16); ; {
		text, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(text) == 0 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		var line exportLine
		if err := json.Unmarshal(text, &line); err != nil {
			return fmt.Errorf("read export: %w", err)
		}
		l, err := line.link()
		if err != nil {
			return fmt.Errorf("read export: entry %d: %w", line.Seq, err)
		}
		if l.seq >= from && !f(l) {
			return nil
		}
	}
}

func (e exportLine) link() (*link, error) {
	l := &link{seq: e.Seq, version: e.Version, pub: []byte(e.Pub)}
	var errs [4]error
	l.prev, errs[0] = hex.DecodeString(e.Prev)
	l.hash, errs[1] = hex.DecodeString(e.Hash)
	l.commitment, errs[2] = hex.DecodeString(e.Commitment)
	if e.Salt != nil {
		l.salt, errs[3] = hex.DecodeString(*e.Salt)
	}
	if e.Body != nil {
		l.body = []byte(*e.Body)
	}
	return l, errors.Join(errs[:]...)
}

func (e *exportFile) finish(context.Context, bool) (*Finding, error) { return nil, nil }

func (e *exportFile) count(context.Context) int64 { return 0 }

func (e *exportFile) traits() traits { return traits{partial: e.head.Partial, public: !e.head.Private} }

func (e *exportFile) close() error { return e.file.Close() }
