package shell_test

import (
	"testing"

	"github.com/pigate/pigate/internal/gate/catalog"
)

func TestAssignmentHazard(t *testing.T) {
	for name, want := range map[string]bool{
		"GIT_PAGER": true, "GIT_SSH_COMMAND": true, "GIT_CONFIG_COUNT": true, "GIT_CONFIG_KEY_0": true, "GIT_EXTERNAL_DIFF": true,
		"GIT_TRACE": true, "GIT_DIR": true, "PAGER": true, "EDITOR": true, "VISUAL": true, "BROWSER": true, "LD_PRELOAD": true,
		"LD_AUDIT": true, "LD_LIBRARY_PATH": true, "DYLD_INSERT_LIBRARIES": true, "BASH_ENV": true, "ENV": true, "PATH": true,
		"PROMPT_COMMAND": true, "BASH_FUNC_ls%%": true, "PYTHONPATH": true, "PYTHONSTARTUP": true, "NODE_OPTIONS": true,
		"RIPGREP_CONFIG_PATH": true, "PERL5OPT": true, "RUBYOPT": true, "JAVA_TOOL_OPTIONS": true, "RUSTC_WRAPPER": true,
		"CARGO_BUILD_RUSTC": true, "GOFLAGS": true, "LESSOPEN": true, "MANPAGER": true, "SYSTEMD_PAGER": true, "TAR_OPTIONS": true,
		"npm_config_script_shell": true, "NPM_CONFIG_REGISTRY": true, "PIP_INDEX_URL": true, "KUBECONFIG": true, "DOCKER_HOST": true,
		"IFS": true, "HOME": true, "MAKEFLAGS": true, "CC": true,

		"FOO": false, "CI": false, "DEBUG": false, "NO_COLOR": false, "LANG": false, "LC_ALL": false, "TZ": false, "TERM": false,
		"NODE_ENV": false, "RUST_BACKTRACE": false, "CGO_ENABLED": false, "GOOS": false, "GH_TOKEN": false, "GIT_AUTHOR_NAME": false,
		"GIT_TERMINAL_PROMPT": false, "CARGO_TERM_COLOR": false, "path": false, "": false,
	} {
		why, ok := catalog.Default().Variable(name)
		if ok != want || ok == (why == "") {
			t.Errorf("%s: %q, %v, want %v", name, why, ok, want)
		}
	}
}
