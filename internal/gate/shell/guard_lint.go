package shell

const writesThere = "writes the named file or folder"

// lintGuards are checkers, formatters and test runners.
var lintGuards = []guard{
	{programs: "eslint eslint_d", style: exact, takes: "--ext --env --global --parser-options --ignore-path --ignore-pattern --rule" +
		" --max-warnings --fix-type --cache-strategy --report-unused-disable-directives-severity --flag", options: []option{
		{"--rulesdir=", KindExec, "loads rules from a folder", nil},
		{"-c= --config=", KindExec, "takes its settings, which may be code, from another file", nil},
		{"--resolve-plugins-relative-to= --plugin= --parser=", KindExec, loadsCode, nil},
		{"-f= --format=", KindExec, "loads a formatter", bareName},
		{"-o= --output-file=", KindWrite, writeFile, harmlessFile},
		{"--fix", KindWrite, "rewrites source files", nil},
		{"--cache-location= --cache-file=", KindWrite, "writes a cache to another place", insideFile},
		{"--init", KindExec, "installs packages and writes a configuration", nil},
	}},
	{programs: "stylelint", style: exact, folds: true, takes: "--ignore-path --ignore-pattern --max-warnings", options: []option{
		{"-c= --config= --config-basedir= --custom-syntax= --custom-formatter=", KindExec, loadsCode, nil},
		{"-f= --formatter=", KindExec, "loads a formatter", bareName},
		{"-o= --output-file=", KindWrite, writeFile, harmlessFile},
		{"--fix", KindWrite, "rewrites source files", nil},
		{"--cache-location=", KindWrite, "writes a cache to another place", insideFile},
	}},
	{programs: "prettier prettierd", style: exact, takes: "--ignore-path --parser --stdin-filepath --tab-width --print-width", options: []option{
		{"-w --write", KindWrite, "rewrites files", nil},
		{"--plugin= --plugin-search-dir=", KindExec, loadsCode, nil},
		{"--config=", KindExec, "takes its settings, which may be code, from another file", nil},
		{"--cache-location=", KindWrite, "writes a cache to another place", insideFile},
	}},
	{programs: "biome rome oxlint dprint", style: exact, inherit: true, options: []option{
		{"--write --apply --apply-unsafe --fix --fix-suggestions --fix-dangerously --unsafe", KindWrite, "rewrites source files", nil},
		{"--config-path= -c= --config= --plugins=", KindExec, "takes its settings, which may load code, from another file", insideFile},
	}},
	{programs: "tsc vue-tsc tsgo", style: words, folds: true, takes: "-p -project -target -t -module -m -lib -jsx -moduleResolution", options: []option{
		{"-outDir= -outFile= -out= -declarationDir= -tsBuildInfoFile= -generateTrace= -generateCpuProfile=", KindWrite, buildsThere, harmlessFile},
		{"-init", KindWrite, "writes a configuration", nil},
		{"@", KindExec, "takes its options from a file", nil},
	}},
	{programs: "jest", style: exact, folds: true, takes: "-t -w --testNamePattern --testPathPattern --maxWorkers --testTimeout --selectProjects" +
		" --projects --shard", options: []option{
		{"-c= --config= --globals=", KindExec, "takes its settings, which may be code, from elsewhere", nil},
		{"--globalSetup= --globalTeardown= --setupFiles= --setupFilesAfterEnv= --runner= --testRunner= --testEnvironment= --env=" +
			" --transform= --resolver= --preset= --testSequencer= --snapshotSerializers= --reporters=", KindExec, loadsCode, oneOf("node jsdom default summary")},
		{"--outputFile= --coverageDirectory=", KindWrite, writesThere, harmlessFile},
		{"--cacheDirectory=", KindWrite, buildsThere, insideFile},
		{"--rootDir= --roots=", KindExec, "runs tests of another folder", insideFile},
	}},
	{programs: "vitest", style: exact, inherit: true, folds: true, takes: "-t --testNamePattern --project --pool --maxWorkers --mode --shard" +
		" --testTimeout", options: []option{
		{"-c= --config= --globalSetup= --environment= --snapshotEnvironment= --workspace= --execArgv= --poolOptions.forks.execArgv=" +
			" --poolOptions.threads.execArgv=", KindExec, loadsCode, oneOf("node jsdom happy-dom")},
		{"--reporter=", KindExec, "loads a reporter", bareName},
		{"--outputFile= --coverage.reportsDirectory=", KindWrite, writesThere, harmlessFile},
		{"-r= --root= --dir=", KindExec, "runs tests of another folder", insideFile},
		{"--api? --ui", KindNet, "serves to the network", nil},
	}},
	{programs: "mocha", style: exact, folds: true, takes: "-g --grep -t --timeout -j --jobs -s", options: []option{
		{"-r= --require= --config= --package= -n= --node-option= --opts= --import= --loader=", KindExec, loadsCode, nil},
		{"-R= --reporter= -u= --ui=", KindExec, "loads a reporter or interface", bareName},
		{"-O= --reporter-option= --reporter-options=", KindWrite, "may write a report", notAny("output", "file", "\x00")},
	}},
	{programs: "playwright cypress", style: exact, inherit: true, options: []option{
		{"-c= --config= --config-file=", KindExec, loadsCode, nil},
		{"--reporter=", KindExec, "loads a reporter", bareName},
		{"--output=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "nyc c8", style: exact, first: true, folds: true, options: []option{
		{"-r= --require= --nycrc-path= -c= --config=", KindExec, loadsCode, nil},
		{"--report-dir= --temp-dir= --temp-directory= -o= --reports-dir=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "pytest py.test", style: exact, takes: "-k -m -n -W -r --tb --maxfail --durations --cov --color --timeout --deselect" +
		" --ignore --log-level --log-cli-level --dist --capture", options: []option{
		{"-p=", KindExec, "loads a plug-in", pytestPlugin},
		{"-c= --config-file=", KindExec, "takes its settings, which may load code, from another file", nil},
		{"--cov-config=", KindExec, "takes its settings, which may load code, from another file", insideFile},
		{"-o= --override-ini=", KindExec, "changes a setting, which may load code", notAny("plugins", "addopts", "pythonpath", "python_files", "\x00")},
		{"--rootdir= --confcutdir=", KindExec, "runs the code of another folder", oneOf(".")},
		{"--basetemp=", KindWrite, "empties a folder", nil},
		{"--pdbcls=", KindExec, loadsCode, nil},
		{"--junitxml= --junit-xml= --log-file= --report-log= --result-log= --html=", KindWrite, writesThere, harmlessFile},
		{"--cov-report= --debug?", KindWrite, buildsThere, reportInside},
		{"--pastebin=", KindNet, "publishes its output", nil},
	}},
	{programs: "tox nox", style: gnu, inherit: true, takes: "-e -s -k", options: []option{
		{"-c= --conf= -f= --noxfile=", KindExec, "takes what to run from another file", insideFile},
		{"-x= --override=", KindExec, "changes what it runs", nil},
		{"--workdir= --result-json=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "tox", sub: "exec|e", style: gnu, options: []option{{"", KindExec, "runs a command", nil}}},
	{programs: "coverage", sub: "run", style: gnu, first: true, ends: "-m", options: []option{
		{"", KindExec, "runs a program", nil},
		{"--rcfile=", KindExec, "takes its settings, which may load code, from another file", insideFile},
		{"--data-file=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "coverage", sub: "html|xml|json|lcov|annotate|report", style: gnu, takes: "-m", options: []option{
		{"-o= -d= --directory=", KindWrite, buildsThere, insideFile},
		{"--rcfile=", KindExec, "takes its settings, which may load code, from another file", insideFile},
	}},
	{programs: "mypy dmypy", takes: "-m -p --module --package --python-version --platform --exclude --follow-imports", options: []option{
		{"-c= --command=", KindState, "checks its argument as code", nil},
		{"--config-file=", KindExec, "takes its settings, which may load code, from another file", isEmpty},
		{"--python-executable=", KindExec, runsNamed, bareName},
		{"--install-types", KindExec, "installs packages", nil},
		{"--junit-xml=", KindWrite, writesThere, harmlessFile},
		{"--cache-dir= --any-exprs-report= --cobertura-xml-report= --html-report= --linecount-report=" +
			" --linecoverage-report= --lineprecision-report= --txt-report= --xml-report= --xslt-html-report=", KindWrite, buildsThere, insideFile},
		{"--custom-typeshed-dir= --shadow-file=", KindState, "checks other files than those named", nil},
	}},
	{programs: "ruff", style: exact, inherit: true, check: checkRuffDiff, takes: "--select --ignore --extend-select --extend-ignore --per-file-ignores" +
		" --line-length --target-version --output-format --stdin-filename --fixable --unfixable --exclude", options: []option{
		{"--fix --fix-only --add-noqa", KindWrite, "rewrites source files", nil},
		{"-o= --output-file=", KindWrite, writeFile, harmlessFile},
		{"--cache-dir=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "pylint", style: gnu, takes: "-d -e -f -j --disable --enable --output-format", options: []option{
		{"--init-hook= --load-plugins=", KindExec, "loads code", nil},
		{"--rcfile=", KindExec, "takes its settings, which may load code, from another file", insideFile},
		{"--output=", KindWrite, writeFile, harmlessFile},
		{"--generate-toml-config-file=", KindWrite, writeFile, nil},
	}},
	{programs: "flake8", takes: "--select --ignore --extend-ignore --max-line-length --format --exclude -j", options: []option{
		{"--append-config= --config=", KindExec, "takes its settings, which may load code, from another file", insideFile},
		{"--output-file=", KindWrite, writeFile, harmlessFile},
		{"--tee", KindWrite, "also writes its output to a file", nil},
	}},
	{programs: "autopep8 yapf autoflake pyupgrade docformatter", style: gnu, options: []option{
		{"-i --in-place", KindWrite, "edits the files in place", nil},
	}},
	{programs: "pre-commit", sub: "run|install|autoupdate|try-repo|migrate-config|init-templatedir|uninstall", style: exact, options: []option{
		{"", KindExec, "runs or installs hooks", nil},
	}},
	{programs: "rubocop standardrb", style: gnu, plain: "--cache", takes: "--only --except --format -f", options: []option{
		{"-r= --require= --plugin=", KindExec, loadsCode, nil},
		{"-c= --config=", KindExec, "takes its settings, which may load code, from another file", insideFile},
		{"-a -A --autocorrect --autocorrect-all --auto-correct --auto-correct-all -x --fix-layout --fix", KindWrite, "rewrites source files", nil},
		{"-o= --out=", KindWrite, writeFile, harmlessFile},
		{"--auto-gen-config --regenerate-todo --init", KindWrite, "writes a configuration", nil},
		{"--cache-root=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "rspec", style: gnu, takes: "-e -E -t --example --tag --seed -I", options: []option{
		{"-r= --require=", KindExec, loadsCode, bareName},
		{"-O= --options=", KindExec, "takes its options from a file", nil},
		{"-o= --out= --deprecation-out=", KindWrite, writeFile, harmlessFile},
		{"-f= --format=", KindExec, "loads a formatter", notAny("/", ".", "\x00")},
	}},
	{programs: "phpunit pest paratest", style: exact, takes: "--filter --group --exclude-group --testsuite", options: []option{
		{"--bootstrap= --printer= --extension= --extensions= --loader= --include-path= --prepend= --runner=", KindExec, loadsCode, nil},
		{"-c= --configuration=", KindExec, "takes its settings, which may load code, from another file", insideFile},
		{"-d=", KindExec, "sets a setting, which may load code", keyOneOf("memory_limit display_errors error_reporting xdebug.mode")},
		{"--log-junit= --log-teamcity= --log-events-text=", KindWrite, writesThere, harmlessFile},
		{"--coverage-html= --coverage-clover= --coverage-xml= --coverage-php=" +
			" --coverage-crap4j= --coverage-cobertura= --coverage-text? --testdox-html= --testdox-text= --testdox-xml= --cache-directory=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "phpstan psalm phan phpcs php-cs-fixer rector", style: exact, inherit: true, takes: "-l --level --error-format --memory-limit", options: []option{
		{"-a= --autoload-file= --bootstrap= --plugin= --standard= --extensions= --runtime-set=", KindExec, loadsCode, bareName},
		{"-c= --configuration= --config= --configFile=", KindExec, "takes its settings, which may load code, from another file", insideFile},
		{"--alter --fix", KindWrite, "rewrites source files", nil},
		{"--generate-baseline? --set-baseline? --report= --report-file= --cache-file=", KindWrite, "writes another file", insideFile},
	}},
	{programs: "swiftlint swiftformat ktlint detekt checkstyle pmd", style: exact, inherit: true, options: []option{
		{"--fix --autocorrect -F --format", KindWrite, "rewrites source files", nil},
		{"--config= -R= --ruleset= --plugins=", KindExec, loadsCode, insideFile},
		{"--output=", KindWrite, writeFile, insideFile},
	}},
	{programs: "syft grype", style: exact, inherit: true, options: []option{
		{"-o= --output=", KindWrite, writeFile, formatAlone},
		{"--file=", KindWrite, writeFile, harmlessFile},
	}},
	{programs: "actionlint", style: words, options: []option{
		{"-shellcheck= -pyflakes=", KindExec, runsNamed, bareName},
		{"-config-file=", KindExec, "takes its settings from another file", insideFile},
	}},
	{programs: "semgrep trivy", style: exact, inherit: true, options: []option{
		{"-o= --output= --json-output= --sarif-output=", KindWrite, writeFile, harmlessFile},
		{"-a --autofix", KindWrite, "rewrites source files", nil},
	}},
}
