// Package bash reads the syntax tree of a command line in bash: the words in it as
// a program gets them, what here-documents and simple commands write, and what of
// the text bash and its relatives provably read alike. It also splits text that has
// no tree.
package bash
