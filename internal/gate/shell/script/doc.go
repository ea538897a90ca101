// Package script reads programs that stand in the words of a command, in the
// languages of awk and sed, and the text of SQL, for what they run and write.
package script
