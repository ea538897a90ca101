package main

import "os"

// memoryOf is 0: Windows does not tell.
func memoryOf(*os.ProcessState) int64 { return 0 }
