// Command echo answers each JSON line on its standard input with the same
// value. It is the least that any gate behind a pipe can cost, and what
// decisions are measured against.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := echo(); err != nil {
		fmt.Fprintln(os.Stderr, "echo:", err)
		os.Exit(1)
	}
}

func echo() error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var value any
		if err := json.Unmarshal(lines.Bytes(), &value); err != nil {
			return fmt.Errorf("read line: %w", err)
		}
		reply, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("encode line: %w", err)
		}
		if _, err := os.Stdout.Write(append(reply, '\n')); err != nil {
			return fmt.Errorf("write line: %w", err)
		}
	}
	return lines.Err()
}
