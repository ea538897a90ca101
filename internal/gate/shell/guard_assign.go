package shell

import "strings"

const (
	namesProgram = "names a program that others run"
	namesOptions = "gives a program options"
	namesCode    = "names code that programs load"
	namesFile    = "names a file that programs take settings from or write"
)

// hazardousNames are variables by which programs run others, load code, take
// options or write files, from the manuals of the shells, the dynamic linkers
// and the programs.
var hazardousNames = map[string]string{
	"PATH": "changes which programs run", "CDPATH": "changes where cd goes", "IFS": "changes how words are split",
	"SHELL": namesProgram, "BASH_ENV": namesCode, "ENV": namesCode, "PROMPT_COMMAND": "is run before each prompt",
	"PS1": "may run a command", "PS4": "may run a command", "SHELLOPTS": namesOptions, "BASHOPTS": namesOptions, "ZDOTDIR": namesCode,
	"HISTFILE": namesFile, "HOME": "changes where settings are found", "XDG_CONFIG_HOME": "changes where settings are found",
	"XDG_CONFIG_DIRS": "changes where settings are found", "TMPDIR": "changes where files are written",
	"PAGER": namesProgram, "MANPAGER": namesProgram, "MANOPT": namesOptions, "MANROFFOPT": namesOptions, "SYSTEMD_PAGER": namesProgram,
	"SYSTEMD_EDITOR": namesProgram, "SYSTEMD_LESS": namesOptions, "SYSTEMD_PAGERSECURE": namesOptions, "BAT_PAGER": namesProgram,
	"BAT_CONFIG_PATH": namesFile, "DELTA_PAGER": namesProgram, "LESS": namesOptions, "LESSOPEN": namesProgram, "LESSCLOSE": namesProgram,
	"LESSKEY": namesFile, "LESSKEYIN": namesFile, "LESSEDIT": namesProgram, "MORE": namesOptions, "EDITOR": namesProgram, "VISUAL": namesProgram,
	"FCEDIT": namesProgram, "SUDO_EDITOR": namesProgram, "SUDO_ASKPASS": namesProgram, "SSH_ASKPASS": namesProgram, "BROWSER": namesProgram,
	"GH_PAGER": namesProgram, "GH_EDITOR": namesProgram, "GH_BROWSER": namesProgram, "GLAB_PAGER": namesProgram, "PSQL_PAGER": namesProgram,
	"PSQL_EDITOR": namesProgram, "PSQLRC": namesCode, "AWS_PAGER": namesProgram, "AWS_CONFIG_FILE": namesFile, "KUBECONFIG": namesFile,
	"KUBE_EDITOR": namesProgram, "KUBERC": namesFile, "COMPOSE_FILE": namesFile, "GNUPGHOME": namesFile, "BUN_OPTIONS": namesOptions,
	"RUSTDOCFLAGS": namesOptions, "CCACHE_PREFIX": namesProgram, "CCACHE_COMPILER": namesProgram, "KUBECTL_EXTERNAL_DIFF": namesProgram, "DOCKER_HOST": "sends commands to another service", "DOCKER_CONFIG": namesFile,
	"DOCKER_CONTEXT": "sends commands to another service", "RIPGREP_CONFIG_PATH": namesFile, "ACKRC": namesFile, "ACK_PAGER": namesProgram,
	"GREP_OPTIONS": namesOptions, "FZF_DEFAULT_COMMAND": namesProgram, "FZF_DEFAULT_OPTS": namesOptions, "FZF_DEFAULT_OPTS_FILE": namesFile,
	"TAR_OPTIONS": namesOptions, "TAPE": namesFile, "RSH": namesProgram, "GZIP": namesOptions, "XZ_OPT": namesOptions, "XZ_DEFAULTS": namesOptions,
	"ZIPOPT": namesOptions, "UNZIP": namesOptions, "RSYNC_RSH": namesProgram, "RSYNC_CONNECT_PROG": namesProgram, "CVS_RSH": namesProgram,
	"SVN_SSH": namesProgram, "SVN_EDITOR": namesProgram, "HGEDITOR": namesProgram, "HGRCPATH": namesFile, "HGMERGE": namesProgram, "JJ_CONFIG": namesFile,
	"JJ_EDITOR": namesProgram, "CURL_HOME": namesFile, "WGETRC": namesFile, "SYSTEM_WGETRC": namesFile, "NETRC": namesFile, "SSLKEYLOGFILE": namesFile,
	"OPENSSL_CONF": namesCode, "OPENSSL_MODULES": namesCode, "OPENSSL_ENGINES": namesCode, "HOSTALIASES": namesFile, "LOCPATH": namesFile,
	"NLSPATH": namesFile, "GCONV_PATH": namesCode, "TERMINFO": namesFile, "TERMCAP": namesFile, "INPUTRC": namesFile,
	"AWKPATH": namesCode, "AWKLIBPATH": namesCode, "SED": namesProgram, "POSIXLY_CORRECT": "changes how options are read",
	"PYTHONPATH": namesCode, "PYTHONSTARTUP": namesCode, "PYTHONHOME": namesCode, "PYTHONUSERBASE": namesCode, "PYTHONINSPECT": "starts a prompt",
	"PYTHONBREAKPOINT": namesCode, "PYTHONWARNINGS": namesCode, "PYTHONEXECUTABLE": namesProgram, "PYTHONPYCACHEPREFIX": namesFile,
	"PYTEST_ADDOPTS": namesOptions, "PYTEST_PLUGINS": namesCode, "COVERAGE_PROCESS_START": namesCode, "MYPYPATH": namesCode, "PYLINTRC": namesCode,
	"VIRTUAL_ENV": "changes which programs run", "NODE_OPTIONS": namesOptions, "NODE_PATH": namesCode, "NODE_REPL_EXTERNAL_MODULE": namesCode,
	"TS_NODE_PROJECT": namesFile, "BUN_INSPECT_PRELOAD": namesCode, "PERL5OPT": namesOptions, "PERL5LIB": namesCode, "PERLLIB": namesCode,
	"PERL5DB": namesCode, "PERL5SHELL": namesProgram, "RUBYOPT": namesOptions, "RUBYLIB": namesCode, "RUBYSHELL": namesProgram, "BUNDLE_GEMFILE": namesCode,
	"GEM_HOME": namesCode, "GEM_PATH": namesCode, "RUBOCOP_OPTS": namesOptions, "SPEC_OPTS": namesOptions, "PHPRC": namesCode,
	"PHP_INI_SCAN_DIR": namesCode, "LUA_INIT": namesCode, "LUA_PATH": namesCode, "LUA_CPATH": namesCode, "JULIA_LOAD_PATH": namesCode,
	"R_PROFILE_USER": namesCode, "R_ENVIRON_USER": namesFile, "ERL_FLAGS": namesOptions, "ERL_AFLAGS": namesOptions, "ELIXIR_ERL_OPTIONS": namesOptions,
	"JAVA_TOOL_OPTIONS": namesOptions, "JDK_JAVA_OPTIONS": namesOptions, "_JAVA_OPTIONS": namesOptions, "JAVA_OPTS": namesOptions, "JAVA_HOME": namesProgram,
	"CLASSPATH": namesCode, "MAVEN_OPTS": namesOptions, "MAVEN_ARGS": namesOptions, "GRADLE_OPTS": namesOptions, "GRADLE_USER_HOME": namesCode,
	"SBT_OPTS": namesOptions, "ANT_OPTS": namesOptions, "ANT_ARGS": namesOptions, "DOTNET_STARTUP_HOOKS": namesCode, "DOTNET_ROOT": namesProgram,
	"CORECLR_PROFILER_PATH": namesCode, "GOFLAGS": namesOptions, "GOROOT": namesProgram, "GOPATH": namesCode, "GOENV": namesFile, "GOTOOLCHAIN": namesProgram,
	"GOTOOLDIR": namesProgram, "GOPROXY": "changes where code is fetched from", "GONOSUMDB": "skips a check of fetched code", "GOSUMDB": "skips a check of fetched code",
	"GOWORK": namesFile, "GOCACHEPROG": namesProgram, "GOAUTH": namesProgram, "RUSTC": namesProgram, "RUSTC_WRAPPER": namesProgram,
	"RUSTC_WORKSPACE_WRAPPER": namesProgram, "RUSTDOC": namesProgram, "RUSTFLAGS": namesOptions, "RUSTUP_TOOLCHAIN": namesProgram, "RUSTUP_HOME": namesProgram,
	"CC": namesProgram, "CXX": namesProgram, "CPP": namesProgram, "LD": namesProgram, "AR": namesProgram, "AS": namesProgram, "CFLAGS": namesOptions,
	"CXXFLAGS": namesOptions, "LDFLAGS": namesOptions, "GCC_EXEC_PREFIX": namesProgram, "COMPILER_PATH": namesProgram, "CPATH": namesFile,
	"MAKEFLAGS": namesOptions, "GNUMAKEFLAGS": namesOptions, "MAKEFILES": namesCode, "MFLAGS": namesOptions, "CMAKE_C_COMPILER_LAUNCHER": namesProgram,
	"CMAKE_CXX_COMPILER_LAUNCHER": namesProgram, "CMAKE_TOOLCHAIN_FILE": namesCode, "PKG_CONFIG": namesProgram, "PKG_CONFIG_PATH": namesFile, "BAZEL_SH": namesProgram,
	"TEXINPUTS": namesCode, "TEXMFCNF": namesFile, "GS_OPTIONS": namesOptions, "MAGICK_CONFIGURE_PATH": namesFile, "MAGICK_CODER_MODULE_PATH": namesCode,
	"VIMINIT": namesCode, "EXINIT": namesCode, "MYVIMRC": namesCode, "VIMRUNTIME": namesCode, "EMACSLOADPATH": namesCode, "SCREENRC": namesFile, "TMUX_TMPDIR": namesFile,
	"ANSIBLE_CONFIG": namesFile, "ANSIBLE_LIBRARY": namesCode, "ANSIBLE_SSH_EXECUTABLE": namesProgram, "TF_CLI_ARGS": namesOptions, "TF_CLI_CONFIG_FILE": namesFile,
	"TF_PLUGIN_CACHE_DIR": namesCode, "HELM_PLUGINS": namesCode, "HELM_BIN": namesProgram, "SQLITE_HISTORY": namesFile, "MYSQL_HISTFILE": namesFile,
	"HTTP_PROXY": "sends traffic elsewhere", "HTTPS_PROXY": "sends traffic elsewhere", "ALL_PROXY": "sends traffic elsewhere", "http_proxy": "sends traffic elsewhere",
	"https_proxy": "sends traffic elsewhere", "all_proxy": "sends traffic elsewhere", "SSL_CERT_FILE": namesFile, "SSL_CERT_DIR": namesFile, "NODE_EXTRA_CA_CERTS": namesFile,
	"NODE_TLS_REJECT_UNAUTHORIZED": "trusts any server", "GLIBC_TUNABLES": "changes the C library", "MALLOC_CONF": "changes the C library",
}

// hazardousPrefixes are whole families of such variables.
var hazardousPrefixes = []struct{ prefix, why string }{
	{"GIT_", "changes what git runs, reads or writes"},
	{"LD_", "changes the code that programs load"},
	{"DYLD_", "changes the code that programs load"},
	{"BASH_FUNC_", "defines a function of the shell"},
	{"npm_config_", namesOptions},
	{"NPM_CONFIG_", namesOptions},
	{"YARN_", namesOptions},
	{"PNPM_", namesOptions},
	{"PIP_", namesOptions},
	{"UV_", namesOptions},
	{"CARGO_", "changes what cargo runs or writes"},
	{"TF_CLI_ARGS_", namesOptions},
	{"COR_", namesCode},
	{"CORECLR_", namesCode},
}

// plainNames belong to such a family yet change nothing of what runs.
var plainNames = map[string]bool{
	"GIT_TERMINAL_PROMPT": true, "GIT_OPTIONAL_LOCKS": true, "GIT_MERGE_AUTOEDIT": true, "GIT_PAGER_IN_USE": true,
	"GIT_AUTHOR_NAME": true, "GIT_AUTHOR_EMAIL": true, "GIT_AUTHOR_DATE": true, "GIT_COMMITTER_NAME": true,
	"GIT_COMMITTER_EMAIL": true, "GIT_COMMITTER_DATE": true, "GIT_LFS_SKIP_SMUDGE": true, "GIT_ADVICE": true,
	"CARGO_TERM_COLOR": true, "CARGO_TERM_PROGRESS_WHEN": true, "CARGO_INCREMENTAL": true, "CARGO_NET_OFFLINE": true,
	"PIP_DISABLE_PIP_VERSION_CHECK": true, "PIP_NO_INPUT": true, "PIP_NO_CACHE_DIR": true, "UV_NO_PROGRESS": true,
	"UV_OFFLINE": true, "YARN_SILENT": true,
}

// assignmentHazard reports whether setting the variable can make programs run
// others, load code, take options or write files, and says how.
func assignmentHazard(name string) (why string, ok bool) {
	if why, ok := hazardousNames[name]; ok && why != "" {
		return why, true
	}
	if plainNames[name] {
		return "", false
	}
	for _, family := range hazardousPrefixes {
		if strings.HasPrefix(name, family.prefix) {
			return family.why, true
		}
	}
	return "", false
}
