// Command pigate is a permission gate for the Pi coding agent, with a memory.
//
// Each command is one thin file: flags to options, one call into a library,
// print. Only main exits and only it prints errors.
package main

import (
	"os"
)

func main() {
	os.Exit(run(os.Args[1:], standard()))
}
