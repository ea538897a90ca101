package shell

import "strings"

const changesSystem = "changes the system"

// systemGuards are programs that show and change the system.
var systemGuards = []guard{
	{programs: "journalctl", takes: "-u -t -p -g -S -U -D -o -c --unit --priority --since --until --output --identifier --cursor", options: []option{
		{"--vacuum-time= --vacuum-size= --vacuum-files=", KindState, "deletes logs", nil},
		{"--rotate --flush --relinquish-var --smart-relinquish-var --setup-keys --update-catalog --sync", KindState, "changes the journal", nil},
		{"--cursor-file=", KindWrite, "writes a file", nil},
	}},
	{programs: "systemctl", inherit: true, takes: "-t -p -o -n -s --type --state --property --output --lines", options: []option{
		{"-H= --host=", KindNet, "works on another machine", nil},
		{"-M= --machine= --root= --image=", KindState, "works on another system", nil},
	}},
	{programs: "systemctl", sub: "poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|rescue|emergency|exit|switch-root|mask|" +
		"unmask|enable|disable|reenable|preset|preset-all|edit|revert|link|set-property|set-default|set-environment|unset-environment|" +
		"import-environment|kill|isolate|daemon-reexec|bind|mount-image|add-wants|add-requires", options: []option{
		{"", KindState, changesSystem, nil},
	}},
	{programs: "systemd-run systemd-nspawn machinectl", first: true, options: []option{
		{"-p= --property= -H= --host= --bind=", KindExec, "changes what the command may reach", nil},
	}},
	{programs: "loginctl", sub: "terminate-session|terminate-user|terminate-seat|kill-session|kill-user|enable-linger|disable-linger|" +
		"lock-session|unlock-session|attach", options: []option{{"", KindState, changesSystem, nil}}},
	{programs: "hostnamectl timedatectl localectl", sub: "set-hostname|hostname|set-icon-name|set-chassis|set-deployment|" +
		"set-location|set-time|set-timezone|set-ntp|set-local-rtc|set-locale|set-keymap|set-x11-keymap", options: []option{{"", KindState, changesSystem, nil}}},
	{programs: "nmcli", sub: "connection|con|c|device|dev|d|radio|networking|general add|modify|delete|up|down|edit|import|load|" +
		"reload|clone|connect|disconnect|set|reapply|on|off|hostname|wifi|wwan|all", options: []option{{"", KindState, "changes the network", nil}}},
	{programs: "resolvectl", sub: "flush-caches|revert|reset-server-features|reset-statistics", options: []option{{"", KindState, "changes the network", nil}}},
	{programs: "crontab", takes: "-u", check: checkCrontab, options: []option{
		{"-e", KindExec, "starts an editor on the schedule", nil},
		{"-r", KindState, "deletes the schedule", nil},
	}},
	{programs: "date gdate", takes: "-d -r -f -v -z --date --reference --file", options: []option{
		{"-s= --set=", KindState, "sets the clock", nil},
	}, check: checkDate},
	{programs: "hwclock", options: []option{{"-w -s -a --systohc --hctosys --set --adjust --systz", KindState, "sets the clock", nil}}},
	{programs: "hostname domainname", options: []option{{"-F= --file= -b --boot", KindState, "sets the machine's name", nil}}, check: checkAnyOperand},
	{programs: "dmesg", takes: "-l -f -s -F --level --facility --since --until --time-format -L? --color?", options: []option{
		{"-C -c --clear --read-clear", KindState, "clears the kernel's log", nil},
		{"-D -E -n= --console-off --console-on --console-level=", KindState, "changes what the console shows", nil},
	}},
	{programs: "sysctl", takes: "-r --pattern", options: []option{
		{"-w --write", KindState, "changes a kernel setting", nil},
		{"-p? --load? --system -f?", KindState, "loads kernel settings from files", nil},
	}, check: checkAssignOperand},
	{programs: "mount", style: gnu, takes: "-t -L -U -T -O --types --source", options: []option{
		{"-a --all -o= --options= --bind -B --move -M --rbind -R --make-shared --make-private", KindState, "mounts a file system", nil},
	}, check: checkAnyOperand},
	{programs: "ss", takes: "-f -A -N --family --query --socket --net", options: []option{
		{"-K --kill", KindState, "closes connections of other programs", nil},
		{"-D= --diag=", KindWrite, writeFile, harmlessFile},
	}},
	{programs: "losetup swapon swapoff", check: checkAnyOperand},
	{programs: "blkid fdisk sfdisk parted gparted wipefs", options: []option{
		{"-w= --wipe= --delete --append --activate -a --all", KindState, "changes a disk", nil},
	}},
	{programs: "ip", style: words, takes: "-n -netns -f -family -rc -rcvbuf -l -loops", options: []option{
		{"-b= -batch=", KindState, "runs the commands of a file", nil},
	}, check: checkIP},
	{programs: "ifconfig", style: words, check: checkMany},
	{programs: "route", style: words, sub: "add|del|delete|change|flush", options: []option{{"", KindState, "changes the network", nil}}},
	{programs: "arp", style: exact, takes: "-i -H -t", options: []option{
		{"-s -d -f --set --delete --file", KindState, "changes the network", nil},
	}},
	{programs: "iptables ip6tables iptables-legacy iptables-nft ebtables", style: gnu, plain: "--mode", takes: "-t --table", options: []option{
		{"-A -D -I -R -F -X -N -P -Z -E --append --delete --insert --replace --flush --new-chain --delete-chain --policy --zero" +
			" --rename-chain", KindState, "changes the firewall", nil},
		{"--modprobe=", KindExec, runsNamed, nil},
	}},
	{programs: "nft", style: exact, sub: "add|delete|flush|insert|replace|create|destroy|reset|rename", options: []option{{"", KindState, "changes the firewall", nil}}},
	{programs: "ufw", style: exact, sub: "enable|disable|allow|deny|reject|limit|delete|reset|reload|default|route|insert|prepend|" +
		"logging", options: []option{{"", KindState, "changes the firewall", nil}}},
	{programs: "ethtool", style: exact, options: []option{{"-s -K -A -C -G -L -N -X -U -E -f -p -r --change --features --flash" +
		" --set-priv-flags", KindState, "changes the network", nil}}},
	{programs: "modprobe insmod rmmod kmod", style: gnu, takes: "-d -S", options: []option{
		{"-C= --config=", KindExec, "takes commands to run from a file", nil},
		{"-r --remove", KindState, "unloads a kernel module", nil},
	}},
	{programs: "strace ltrace", style: gnu, first: true, takes: "-e -p -s -a -b -E -I -O -P -S -u -X", options: []option{
		{"-o= --output=", KindWrite, "writes a trace, or runs a command to take it", harmlessFile},
		{"-F= --config=", KindExec, "takes its settings from a file", nil},
	}},
	{programs: "time gtime", style: gnu, first: true, takes: "-f --format", options: []option{{"-o= --output=", KindWrite, writeFile, harmlessFile}}},
	{programs: "gdb", style: words, takes: "-p -c -d -s -tty", options: []option{
		{"-ex= -eval-command= -iex= -init-eval-command=", KindExec, "runs commands of the debugger, which run programs", gdbReads},
		{"-x= -command= -ix= -init-command=", KindExec, "runs the debugger commands of a file", nil},
	}},
	{programs: "lldb", style: exact, takes: "-p -n -c -f -a", options: []option{
		{"-o= -O= -s= -S= --one-line= --one-line-before-file= --source= --source-before-file= -k= -K=", KindExec, "runs commands of the debugger, which run programs", gdbReads},
	}},
	{programs: "perf", sub: "record|stat|script|trace|top", style: exact, first: true, options: []option{
		{"-o= --output=", KindWrite, writeFile, insideFile},
		{"-s= --script= -g= --gen-script=", KindExec, "runs a script", nil},
		{"--addr2line= --objdump= --addr2line-style=", KindExec, runsNamed, nil},
	}},
	{programs: "valgrind", style: exact, first: true, options: []option{
		{"--log-file= --xml-file= --db-command=", KindWrite, "writes another file or runs a debugger", insideFile},
	}},
	{programs: "objdump readelf addr2line", style: exact, options: []option{{"--debuginfod-urls=", KindNet, "fetches from the network", nil}}},
	{programs: "screen", style: words, first: true, takes: "-p -e -h -S -t -dmS -DmS", options: []option{
		{"-X", KindExec, "commands a session, which runs programs", nil},
		{"-c= -s=", KindExec, "takes its settings or shell from the command line", nil},
		{"-L -Logfile=", KindWrite, "writes a log file", nil},
	}},
	{programs: "tmux", style: exact, first: true, takes: "-L -S -T", check: checkTmux, options: []option{
		{"-c=", KindExec, "runs a command", nil},
		{"-f=", KindExec, "runs the commands of a file", harmlessFile},
	}},
	{programs: "zellij", style: exact, sub: "run|action|edit|plugin", options: []option{{"", KindExec, "starts or commands a session, which runs programs", nil}}},
	{programs: "logger wall write", style: exact, takes: "-t -p", options: []option{
		{"-n= --server= -u= --socket=", KindNet, "sends to another machine or service", nil},
	}},
	{programs: "usermod passwd chage gpasswd", style: gnu, options: []option{
		{"-l --lock -u --unlock -d --delete -e --expire", KindState, "changes an account", nil},
	}},
	{programs: "ldconfig", style: exact, options: []option{{"-C= -f= -r=", KindState, "works on another cache or system", nil}}},
	{programs: "lsof", style: letters, takes: "-c -d -g -p -u -i -s -k -m -r -S -T", options: []option{{"-D=", KindWrite, "writes a cache file", notBegun("b", "u", "w")}}},
	{programs: "top htop btop", style: exact, takes: "-o -O -p -u -U -g -G -t -C -k -d -n -s", options: []option{
		{"-W --write-config", KindWrite, "writes a configuration file", nil},
	}},
	{programs: "open xdg-open", style: exact, options: []option{{"--args -a=", KindExec, "starts the named program", nil}}},
	{programs: "launchctl", sub: "load|unload|bootstrap|bootout|kickstart|submit|remove|setenv|unsetenv|asuser|bsexec|enable|disable|" +
		"kill|reboot|config|start|stop|attach|debug|limit", style: exact, options: []option{{"", KindState, changesSystem, nil}}},
	{programs: "defaults", style: words, takes: "-host", sub: "write|delete|rename|import", options: []option{{"", KindState, "changes settings for good", nil}}},
	{programs: "networksetup", style: words, options: []option{
		{"-set* -add* -create* -remove* -delete* -switch* -connect* -disconnect* -rename* -order* -enable* -disable* -duplicate*" +
			" -import*", KindState, "changes the network", nil},
	}},
	{programs: "scutil", style: words, options: []option{{"-set= -nc= -prefs=", KindState, changesSystem, nil}}},
	{programs: "nvram", style: exact, options: []option{{"-d= -c -f=", KindState, changesSystem, nil}}, check: checkAssignOperand},
	{programs: "pmset", style: exact, options: []option{{"-a -b -c -u", KindState, changesSystem, nil}}, check: checkPmset},
	{programs: "spctl csrutil", style: exact, options: []option{
		{"--add --remove --enable --disable --master-enable --master-disable --global-enable --global-disable --reset-default", KindState, changesSystem, nil},
	}},
	{programs: "security", style: exact, first: true, sub: "delete-generic-password|delete-internet-password|delete-certificate|" +
		"delete-identity|delete-keychain|add-generic-password|add-internet-password|add-certificates|add-trusted-cert|" +
		"remove-trusted-cert|create-keychain|set-keychain-settings|set-keychain-password|unlock-keychain|lock-keychain|dump-keychain|" +
		"import|export|authorizationdb|execute-with-privileges|set-key-partition-list|default-keychain|list-keychains", options: []option{
		{"", KindState, "changes or gives out stored keys", nil},
	}},
	{programs: "diskutil", style: exact, sub: "erasedisk|eraseDisk|eraseVolume|erasevolume|partitionDisk|partitiondisk|unmount|" +
		"unmountDisk|eject|mount|mountDisk|rename|repairDisk|repairVolume|resizeVolume|secureErase|zeroDisk|randomDisk|reformat|" +
		"mergePartitions|splitPartition|enableOwnership|disableOwnership", options: []option{{"", KindState, "changes a disk", nil}}},
	{programs: "diskutil", style: exact, sub: "apfs|appleRAID|cs|coreStorage", check: checkVerbs},
	{programs: "hdiutil", style: words, sub: "attach|mount|detach|eject|create|convert|resize|burn|compact|makehybrid|segment|" +
		"unflatten|flatten|udifrez|chpass|erasekeys", options: []option{{"", KindState, "changes disks or writes images", nil}}},
	{programs: "tmutil", style: words, sub: "delete|deletelocalsnapshots|deleteinprogress|disable|enable|disablelocal|enablelocal|" +
		"setdestination|removedestination|addexclusion|removeexclusion|startbackup|stopbackup|restore|snapshot|localsnapshot|" +
		"inheritbackup|associatedisk|setquota", options: []option{{"", KindState, "changes backups", nil}}},
	{programs: "profiles", style: words, sub: "install|remove|renew|sync", options: []option{{"", KindState, changesSystem, nil}}},
	{programs: "codesign", style: exact, options: []option{{"-s= --sign= --remove-signature -f --force", KindWrite, "changes the file", nil}}},
	{programs: "lipo", style: words, options: []option{{"-output= -create", KindWrite, writeFile, harmlessFile}}},
	{programs: "xattr", style: exact, options: []option{{"-w -d -c", KindState, "changes the attributes of files", nil}}},
	{programs: "plutil", style: words, options: []option{{"-convert= -replace= -insert= -remove= -create=", KindWrite, "changes the file", nil}, {"-o=", KindWrite, writeFile, harmlessFile}}},
	{programs: "plistbuddy", style: words, options: []option{{"-c=", KindWrite, "may change the file", notBegun("Set", "Add", "Delete", "Copy", "Merge", "Import", "Clear", "Save", "set", "add", "delete")}}},
	{programs: "sips", style: letters, takes: "-g", options: []option{
		{"-s= -d= -e= -m= -M= -X= -r= -f= -c= -p= -z= -Z= -i -j= --out= -o= --setProperty= --deleteProperty= --rotate= --flip=" +
			" --cropToHeightWidth= --resampleHeightWidth= --resampleWidth= --resampleHeight= --resampleHeightWidthMax= --addIcon", KindWrite, "changes the image", nil},
	}},
	{programs: "say", style: letters, takes: "-v -r -a -f", options: []option{{"-o= --output-file=", KindWrite, writeFile, nil}, {"-n= --network-send=", KindNet, "sends to the network", nil}}},
	{programs: "dscl", style: words, options: []option{{"-create -append -merge -delete -change -changei -passwd -p", KindState, "changes accounts", nil}}},
}

// gdbReads reports whether a debugger command only shows something.
var gdbReads = keyOneOf("bt backtrace info list disassemble disas where quit q help h")

func checkPmset(c *call) {
	switch c.text(0) {
	case "sleepnow", "schedule", "repeat", "restoredefaults", "displaysleepnow", "boot", "touch":
		c.addOperand(c.operands[0], KindState, changesSystem)
	}
}

// checkMany finds a second operand: ifconfig shows with one or none and changes
// with more.
func checkMany(c *call) {
	if len(c.operands) > 1 {
		c.addOperand(c.operands[1], KindState, changesSystem)
	}
}

func checkAnyOperand(c *call) {
	if len(c.operands) > 0 {
		c.addOperand(c.operands[0], KindState, changesSystem)
	}
}

// checkAssignOperand finds name=value among the operands.
func checkAssignOperand(c *call) {
	for _, i := range c.operands {
		if strings.Contains(c.args[i].Text, "=") {
			c.addOperand(i, KindState, changesSystem)
		}
	}
}

// checkCrontab finds a new schedule, from a file or the standard input.
func checkCrontab(c *call) {
	if !c.has("-l") {
		checkAnyOperand(c)
	}
}

// checkDate finds a time to set: BSD's digits, or any operand that is no format.
func checkDate(c *call) {
	for _, i := range c.operands {
		if w := c.args[i].Text; w != "" && w[0] != '+' && w[0] != 0 && !c.has("-j", "-d", "--date", "-f") {
			c.addOperand(i, KindState, "sets the clock")
		}
	}
}

// checkIP finds a verb of ip that changes the network. Verbs may be shortened;
// `s` alone is read as set, as ip does for links.
func checkIP(c *call) {
	verb := c.text(1)
	if verb == "" || verb[0] == 0 {
		return
	}
	for _, reading := range [...]string{"show", "list", "lst", "get", "help", "monitor", "save", "identify", "pids", "stats"} {
		if verb != "s" && strings.HasPrefix(reading, verb) {
			return
		}
	}
	for _, changing := range [...]string{"add", "delete", "set", "change", "replace", "flush", "append", "prepend", "exec", "attach", "restore", "update"} {
		if strings.HasPrefix(changing, verb) {
			c.addOperand(c.operands[1], KindState, "changes the network or runs a command in one")
			return
		}
	}
}

// checkTmux finds commands of tmux that run programs or type into them, also
// behind a ; that joins several, and formats that run a command: #(…). What the
// first command runs is a unit of its own.
func checkTmux(c *call) {
	begin := true
	for n, i := range c.operands {
		w := c.args[i].Text
		if begin && !tmuxReads(w) && !(n == 0 && tmuxWraps(w)) || strings.Contains(w, "#(") {
			c.addOperand(i, KindExec, "starts or commands a session, which runs programs")
		}
		begin = strings.HasSuffix(w, ";")
	}
}

// tmuxWraps reports whether a tmux command is known to run its arguments.
func tmuxWraps(command string) bool {
	switch command {
	case "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp", "respawn-window",
		"respawnw", "run-shell", "run", "pipe-pane", "pipep", "popup", "display-popup", "send-keys", "send":
		return true
	}
	return false
}

// tmuxReads reports whether a tmux command only shows something or moves about.
func tmuxReads(command string) bool {
	command = strings.TrimSuffix(command, ";")
	switch command {
	case "ls", "lsp", "lsw", "lsc", "lsk", "lsb", "lscm", "has", "info", "capturep", "display", "show", "showw", "showb", "showmsgs", "attach", "a", "at", "":
		return true
	}
	for _, prefix := range [...]string{"list-", "show-", "has-session", "capture-pane", "display-message", "server-info", "attach-session", "select-", "detach"} {
		if strings.HasPrefix(command, prefix) {
			return true
		}
	}
	return false
}
