package shell

import "strings"

// fileGuards are programs that find, copy and change files.
var fileGuards = []guard{
	{programs: "find gfind bfs", style: words, takes: "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname" +
		" -type -xtype -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -size -perm -user -group -uid -gid -links -inum" +
		" -samefile -maxdepth -mindepth -printf -fstype -used -context -regextype -D", options: []option{
		{"-delete", KindWrite, "deletes the files it finds", nil},
		{"-fprint= -fprint0= -fls=", KindWrite, "writes a file", harmlessFile},
		{"-fprintf=", KindWrite, "writes a file", harmlessFile},
		{"-files0-from=", KindRead, otherFiles, harmlessFile},
		{"-rm", KindWrite, "deletes the files it finds", nil},
	}},
	{programs: "tree", style: exact, takes: "-L -P -I -T -H --filelimit --timefmt --charset --sort --infofile --gitfile", options: []option{
		{"-o=", KindWrite, "writes the listing to a file", harmlessFile},
		{"-R", KindWrite, "may write a listing into each folder", nil},
	}},
	{programs: "tee gtee", takes: "--output-error?", check: checkTee},
	{programs: "dd gdd", options: []option{{"of=", KindWrite, "writes a file or device", harmlessFile}}},
	{programs: "split gsplit", takes: "-a -b -C -l -n -t --suffix-length --bytes --line-bytes --lines --number --separator --additional-suffix",
		options: []option{{"--filter=", KindExec, "runs a command for each piece", nil}}, check: checkSplit},
	{programs: "csplit gcsplit", takes: "-b -n --suffix-format --digits", options: []option{
		{"-f= --prefix=", KindWrite, "writes the pieces to the named place", insideFile},
	}},
	{programs: "install ginstall", takes: "-g -m -o -S -t --group --mode --owner --suffix --target-directory", options: []option{
		{"--strip-program=", KindExec, "runs the named program", nil},
	}},
	{programs: "file", takes: "-e -F -f -P --exclude --separator --parameter", options: []option{
		{"-C --compile", KindWrite, "writes a compiled magic file", nil},
	}},
	{programs: "patch gpatch", takes: "-B -d -D -F -g -i -p -V -Y -z --directory --strip --input --fuzz", options: []option{
		{"-e --ed", KindExec, "runs ed, whose script can run commands", nil},
		{"-o= --output=", KindWrite, "writes another file", harmlessFile},
		{"-r= --reject-file=", KindWrite, "writes rejected hunks to another file", harmlessFile},
	}},
	{programs: "updatedb", options: []option{
		{"-o= --output=", KindWrite, "writes a database", nil},
		{"--localpaths= --netpaths=", KindExec, "searches named places with a shell", nil},
	}},
	{programs: "cp gcp mv gmv ln gln", options: []option{
		{"--strip-program=", KindExec, "runs the named program", nil},
	}},
	{programs: "chmod gchmod", check: checkChmod},
	{programs: "rename prename perl-rename file-rename", options: []option{
		{"-e= --expr= -E=", KindExec, "runs perl code for each name", nil},
	}},
	{programs: "logrotate", options: []option{
		{"-s= --state=", KindWrite, "writes a state file", nil},
		{"-l= --log=", KindWrite, "writes a log file", nil},
		{"-m= --mail=", KindExec, "runs the named mail program", nil},
	}},
	{programs: "parallel", takes: "-j -P -a -I -N -n -L -d -C --jobs --arg-file --delay --timeout --halt --tmpdir --workdir", options: []option{
		{"--results= --joblog= --tmuxpane=", KindWrite, "writes another file", nil},
		{"-J= --profile=", KindExec, "takes its options from a file", nil},
		{"-S= --sshlogin= --slf= --sshloginfile= --ssh=", KindNet, "runs the command on other machines", nil},
		{"--tf= --transferfile= --return= --trc= --bf= --basefile=", KindNet, "copies files to and from other machines", nil},
	}},
	{programs: "shuf gshuf", takes: "-i -n --input-range --head-count --random-source", options: []option{
		{"-o= --output=", KindWrite, "writes the result to a file", harmlessFile},
	}},
}

// checkSplit finds a place outside the project where split writes the pieces.
func checkSplit(c *call) {
	if len(c.operands) > 1 && !insideFile(c.text(1)) {
		c.addOperand(c.operands[1], KindWrite, "is where it writes the pieces")
	}
}

// checkTee finds the files that tee writes.
func checkTee(c *call) {
	for _, i := range c.operands {
		if !harmlessFile(c.args[i].Text) {
			c.addOperand(i, KindWrite, "is a file it writes")
		}
	}
}

// checkChmod finds modes that let a program run with its owner's rights.
func checkChmod(c *call) {
	mode := c.text(0)
	if strings.Contains(mode, "s") && strings.ContainsAny(mode, "+=") ||
		len(mode) == 4 && strings.IndexByte("234567", mode[0]) >= 0 && strings.Trim(mode, "01234567") == "" {
		c.addOperand(c.operands[0], KindState, "lets the file run with its owner's rights")
	}
}

// viewGuards are programs that show and search files.
var viewGuards = []guard{
	{programs: "rg", style: exact, takes: "-A -B -C -E -M -T -d -e -f -g -j -m -r -t --after-context --before-context --context --encoding" +
		" --glob --iglob --max-count --max-columns --max-depth --type --type-not --type-add --regexp --file --replace --sort --sortr --threads" +
		" --color --colors --engine --context-separator --ignore-file --dfa-size-limit --regex-size-limit --max-filesize --path-separator --pre-glob",
		options: []option{
			{"--pre=", KindExec, "runs a command on each file", isEmpty},
			{"--hostname-bin=", KindExec, "runs the named program", isEmpty},
			{"-z --search-zip", KindExec, "runs decompression programs", nil},
		}},
	{programs: "ag", takes: "-A -B -C -G -m -p -W --depth --ignore --ignore-dir --path-to-ignore", options: []option{
		{"--pager=", KindExec, "runs the named pager", nil},
	}},
	{programs: "ack", takes: "-A -B -m --type --ignore-dir --ignore-file", options: []option{
		{"--pager=", KindExec, "runs the named pager", nil},
		{"--output=", KindExec, "evaluates an expression for each line", nil},
		{"--ackrc=", KindExec, "takes its options, a pager among them, from a file", nil},
	}},
	{programs: "ugrep ug", style: exact, takes: "-A -B -C -e -f -g -j -J -K -m -M -N -O -t", options: []option{
		{"--filter=", KindExec, "runs a command on each file", nil},
		{"--pager? --view?", KindExec, "runs the named program", nil},
		{"--save-config?", KindWrite, "writes a configuration file", nil},
		{"---*", KindExec, "takes its options from a file", nil},
	}},
	{programs: "ast-grep sg", style: exact, inherit: true, options: []option{
		{"-U --update-all", KindWrite, "rewrites the files it finds", nil},
		{"-i --interactive", KindWrite, "starts an editor and rewrites files", nil},
	}},
	{programs: "less", takes: `-b -D -h -j -p -P -t -T -x -y -z -# --pattern --prompt --tag --tag-file --tabs --shift`, options: []option{
		{"-o= -O= --log-file= --LOG-FILE=", KindWrite, "writes what it reads to a file", nil},
		{"-k= --lesskey-file= --lesskey-src= --lesskey-content=", KindExec, "binds keys, which may run commands", nil},
		{"+", KindExec, "starts with a command of less", lessMove},
		{"--cmd=", KindExec, "starts with a command of less", lessMove},
	}},
	{programs: "man gman", takes: "-m -M -S -s -e -p -L -R -E -r --manpath --sections --systems --extension --preprocessor --locale" +
		" --encoding --prompt", options: []option{
		{"-P= --pager=", KindExec, "runs the named pager", oneOf("cat less more -")},
		{"-H? --html?", KindExec, "runs a browser", nil},
		{"-C= --config-file=", KindExec, "takes its programs from a file", nil},
		{"-B=", KindExec, "runs the named browser", nil},
	}},
	{programs: "apropos whatis", takes: "-s -m -M -L", options: []option{{"-C= --config-file=", KindExec, "takes its programs from a file", nil}}},
	{programs: "info", takes: "-d -f -n -k --directory --file --node --apropos", options: []option{
		{"-o= --output=", KindWrite, "writes nodes to a file", harmlessFile},
		{"--dribble=", KindWrite, "writes keystrokes to a file", nil},
		{"--restore= --init-file=", KindExec, "takes keystrokes or bindings from a file", nil},
	}},
	{programs: "bat batcat", style: exact, takes: "-l -H -m -r --language --theme --style --line-range --highlight-line --wrap" +
		" --tabs --map-syntax --file-name --color --decorations", options: []option{
		{"--pager=", KindExec, "runs the named pager", oneOf("cat less never")},
	}},
	{programs: "delta", style: exact, options: []option{
		{"--pager=", KindExec, "runs the named pager", oneOf("cat less never")},
		{"--config=", KindExec, "takes its pager from a file", nil},
	}},
	{programs: "fzf sk", style: exact, takes: "-q -f -n -d --query --filter --nth --with-nth --delimiter --tiebreak --prompt" +
		" --header --preview-window --pointer --marker --expect", options: []option{
		{"--bind=", KindExec, "runs a command on a key or event", notAny("execute", "become", "reload", "transform", "preview", "print(", "change-", "unbind(", "\x00")},
		{"--preview=", KindExec, "runs a command for the preview", isEmpty},
		{"-c= --cmd= --interactive-command=", KindExec, "runs a command for the list", nil},
		{"--with-shell=", KindExec, "runs the named shell", nil},
		{"--history=", KindWrite, "writes a history file", nil},
		{"--listen? --listen-unsafe?", KindNet, "listens for commands from the network", nil},
	}},
	{programs: "exiftool", style: words, takes: "-if2 -ext -x -d -c -sep", options: []option{
		{"-config=", KindExec, "runs the perl code of a file", nil},
		{"-if=", KindExec, "runs perl code for each file", notAny("`", "(", "{", "system", "\x00")},
		{"-o= -w= -w!= -w+= -W= -tagsfromfile= -overwrite_original -overwrite_original_in_place -delete_original -delete_original!" +
			" -restore_original", KindWrite, "writes files", nil},
		{"-@=", KindExec, "takes its options from a file", nil},
		{"-execute -stay_open=", KindExec, "runs further commands of its own", nil},
	}, check: checkExif},
}

// lessMove reports whether a command less starts with only moves: +F, +G, +/text, +100.
func lessMove(command string) bool {
	command = strings.TrimPrefix(command, "+")
	if command == "" {
		return true
	}
	if command[0] == '/' || command[0] == '?' {
		return !strings.ContainsAny(command, "\r\n\x00")
	}
	return strings.Trim(command, "0123456789FGg%") == ""
}

// checkExif finds -TAG=value, by which exiftool rewrites a file.
func checkExif(c *call) {
	for _, s := range c.seen {
		if s.given && strings.HasPrefix(c.args[s.arg].Text, "-") && strings.Contains(c.args[s.arg].Text, "=") {
			c.add(s.arg, s.name, KindWrite, "changes a tag in the file")
		}
	}
}
