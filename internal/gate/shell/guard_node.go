package shell

// nodeOptions are the settings by which npm, pnpm and yarn run other programs,
// or the scripts of another package.
var nodeOptions = []option{
	{"--script-shell= --shell=", KindExec, "runs scripts by the named shell", nil},
	{"--node-options= --git= --viewer= --editor= --browser= --shell-emulator-path= --use-node-version=", KindExec, "changes the programs it runs", nil},
	{"--userconfig= --globalconfig= --use-yarnrc=", KindExec, "takes its settings from a file", nil},
	{"--registry= --reg=", KindNet, "fetches packages from elsewhere", nil},
	{"-C= --prefix= --dir= --cwd=", KindExec, "runs the scripts of another folder", insideFile},
	{"--cache= --modules-folder= --store-dir= --global-dir= --virtual-store-dir= --modules-dir=", KindWrite, "works in another folder", insideFile},
	{"--init-module= --onload-script= --pnpmfile= --global-pnpmfile=", KindExec, loadsCode, nil},
}

// nodePackageGuards are node's package managers and runners.
var nodePackageGuards = []guard{
	{programs: "npm cnpm", inherit: true, shortens: true, takes: "-w --workspace --loglevel", plain: "--global --user --shell-emulator", options: nodeOptions},
	{programs: "pnpm", inherit: true, takes: "--loglevel --filter -F --filter-prod --reporter", plain: "--global --shell-emulator", options: nodeOptions},
	{programs: "yarn", style: exact, inherit: true, takes: "--loglevel", options: nodeOptions},
	{programs: "pnpm", options: []option{
		{"--config.*", KindExec, "sets a setting, which may name a program to run", nil},
	}},
	{programs: "npm cnpm", sub: "install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add|ci|ic|update|udpate|up|" +
		"upgrade|uninstall|unlink|un|remove|rm|r|link|ln|rebuild|rb|install-test|it|sit|install-ci-test|cit|clean-install-test|" +
		"clean-install|install-clean|isntall-clean|dedupe|ddp|prune|init|create|innit|explore|edit", options: []option{{"", KindExec, installs, nil}}},
	{programs: "npm cnpm", sub: "install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add", check: checkInstallRehearsal},
	{programs: "npm cnpm", sub: "uninstall|unlink|un|remove|rm|r|update|udpate|up|upgrade|dedupe|ddp|prune", check: checkNodeRehearsal},
	{programs: "npm cnpm", sub: "unpublish|deprecate|undeprecate|login|logout|adduser|add-user|star|unstar|set|set-script", options: []option{{"", KindState, publishes, nil}}},
	{programs: "npm cnpm", sub: "token|owner|author|team|hook|profile|pkg|access create|revoke|add|rm|destroy|update|set|delete|fix|" +
		"enable-2fa|disable-2fa|grant|public|restricted", options: []option{{"", KindState, publishes, nil}}},
	{programs: "npm cnpm", sub: "version|verison", check: checkTwoWords},
	{programs: "pnpm", sub: "version", check: checkTwoWords},
	{programs: "yarn", sub: "version", style: exact, check: checkTwoWords},
	{programs: "npm cnpm pnpm", sub: "publish", options: []option{{"", KindNet, publishes, nil}}, check: checkDryRun},
	{programs: "yarn", sub: "publish", style: exact, options: []option{{"", KindNet, publishes, nil}}, check: checkDryRun},
	{programs: "npm cnpm", sub: "dist-tag|dist-tags add|rm|set", options: []option{{"", KindState, publishes, nil}}},
	{programs: "npm cnpm", sub: "cache clean|clear|rm|add", options: []option{{"", KindState, "changes the cache", nil}}},
	{programs: "npm cnpm pnpm", sub: "config|c set|delete|rm|edit|fix", options: []option{{"", KindState, "changes npm's settings for good, which may name a program to run", nil}}},
	{programs: "npm cnpm", sub: "audit fix", options: []option{{"", KindExec, installs, nil}}},
	{programs: "npm cnpm pnpm", sub: "audit", options: []option{{"--fix", KindExec, installs, nil}}},
	{programs: "pnpm", sub: "install|i|add|update|up|upgrade|remove|rm|uninstall|un|link|ln|import|rebuild|rb|prune|patch|" +
		"patch-commit|setup|env|self-update|create|init|deploy", options: []option{{"", KindExec, installs, nil}}},
	{programs: "pnpm", sub: "login|logout", options: []option{{"", KindState, publishes, nil}}},
	{programs: "yarn", sub: "install|add|remove|upgrade|up|link|unlink|import|create|set|plugin|patch|patch-commit|rebuild|" +
		"dedupe|init|self-update|policies", style: exact, options: []option{{"", KindExec, installs, nil}}},
	{programs: "yarn", sub: "global add|remove|upgrade|upgrade-interactive", style: exact, options: []option{{"", KindExec, installs, nil}}},
	{programs: "yarn", sub: "workspaces|ws foreach", style: exact, takes: "--include --exclude -j --jobs --from"},
	{programs: "yarn", sub: "workspaces|ws foreach exec|dlx|node|add|remove|up|install", style: exact, options: []option{
		{"", KindExec, "runs a command in each package", nil},
	}},
	{programs: "yarn", sub: "npm publish|login|logout", style: exact, options: []option{{"", KindState, publishes, nil}}},
	{programs: "yarn", sub: "npm tag add|remove", style: exact, options: []option{{"", KindState, publishes, nil}}},
	{programs: "yarn", sub: "login|logout", style: exact, options: []option{{"", KindState, publishes, nil}}},
	{programs: "yarn", sub: "config set|delete|unset", style: exact, options: []option{{"", KindState, "changes yarn's settings for good, which may name a program to run", nil}}},
	{programs: "bun", sub: "install|i|add|a|remove|rm|update|link|unlink|create|c|init|upgrade|patch|publish", style: exact, options: []option{{"", KindExec, installs, nil}}},
	{programs: "npx bunx pnpx", style: exact, first: true, options: []option{
		{"-p= --package=", KindExec, "fetches another package than the program's", nil},
		{"--shell= --script-shell= --node-arg= --node-options= -n=", KindExec, "changes the programs it runs", nil},
		{"--registry= --userconfig=", KindNet, "fetches packages from elsewhere", nil},
	}},
	{programs: "corepack", sub: "enable|disable|use|up|install|prepare|pack", style: exact, options: []option{{"", KindState, "changes the package managers", nil}}},
	{programs: "lerna nx turbo rush", sub: "publish|version|add|import|migrate", style: exact, options: []option{{"", KindExec, "publishes or installs", nil}}},
}
