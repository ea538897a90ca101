package audit

// networked reports that a folder lies on a file system of another machine,
// where the write-ahead log is unsafe: it needs memory that all who have the
// file open share. It is a variable for the tests.
var networked = isNetworked
