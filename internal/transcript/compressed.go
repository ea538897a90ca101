package transcript

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// compressed is the ending of a file that is packed by zstd (RFC 8878).
const compressed = ".zst"

// maxWindow is how far back a packed text may refer, in bytes. It bounds the
// memory; zstd's own programs unpack no more without being told to.
const maxWindow = 128 << 20

// Text returns what the file holds, read from in: unpacked where its name says
// that it is packed. Closing it does not close in.
func (f File) Text(in io.Reader) (io.ReadCloser, error) {
	if !strings.HasSuffix(f.Path, compressed) {
		return io.NopCloser(in), nil
	}
	d, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", f.Path, err)
	}
	return unpacked{d}, nil
}

// unpacked is a packed text as it is read.
type unpacked struct{ d *zstd.Decoder }

func (u unpacked) Read(p []byte) (int, error) {
	n, err := u.d.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("unpack: %w", err)
	}
	return n, err
}

func (u unpacked) Close() error {
	u.d.Close()
	return nil
}
