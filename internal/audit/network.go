package audit

import "path/filepath"

// OnNetwork reports that the journal at path lies on a file system of another
// machine, so that it is not put in WAL mode.
func OnNetwork(path string) bool { return networked(filepath.Dir(path)) }

// networked reports that a folder lies on a file system of another machine,
// where the write-ahead log is unsafe: it needs memory that all who have the
// file open share. It is a variable for the tests.
var networked = isNetworked
