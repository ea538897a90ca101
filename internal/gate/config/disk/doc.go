// Package disk reads and writes files of configuration: whole or not at all, by
// one process at a time, and without waiting for what stands in a file's place.
package disk
