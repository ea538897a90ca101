package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is the release this source belongs to; the extension carries the
// same one.
const version = "0.1.0"

// build names the commit when the binary was built from a checkout.
func build() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				return " (" + s.Value[:12] + ")"
			}
		}
	}
	return ""
}

func newVersion(env environment) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Example:
  pigate version`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(env.stdout, "pigate %s%s %s/%s\n", version, build(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
