package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// formatVersion is the version of the bytes that are hashed; docs/journal.md
// specifies them.
const formatVersion = 1

const (
	hashSize = sha256.Size
	saltSize = 16
)

// genesis is what the first entry of all names as the hash before it.
var genesis [hashSize]byte

// link is one entry as it is stored.
type link struct {
	seq, version int64
	prev, hash   []byte
	commitment   []byte // empty when there never was a private part
	pub          []byte
	salt, body   []byte // nil when the private part was erased
}

// sum is the hash that belongs to the link's content.
func (l *link) sum() [hashSize]byte {
	return hashEntry(nil, l.version, l.seq, l.prev, l.pub, l.commitment)
}

// whole reports that the link's hash is that of its content.
func (l *link) whole() bool {
	sum := l.sum()
	return bytes.Equal(sum[:], l.hash)
}

// erased reports that there was a private part once.
func (l *link) erased() bool { return len(l.commitment) > 0 && l.salt == nil && l.body == nil }

// hashEntry hashes version, number, previous hash, length and bytes of the
// public part, and the commitment, which is empty or a hash. buf is room to use.
func hashEntry(buf []byte, version, seq int64, prev, pub, commitment []byte) [hashSize]byte {
	buf = binary.BigEndian.AppendUint64(buf[:0], uint64(version))
	buf = binary.BigEndian.AppendUint64(buf, uint64(seq))
	buf = append(buf, prev...)
	buf = binary.BigEndian.AppendUint64(buf, uint64(len(pub)))
	buf = append(buf, pub...)
	buf = append(buf, commitment...)
	return sha256.Sum256(buf)
}

// commit binds a private part without telling anything of it.
func commit(buf, salt, body []byte) [hashSize]byte {
	buf = append(buf[:0], salt...)
	buf = append(buf, body...)
	return sha256.Sum256(buf)
}
