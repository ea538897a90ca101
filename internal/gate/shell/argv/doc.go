// Package argv holds the words of a command as a program gets them, and what is
// known of words that the command line does not tell to the last character. It
// reads options by what a catalogue knows of the program.
package argv
