package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(env environment) *cobra.Command {
	return &cobra.Command{
		Use:   "completion " + strings.Join(shells, "|"),
		Short: "Print what makes a shell complete pigate's commands",
		Long: `Examples:
  source <(pigate completion bash)                                      # in ~/.bashrc
  source <(pigate completion zsh)                                       # in ~/.zshrc, after compinit
  pigate completion fish > ~/.config/fish/completions/pigate.fish
  pigate completion powershell | Out-String | Invoke-Expression         # in $PROFILE

Prints a script for the shell. It completes commands and flags, the values of
flags, and from the journal the ids of sessions, tools and rules. Texts that a
shell might act on are not offered.`,
		ValidArgs: shells,
		Args:      cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(shells, args[0]) {
				return usage("name one shell: %s", strings.Join(shells, ", "))
			}
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(env.stdout, true)
			case "zsh":
				return root.GenZshCompletion(env.stdout)
			case "fish":
				return root.GenFishCompletion(env.stdout, true)
			}
			return root.GenPowerShellCompletionWithDesc(env.stdout)
		},
	}
}
