package audit

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// checkpoint is what a signed note says: entry size has this hash.
type checkpoint struct {
	size int64
	hash []byte
}

// keyring are the public keys whose signatures count.
type keyring struct {
	texts     []string
	verifiers []note.Verifier
	pinned    bool // keys that are met in the journal do not count
}

// newKeyring reads public keys in the form of sumdb/note, with blanks between.
// Without any, the first key that a journal names is the one.
func newKeyring(text string) (*keyring, error) {
	k := &keyring{}
	for _, t := range strings.Fields(text) {
		if err := k.add(t); err != nil {
			return nil, err
		}
	}
	k.pinned = len(k.texts) > 0
	return k, nil
}

func (k *keyring) add(text string) error {
	v, err := note.NewVerifier(text)
	if err != nil {
		return fmt.Errorf("public key %q: %w", text, err)
	}
	k.texts, k.verifiers = append(k.texts, text), append(k.verifiers, v)
	return nil
}

// met tells of the key that a checkpoint in a journal names. It counts when no
// other is known.
func (k *keyring) met(text string) {
	if len(k.texts) == 0 {
		_ = k.add(text) // what is no key verifies nothing
	}
}

func (k *keyring) first() string {
	if len(k.texts) == 0 {
		return ""
	}
	return k.texts[0]
}

// open verifies a signed note and reads it.
func (k *keyring) open(text []byte) (checkpoint, error) {
	n, err := note.Open(text, note.VerifierList(k.verifiers...))
	var unverified *note.UnverifiedNoteError
	if errors.As(err, &unverified) {
		return checkpoint{}, errors.New("it is not signed by the key of this journal")
	}
	if err != nil {
		return checkpoint{}, errors.New("its signature does not hold")
	}
	return parseCheckpoint(n.Text)
}

func parseCheckpoint(text string) (checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) != 4 || lines[0] != checkpointOrigin || lines[3] != "" {
		return checkpoint{}, errors.New("it is not a checkpoint of a journal")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 1 || strconv.FormatInt(size, 10) != lines[1] {
		return checkpoint{}, fmt.Errorf("it signs entry %q", lines[1])
	}
	hash, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(hash) != hashSize {
		return checkpoint{}, errors.New("it signs no hash")
	}
	return checkpoint{size, hash}, nil
}

// signatureMark begins the lines of a note that are signatures.
const signatureMark = "\u2014 "

// splitNotes cuts a file of checkpoints into its notes. A last one that was not
// written to the end is dropped.
func splitNotes(text string) (notes []string) {
	var b strings.Builder
	signed := false
	for line := range strings.Lines(text) {
		if signed && !strings.HasPrefix(line, signatureMark) {
			notes = append(notes, b.String())
			b.Reset()
			signed = false
		}
		if b.Len() == 0 && strings.TrimSpace(line) == "" {
			continue
		}
		b.WriteString(line)
		signed = signed || strings.HasPrefix(line, signatureMark) && strings.HasSuffix(line, "\n")
	}
	if signed {
		notes = append(notes, b.String())
	}
	return notes
}

// signatureLength is how long a signature of ours is in Base64: four bytes that
// name the key and 64 of Ed25519.
const signatureLength = 92

// isTorn reports that a text is the beginning of a note that was not written to
// the end: the disk was full. What is no such beginning was changed.
func isTorn(text string) bool {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	const mark = signatureMark + keyName + " "
	for i, line := range lines {
		last, ok := i == len(lines)-1, false
		switch i {
		case 0:
			ok = line == checkpointOrigin || last && strings.HasPrefix(checkpointOrigin, line)
		case 1:
			ok = strings.Trim(line, "0123456789") == ""
		case 2:
			ok = len(line) <= base64.StdEncoding.EncodedLen(hashSize) && isBase64(line)
		case 3:
			ok = line == ""
		case 4:
			signature, begun := strings.CutPrefix(line, mark)
			ok = last && (begun && len(signature) < signatureLength && isBase64(signature) || strings.HasPrefix(mark, line))
		}
		if !ok {
			return false
		}
	}
	return true
}

func isBase64(text string) bool {
	return strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == ""
}

// untorn is a note without a torn one that it is glued to.
func untorn(text string) string {
	if at := strings.LastIndex(text, checkpointOrigin+"\n"); at > 0 && isTorn(text[:at]) {
		return text[at:]
	}
	return text
}

// readOutside reads checkpoints that stand outside the journal, sorted. The
// finding is about the first that does not hold.
func readOutside(text string, keys *keyring) ([]checkpoint, *Finding) {
	var list []checkpoint
	for i, n := range splitNotes(text) {
		cp, err := keys.open([]byte(untorn(n)))
		if err != nil && isTorn(n) {
			continue
		}
		if err != nil {
			return nil, found(0, BadSignature, "checkpoint %d outside the journal: %v", i+1, err)
		}
		list = append(list, cp)
	}
	slices.SortStableFunc(list, func(a, b checkpoint) int { return cmp.Compare(a.size, b.size) })
	return list, nil
}

// HasCheckpoints reports that checkpoints stand beside the journal at path,
// whether that is there or not.
func HasCheckpoints(path string) bool {
	text, err := beside(path, checkpointSuffix)
	return err == nil && text != ""
}

// beside reads a file that belongs to a journal, also to a sealed file of it; ""
// when there is none.
func beside(path, suffix string) (string, error) {
	for _, name := range []string{path, liveName(path)} {
		text, err := os.ReadFile(name + suffix)
		if err == nil {
			return string(text), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}
