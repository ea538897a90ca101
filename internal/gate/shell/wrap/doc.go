// Package wrap reads the words of commands that run others: which command, shell
// text or input it is that they run. It tells what it finds to the line around
// them.
package wrap
