package audit

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/sumdb/note"
)

// The files beside a journal that belong to its key.
const (
	keySuffix    = ".key"
	publicSuffix = ".pub"
)

// keyName is the name under which checkpoints are signed.
const keyName = "pigate"

// key is what a journal signs with, and what its digests are made with.
type key struct {
	signer note.Signer
	public string // the verifier key, in the form of sumdb/note
	secret [sha256.Size]byte

	mu       sync.Mutex
	projects map[string]string // folder → digest
}

var errKey = &fault{words: "the key beside it cannot be read",
	hint: "move the file that ends in .key away; a new one is made, and checkpoints of the old one stay verifiable with the .pub file"}

// loadKey reads the key of the journal, and makes one where there is none. The
// caller has the lock.
func (p place) loadKey() (*key, error) {
	path := p.path + keySuffix
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		var private string
		if private, _, err = note.GenerateKey(rand.Reader, keyName); err != nil {
			return nil, fmt.Errorf("make key: %w", err)
		}
		text = []byte(private + "\n")
		err = writeNew(path, text)
	}
	if err != nil {
		return nil, fmt.Errorf("read key: %w", err)
	}
	k, err := parseKey(strings.TrimSpace(string(text)))
	if err != nil {
		return nil, err
	}
	if err := p.announce(k.public); err != nil {
		return nil, fmt.Errorf("write public key: %w", err)
	}
	return k, narrow(path)
}

// announce makes sure that the file of public keys, one a line, has this one.
// Older ones stay: what they signed is still to be verified.
func (p place) announce(public string) error {
	path := p.path + publicSuffix
	known, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if slices.Contains(strings.Fields(string(known)), public) {
		return nil
	}
	return writeNew(path, append(known, public+"\n"...))
}

// newKey is a key that nothing is signed with.
func newKey() *key {
	k := &key{projects: map[string]string{}}
	_, _ = rand.Read(k.secret[:]) // never fails
	return k
}

// parseKey reads a private key in the form of sumdb/note.
func parseKey(private string) (*key, error) {
	signer, err := note.NewSigner(private)
	if err != nil {
		return nil, errKey
	}
	fields := strings.Split(private, "+")
	seed, err := base64.StdEncoding.DecodeString(strings.Join(fields[4:], "+"))
	if err != nil || len(seed) != 1+ed25519.SeedSize {
		return nil, errKey
	}
	pair := ed25519.NewKeyFromSeed(seed[1:])
	public, err := note.NewEd25519VerifierKey(signer.Name(), pair.Public().(ed25519.PublicKey))
	if err != nil {
		return nil, errKey
	}
	return &key{signer: signer, public: public, projects: map[string]string{},
		secret: sha256.Sum256([]byte("pigate journal digests\n" + private))}, nil
}

// writeNew writes a file of mode 0600 in one step, so that no half of it is
// ever there.
func writeNew(path string, text []byte) error {
	temporary := path + ".new"
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		_ = os.Remove(temporary) // the first error says more
	}
	return err
}

// digest names a text without telling it: who lacks the key cannot try guesses.
func (k *key) digest(label, text string) string {
	mac := hmac.New(sha256.New, k.secret[:])
	mac.Write([]byte(label + "\x00" + text))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// project is the name of a project's folder in public parts, "" for none.
func (k *key) project(folder string) string {
	if folder == "" {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	name, known := k.projects[folder]
	if !known {
		if len(k.projects) >= maxRemembered {
			clear(k.projects)
		}
		name = k.digest("project", folder)[:16]
		k.projects[folder] = name
	}
	return name
}

// maxRemembered bounds what is kept to save work.
const maxRemembered = 4096
