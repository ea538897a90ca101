// Package risk finds what in the words of a command makes an innocent-looking
// program run commands, write files, reach the network or change state, and tells
// which allow rules name it. What is guarded is the catalogue's; the code here
// reads what no table can tell.
package risk
