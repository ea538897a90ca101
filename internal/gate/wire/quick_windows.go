package wire

import "os"

// nonblocking is nil: a pipe of Windows is read by a thread of its own.
func nonblocking(*os.File) *os.File { return nil }
