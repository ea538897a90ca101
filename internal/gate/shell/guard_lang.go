package shell

import "strings"

const runsText = "runs its argument as code"

// interpreterGuards are interpreters: the words of a rule carry the script they
// run, yet not code that stands on the command line.
var interpreterGuards = []guard{
	{programs: "ipython", style: exact, first: true, ends: "-c -m", options: []option{{"-c=", KindExec, runsText, nil}}},
	{programs: "perl", style: exact, first: true, takes: "-I -F? -x? -V? -D?", options: []option{
		{"-e= -E=", KindExec, runsText, nil},
		{"-i?", KindWrite, "edits the files in place", nil},
		{"-M? -m?", KindExec, "loads a module with code in its name", perlModule},
		{"-d?", KindExec, "starts a debugger", nil},
	}},
	{programs: "ruby", style: exact, first: true, takes: "-I -C -E -F?", options: []option{
		{"-e=", KindExec, runsText, nil},
		{"-i?", KindWrite, "edits the files in place", nil},
		{"-r=", KindExec, loadsCode, bareName},
	}},
	{programs: "irb pry", style: exact, options: []option{{"-r= -e= --exec=", KindExec, runsText, bareName}}},
	{programs: "php", style: exact, first: true, options: []option{
		{"-z=", KindExec, "loads a shared library", nil},
		{"-r= --run= -B= -R= -E= --process-begin= --process-code= --process-end=", KindExec, runsText, nil},
		{"-d= --define=", KindExec, "sets a setting, which may load code", keyOneOf("memory_limit display_errors error_reporting" +
			" max_execution_time xdebug.mode date.timezone short_open_tag html_errors")},
		{"-c= --php-ini=", KindExec, "takes settings from another file", nil},
		{"-S= --server=", KindNet, "serves to the network", nil},
	}},
	{programs: "node nodejs", style: exact, first: true, takes: "-C --conditions --max-old-space-size --stack-size" +
		" --test-name-pattern --watch-path --input-type --title", options: []option{
		{"-e= --eval= -p= --print= -pe=", KindExec, runsText, nil},
		{"-r= --require= --import= --loader= --experimental-loader= --test-global-setup=", KindExec, loadsCode, nil},
		{"--test-reporter=", KindExec, loadsCode, oneOf("spec tap dot junit lcov")},
		{"--openssl-config= --experimental-config-file= --snapshot-blob=", KindExec, "takes settings or code from a file", nil},
		{"--env-file= --env-file-if-exists=", KindExec, "takes variables, and options of node, from a file", insideFile},
		{"--inspect? --inspect-brk? --inspect-wait?", KindNet, "listens for a debugger", nil},
		{"--redirect-warnings= --report-directory= --report-dir= --report-filename= --tls-keylog= --logfile= --experimental-sea-config=" +
			" --build-sea= --redirect-code-traces-to= --localstorage-file=", KindWrite, "writes another file", harmlessFile},
		{"--cpu-prof-dir= --cpu-prof-name= --heap-prof-dir= --heap-prof-name= --diagnostic-dir= --trace-event-file-pattern=" +
			" --test-reporter-destination=", KindWrite, "writes another file", insideFile},
	}},
	{programs: "tsx ts-node esno jiti swc-node", style: exact, first: true, options: []option{
		{"-e= --eval= -p= --print=", KindExec, runsText, nil},
		{"-r= --require= --import= --loader= -C= --compiler=", KindExec, loadsCode, nil},
	}},
	{programs: "bun", style: exact, first: true, options: []option{
		{"-e= --eval= -p= --print=", KindExec, runsText, nil},
		{"-r= --preload= --require= --import=", KindExec, loadsCode, nil},
	}},
	{programs: "deno", sub: "eval|repl|install|upgrade|jupyter", style: exact, options: []option{{"", KindExec, runsText, nil}}},
	{programs: "deno", sub: "run|serve|test|compile|bundle|cache|x", style: exact, options: []option{
		{"http:// https:// npm: jsr:", KindExec, "fetches and runs code", nil},
		{"-o= --output=", KindWrite, buildsThere, insideFile},
	}},
	{programs: "deno", sub: "add|remove|uninstall|publish|deploy", style: exact, options: []option{{"", KindState, "changes what the project depends on, or publishes it", nil}}},
	{programs: "bun", sub: "test", style: exact, takes: "-t --test-name-pattern --timeout", options: []option{
		{"-r= --preload= --require= --import=", KindExec, loadsCode, nil},
		{"--coverage-dir= --reporter-outfile=", KindWrite, writeFile, harmlessFile},
	}},
	{programs: "bun", sub: "run", style: exact, first: true, options: []option{
		{"-r= --preload= --require= --import=", KindExec, loadsCode, nil},
	}},
	{programs: "bun", sub: "build", style: exact, options: []option{{"--outfile= --outdir=", KindWrite, buildsThere, insideFile}}},
	{programs: "deno", style: exact, inherit: true, options: []option{
		{"-A --allow-all --allow-run? --allow-ffi? --allow-write?", KindExec, "lets the script run programs or write files", nil},
		{"--preload= --import-map=", KindExec, loadsCode, nil},
	}},
	{programs: "lua luajit texlua", style: exact, first: true, options: []option{
		{"-e=", KindExec, runsText, nil},
		{"-l=", KindExec, loadsCode, bareName},
	}},
	{programs: "julia", style: exact, first: true, takes: "-t -p -O", options: []option{
		{"-e= --eval= -E= --print=", KindExec, runsText, nil},
		{"-L= --load= -J= --sysimage=", KindExec, loadsCode, nil},
	}},
	{programs: "rscript r", style: exact, first: true, options: []option{{"-e=", KindExec, runsText, nil}}},
	{programs: "osascript", style: exact, first: true, takes: "-l -s", options: []option{{"-e=", KindExec, runsText, nil}}},
	{programs: "groovy scala kotlin kotlinc clojure clj jshell", style: words, first: true, takes: "-cp -classpath", options: []option{
		{"-e= -script= -i= -I= -C= -execution=", KindExec, runsText, nil},
	}},
	{programs: "elixir iex", style: exact, first: true, takes: "-pa -pz", options: []option{
		{"-e= --eval= -r= -pr= --rpc-eval= -S= --erl=", KindExec, runsText, nil},
	}},
	{programs: "erl", style: words, options: []option{{"-eval= -s= -run= -config= -boot=", KindExec, runsText, nil}}},
	{programs: "mix", sub: "run|eval", style: exact, options: []option{{"", KindExec, runsText, nil}}},
	{programs: "guile sbcl racket ocaml gst tclsh chicken-csi csi", style: exact, first: true, options: []option{
		{"-c= -e= --eval= -l= --load= --script=", KindExec, runsText, nil},
	}},
	{programs: "jrunscript jjs", style: words, options: []option{{"-e= -f=", KindExec, runsText, nil}}},
	{programs: "puppet", sub: "apply", style: exact, options: []option{{"-e= --execute=", KindExec, runsText, nil}}},
	{programs: "facter", style: exact, options: []option{{"--custom-dir= --external-dir=", KindExec, loadsCode, nil}}},
	{programs: "expect", style: exact, first: true, options: []option{{"-c=", KindExec, runsText, nil}}},
	{programs: "octave matlab", style: words, options: []option{{"-eval= -r= -batch=", KindExec, runsText, nil}}},
	{programs: "java", style: words, takes: "-cp -classpath -class-path --module-path -p --add-modules", options: []option{
		{"-javaagent:* -agentlib:* -agentpath:* -Xbootclasspath*", KindExec, "loads code into the virtual machine", nil},
		{"-XX:OnError= -XX:OnOutOfMemoryError= -XX:Flags= -XX:VMOptionsFile=", KindExec, "runs a command or takes options from a file", nil},
		{"-XX:HeapDumpPath= -XX:LogFile= -XX:ErrorFile= -Xloggc:*", KindWrite, "writes another file", insideFile},
		{"@", KindExec, "takes its options from a file", nil},
	}, first: true},
	{programs: "rake", options: []option{
		{"-e= --execute= -E= --execute-continue= -p= --execute-print=", KindExec, runsText, nil},
		{"-f= --rakefile= -r= --require= -R= --rakelibdir=", KindExec, loadsCode, nil},
	}},
	{programs: "rails", sub: "runner|r|dbconsole|db|console|c", style: exact, options: []option{{"", KindExec, runsText, nil}}},
	{programs: "artisan", sub: "tinker", style: exact, options: []option{{"", KindExec, runsText, nil}}},
	{programs: "ansible", style: gnu, takes: "-a --args -i --inventory -l --limit -u --user -f --forks -e --extra-vars -c" +
		" --connection -t", options: []option{
		{"-m= --module-name=", KindExec, "runs a module on the machines", oneOf("ping setup debug ansible.builtin.ping ansible.builtin.setup")},
		{"-M= --module-path= --playbook-dir=", KindExec, loadsCode, nil},
	}},
	{programs: "ansible-playbook", style: gnu, takes: "-i -l -u -f -t -e --inventory --limit --tags --skip-tags --extra-vars", options: []option{
		{"-M= --module-path= --ssh-common-args= --ssh-extra-args= --sftp-extra-args= --scp-extra-args=", KindExec, "loads code or names a program to run", nil},
		{"--vault-password-file=", KindExec, "may run the named program", nil},
	}},
	{programs: "ansible-inventory", style: gnu, takes: "-l --host --limit", options: []option{
		{"-i= --inventory=", KindExec, "may run the named script", plainInventory},
		{"--playbook-dir=", KindExec, loadsCode, nil},
		{"--vault-password-file= --vault-pass-file=", KindExec, "may run the named program", nil},
		{"--output=", KindWrite, writeFile, harmlessFile},
	}},
	{programs: "ansible-galaxy", sub: "install|collection|role install|remove|delete|import", style: gnu, options: []option{{"", KindExec, "installs or changes code", nil}}},
	{programs: "ansible-vault", sub: "edit|decrypt|encrypt|rekey|create", style: gnu, options: []option{{"", KindWrite, "rewrites a file", nil}}},
	{programs: "ansible-pull", style: gnu, takes: "-U", options: []option{{"-U=", KindExec, "fetches and runs a playbook", nil}}},
}

// perlModule reports whether -M or -m names just a module and what to import.
func perlModule(value string) bool {
	return strings.IndexFunc(value, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(":_=,-", r))
	}) < 0
}
