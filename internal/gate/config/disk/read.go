package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// MaxSize is the largest configuration file, in bytes.
const MaxSize = 4 << 20

// Read returns the bytes of a configuration file, or an error for which
// errors.Is(err, fs.ErrNotExist) holds when there is none. Whatever else stands
// in its place (a folder, a pipe, a device, a file that is too large or must
// not be read, a link that leads nowhere) is another error. It never waits for
// another process.
func Read(path string) (body []byte, err error) {
	err = whileBusy(func() error {
		body, err = readOnce(path)
		return err
	})
	return body, err
}

func readOnce(path string) ([]byte, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("the folder of %s is not known", filepath.Base(path))
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, linkErr := os.Lstat(path); linkErr != nil {
			return nil, err
		}
		// It leads nowhere, unless somebody has made the file just now.
		if info, err = os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New("it is a link to a file that does not exist")
		}
	}
	if err != nil {
		return nil, err
	}
	if err := suitable(info); err != nil {
		return nil, err
	}
	f, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	// It may have been replaced since.
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := suitable(info); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	body.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := body.ReadFrom(io.LimitReader(f, MaxSize+1)); err != nil {
		return nil, err
	}
	if body.Len() > MaxSize {
		return nil, ErrTooLarge
	}
	return body.Bytes(), nil
}

// ErrTooLarge is the error of Read for a file of more than MaxSize.
var ErrTooLarge = fmt.Errorf("it is larger than %d MiB", MaxSize>>20)

// suitable refuses everything that is not an ordinary file of ordinary size.
func suitable(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return errors.New("it is a folder")
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("it is a named pipe")
	case !mode.IsRegular():
		return errors.New("it is not an ordinary file")
	case info.Size() > MaxSize:
		return ErrTooLarge
	}
	return nil
}

// Cause strips the operation and the path from an error of the os package;
// the warning names the file itself.
func Cause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err.Error()
	}
	return err.Error()
}
