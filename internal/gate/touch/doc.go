// Package touch says which files a command touches: what it reads, writes,
// deletes and executes, by its words and what the catalogue knows of its program.
//
// The package is pure. It looks at no file system, so a path that may be a file
// or a folder counts as both, and of what the line does not tell (a variable, a
// pattern) a Path says what is known.
package touch
