package hint_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/pigate/pigate/internal/hint"
)

func TestOf(t *testing.T) {
	inner := hint.With(fs.ErrNotExist, "create it")
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{fs.ErrNotExist, ""},
		{inner, "create it"},
		{fmt.Errorf("open: %w", inner), "create it"},
		{hint.With(inner, "name another"), "name another"},
		{hint.With(inner, ""), "create it"},
		{errors.Join(fs.ErrClosed, inner), "create it"},
	} {
		if got := hint.Of(c.err); got != c.want {
			t.Errorf("the hint of %v is %q, want %q", c.err, got, c.want)
		}
	}
	if err := hint.With(fmt.Errorf("open: %w", fs.ErrNotExist), "create it"); err.Error() != "open: file does not exist" || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not the error it was", err)
	}
}
