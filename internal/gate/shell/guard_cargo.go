package shell

import "strings"

// cargoGuards are cargo's, with the subcommands that are often added to it.
var cargoGuards = []guard{
	{programs: "cargo", style: exact, inherit: true, takes: "-p --package --bin --example --test --bench -F" +
		" --features --target --color --message-format --profile -j --jobs --exclude", check: checkCargoScript, options: []option{
		{"-C= --manifest-path=", KindExec, "works on the code of another folder", insideFile},
		{"-Z=", KindExec, "compiles and runs a script, or loads a library", notAny("script", "codegen-backend", "\x00")},
		{"--config=", KindExec, "sets a configuration value, which may name a program to run", nil},
		{"--target-dir= --artifact-dir= --out-dir=", KindWrite, buildsThere, insideFile},
		{"--fix", KindWrite, "rewrites source files", nil},
	}},
	{programs: "cargo", sub: "run|r", style: exact, options: []option{{"", KindExec, "compiles and runs a program", nil}}},
	{programs: "cargo", sub: "fix", style: exact, options: []option{{"", KindWrite, "rewrites source files", nil}}},
	{programs: "cargo", sub: "install", style: exact, check: checkListing},
	{programs: "cargo", sub: "install|uninstall", style: exact, options: []option{{"", KindExec, "builds and installs a program", nil}}},
	{programs: "cargo", sub: "publish|yank|login|logout", style: exact, options: []option{{"", KindNet, "changes the package registry or the login", nil}}},
	{programs: "cargo", sub: "owner", style: exact, takes: "--token", check: checkOwnerListing, options: []option{
		{"", KindNet, "changes the package registry or the login", nil},
	}},
	{programs: "cargo", sub: "rustc|rustdoc|clippy", style: exact, check: checkCompilerWords},
	{programs: "cargo", sub: "test|t|bench", style: exact, check: checkTestWords},
	{programs: "cargo", sub: "add|remove|rm", style: exact, options: []option{{"", KindState, "changes what the package depends on", nil}}},
	{programs: "cargo", sub: "vendor", style: exact, check: checkVendor},
	{programs: "cargo", sub: "watch|watchexec", style: exact, options: []option{{"-s= --shell=", KindExec, "runs a command", nil}}},
	{programs: "cargo", sub: "miri|hack|fuzz|llvm-cov|careful|valgrind|zigbuild|xwin|apk|ndk|leptos|dioxus|lambda run|r", style: exact, options: []option{
		{"", KindExec, "compiles and runs a program", nil},
	}},
	{programs: "cargo", sub: "nextest|test|t|bench|miri", style: exact, options: []option{
		{"--tool-config-file= --config-file=", KindExec, "takes the programs to run from a file", insideFile},
	}},
	{programs: "cargo", sub: "flamegraph|samply|instruments|valgrind|shuttle|script|play|eval", style: exact, options: []option{
		{"", KindExec, "compiles and runs a program", nil},
	}},
	{programs: "cargo", sub: "binstall|quickinstall|install-update|generate|liner", style: exact, options: []option{
		{"", KindExec, "fetches and installs code", nil},
	}},
	{programs: "cargo", sub: "workspaces|ws exec|publish|version|create|rename|init", style: exact, options: []option{
		{"", KindExec, "runs a command in each package, or publishes them", nil},
	}},
	{programs: "cargo", sub: "release|smart-release", style: exact, options: []option{{"", KindNet, "publishes packages", nil}}},
}

// checkCargoScript finds a file that cargo compiles and runs.
func checkCargoScript(c *call) {
	if name := c.text(0); strings.HasSuffix(name, ".rs") || strings.HasSuffix(name, ".toml") || strings.ContainsAny(name, "/\\") {
		c.addOperand(c.operands[0], KindExec, "compiles and runs a script")
	}
}

// ownWords is the index of the first word after --, or the number of words.
func (c *call) ownWords() int {
	for i := range c.args {
		if c.args[i].Text == "--" {
			return i + 1
		}
	}
	return len(c.args)
}

// checkOwnerListing lets cargo owner pass where it lists the owners and changes none.
func checkOwnerListing(c *call) {
	if (c.has("--list") || c.has("-l")) && !c.has("-a", "--add", "-r", "--remove", "--index", "--registry") {
		c.dropSubs()
	}
}

// checkCompilerWords reads what cargo passes on to the compiler.
func checkCompilerWords(c *call) {
	compiler := "rustc"
	if c.path() == "rustdoc" {
		compiler = "rustdoc"
	}
	c.delegate(c.tables.of(compiler), c.ownWords())
}

// checkTestWords reads what cargo passes on to the tests.
func checkTestWords(c *call) {
	for i := c.ownWords(); i < len(c.args); i++ {
		if w := c.args[i].Text; w == "--logfile" || strings.HasPrefix(w, "--logfile=") {
			c.addFlag(i, "--logfile", KindWrite, "writes a log file")
		}
	}
}

// checkVendor finds a folder outside the project that is filled.
func checkVendor(c *call) {
	for _, i := range c.operands {
		if !insideFile(c.args[i].Text) {
			c.addOperand(i, KindWrite, buildsThere)
		}
	}
}
