package shell

const (
	installs  = "installs packages, which may run code"
	publishes = "publishes to a registry or changes the login"
)

// packageGuards are package managers, other than node's.
var packageGuards = []guard{
	{programs: "pip pipx", style: gnu, inherit: true, plain: "--global --user --pre", takes: "-r -c --requirement --constraint" +
		" --proxy --timeout --format --platform --python-version --abi --implementation", options: []option{
		{"--log= --log-file= --report=", KindWrite, "writes a log file", harmlessFile},
		{"--python=", KindExec, runsNamed, nil},
		{"-i= --index-url= --extra-index-url= --find-links= --trusted-host=", KindNet, "fetches packages from elsewhere", nil},
		{"-t= --target= --prefix= --root= --src= --cache-dir=", KindWrite, "writes to another folder", insideFile},
		{"--global-option= --build-option= --install-option= -C= --config-settings=", KindExec, "passes options to build scripts", nil},
		{"git+ hg+ svn+ bzr+ http:// https://", KindExec, "installs from an address", nil},
	}},
	{programs: "pip pipx", sub: "install|uninstall|download|wheel|upgrade|inject|run|reinstall|ensurepath", style: gnu, takes: "-w -d", options: []option{{"", KindExec, installs, nil}}},
	{programs: "pip pipx", sub: "install|download|wheel|list|lock", style: gnu, options: []option{{"-f=", KindNet, "fetches packages from elsewhere", nil}}},
	{programs: "pip", sub: "config set|edit|unset", options: []option{{"", KindState, "changes pip's settings for good", nil}}},
	{programs: "pip", sub: "config", takes: "--editor", options: []option{{"--editor=", KindExec, "runs the named editor", nil}}},
	{programs: "pip", sub: "cache purge|remove", options: []option{{"", KindState, "empties the cache", nil}}},
	{programs: "uv", style: exact, inherit: true, takes: "--directory --project -p --python --color", options: []option{
		{"--config-file=", KindExec, "takes its settings from a file", insideFile},
		{"--index= --default-index= -i= --index-url= --extra-index-url= -f= --find-links=", KindNet, "fetches packages from elsewhere", nil},
	}},
	{programs: "uv", sub: "add|remove|sync|publish", style: exact, options: []option{{"", KindExec, installs, nil}}},
	{programs: "uv", sub: "pip|tool|python install|uninstall|sync|upgrade|update-shell", style: exact, options: []option{{"", KindExec, installs, nil}}},
	{programs: "uv", sub: "run", style: exact, first: true, ends: "-m --module", takes: "-p --python --extra --group --env-file -m" +
		" --module --package --project --directory", options: []option{
		{"--with= --with-requirements= --with-editable=", KindExec, installs, nil},
	}},
	{programs: "uvx", style: exact, first: true, takes: "-p --python", options: []option{
		{"--from= --with= --index= --index-url=", KindExec, "runs a program from elsewhere", bareName},
	}},
	{programs: "poetry pipenv pdm hatch rye", sub: "add|install|remove|uninstall|update|sync|publish|self|shell", style: exact, options: []option{{"", KindExec, installs, nil}}},
	{programs: "poetry", sub: "config", style: exact, check: checkTwoOperands},
	{programs: "conda mamba micromamba", sub: "install|remove|uninstall|update|create", style: exact, options: []option{{"", KindExec, installs, nil}}},
	{programs: "conda mamba micromamba", sub: "env create|remove|update", style: exact, options: []option{{"", KindExec, installs, nil}}},
	{programs: "conda mamba micromamba", sub: "config", style: exact, options: []option{{"--set= --add= --append= --prepend= --remove= --remove-key=", KindState, "changes conda's settings for good", nil}}},
	{programs: "gem", sub: "install|i|uninstall|update|exec|push|yank|owner|signin|build|server", style: exact, takes: "-v --version", options: []option{{"", KindExec, installs, nil}}},
	{programs: "gem", sub: "open", style: exact, takes: "-v --version", options: []option{
		{"", KindExec, "starts an editor", nil},
		{"-e= --editor=", KindExec, "runs the named editor", nil},
	}},
	{programs: "bundle bundler", sub: "install|update|add|remove|open|init|gem", style: exact, options: []option{{"", KindExec, installs, nil}}},
	{programs: "bundle bundler", sub: "config|plugin set|unset|install|uninstall", style: exact, options: []option{{"", KindState, "changes bundler's settings for good", nil}}},
	{programs: "composer", sub: "install|update|upgrade|require|remove|global|exec|run-script|run|create-project|self-update|" +
		"reinstall", style: exact, options: []option{{"", KindExec, installs, nil}}},
	{programs: "composer", style: exact, inherit: true, shortens: true, options: []option{{"-d= --working-dir=", KindExec, "runs the scripts of another project", insideFile}}},
	{programs: "apt apt-get aptitude", takes: "-t --target-release", inherit: true, options: []option{
		{"-o= --option=", KindExec, "sets a setting, which may name a program to run", keyOneOf("Acquire::Retries Acquire::http::Timeout" +
			" APT::Get::Show-Upgraded Debug::pkgProblemResolver")},
		{"-c= --config-file=", KindExec, "takes its settings from a file", nil},
	}},
	{programs: "apt apt-get aptitude", sub: "install|remove|purge|update|upgrade|dist-upgrade|full-upgrade|autoremove|reinstall|" +
		"edit-sources|source|build-dep|clean", options: []option{
		{"", KindState, "changes what is installed", nil},
	}},
	{programs: "apt-cache apt-config apt-mark", inherit: true, options: []option{{"-o= --option= -c= --config-file=", KindExec, "sets a setting, which may name a program to run", nil}}},
	{programs: "dpkg", takes: "-l -L -s -S -p", options: []option{
		{"--pre-invoke= --post-invoke= --path-include=", KindExec, "runs a command", nil},
		{"-i --install -r --remove -P --purge --unpack --configure --set-selections --clear-selections --force-all -R --recursive", KindState, "changes what is installed", nil},
		{"--admindir= --root= --instdir=", KindState, "works on another system", nil},
		{"--log=", KindWrite, "writes a log file", nil},
	}},
	{programs: "rpm", takes: "-p -f", options: []option{
		{"-E= --eval= --pipe= --define= -D= --load= --macros= --rcfile=", KindExec, "evaluates macros or runs a command", nil},
		{"-i -U -F -e --install --upgrade --freshen --erase --import --rebuilddb --initdb --setperms --restore", KindState, "changes what is installed", nil},
	}, check: checkRPM},
	{programs: "dnf yum microdnf zypper", style: exact, inherit: true, options: []option{
		{"-c= --config= --setopt=", KindExec, "sets a setting, which may load code", nil},
	}},
	{programs: "dnf yum microdnf zypper pacman apk snap flatpak brew port pkg xbps-install emerge nix-env scoop choco winget mas", style: exact,
		sub: "install|remove|uninstall|update|upgrade|erase|add|del|autoremove|downgrade|reinstall|in|rm|up|dup|refresh|shell|link|" +
			"unlink|untap|cleanup|edit|create|switch|pin|unpin|dispatch-build-bottle|sh|ruby|irb",
		options: []option{{"", KindState, "changes what is installed", nil}}},
	{programs: "brew", sub: "install|upgrade|cleanup|autoremove|link|unlink", style: exact, check: checkPrintsPlan},
	{programs: "brew", sub: "tap", style: exact, check: checkTap},
	{programs: "brew", sub: "services start|stop|restart|run|kill|cleanup", style: exact, options: []option{{"", KindState, "starts or stops a service", nil}}},
	{programs: "pacman yay paru", style: exact, takes: "-r -b", options: []option{
		{"--config= --hookdir= --gpgdir=", KindExec, "takes what to run from elsewhere", nil},
		{"--overwrite= --logfile=", KindWrite, "writes other files", nil},
		{"-R -U --remove --upgrade --sync-install -D --database", KindState, "changes what is installed", nil},
	}, check: checkPacman},
	{programs: "nix", style: exact, inherit: true, options: []option{
		{"--option= --extra-sandbox-paths= --builders= --post-build-hook= --plugin-files=", KindExec, "changes the programs that nix runs", nil},
		{"--expr= -E=", KindExec, "evaluates its argument as code", nil},
	}},
	{programs: "nix-shell nix-build nix-instantiate nix-env", style: exact, options: []option{
		{"-E= --expr= --option=", KindExec, "evaluates its argument", nil},
		{"--post-build-hook= --builders= --plugin-files= --extra-sandbox-paths=", KindExec, "changes the programs that nix runs", nil},
	}},
	{programs: "asdf mise rtx volta nvm fnm rbenv pyenv rustup sdk", style: exact,
		sub: "install|uninstall|self|update|upgrade", options: []option{{"", KindState, "installs or switches programs", nil}}},
	{programs: "asdf mise rtx rustup", style: exact, sub: "plugin|plugins|toolchain|component|target add|install|remove|uninstall|update|link",
		options: []option{{"", KindState, "installs or switches programs", nil}}},
}

// checkTwoOperands finds a setting that is given a value.
func checkTwoOperands(c *call) {
	if len(c.operands) > 1 || c.has("--unset") {
		c.addSub(KindState, "changes a setting for good")
	}
}

// checkTwoWords finds a version that is set, not asked for.
func checkTwoWords(c *call) {
	if len(c.operands) > 0 {
		c.addSub(KindState, "changes the package's version")
	}
}

// checkRPM lets -i pass where it asks for facts, as in rpm -qi.
func checkRPM(c *call) {
	if c.has("-q", "--query", "-V", "--verify") {
		c.drop("-i", "-U", "-F", "-e")
	}
}

// checkPacman finds -S that installs: not with s, i, l, g or p.
func checkPacman(c *call) {
	if c.has("-S", "--sync") && !c.has("-s", "-i", "-l", "-g", "-p", "--search", "--info", "--list", "--print") {
		for _, s := range c.seen {
			if s.name == "-S" || s.name == "--sync" {
				c.addFlag(s.arg, s.name, KindState, "changes what is installed")
				return
			}
		}
	}
}
