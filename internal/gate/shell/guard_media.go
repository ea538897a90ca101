package shell

import "strings"

// mediaGuards are programs for pictures, sound, film and print.
var mediaGuards = []guard{
	{programs: "ffmpeg ffplay", style: words, takes: "-i -c -c:v -c:a -vcodec -acodec -vf -af -filter_complex -ss -t -to -r -s -b:v" +
		" -b:a -map -preset -crf -pix_fmt -metadata -threads -loglevel -hide_banner? -y? -n?", options: []option{
		{"-filter_script= -filter_complex_script= -/filter_complex=", KindExec, "takes filters from a file", nil},
		{"-dump_attachment= -vstats_file= -passlogfile= -report -progress=", KindWrite, "writes another file", nil},
		{"-listen=", KindNet, "listens for connections", nil},
		{"-init_hw_device= -protocol_whitelist=", KindExec, "changes what it may reach", nil},
		{"tee: rtmp: rtmps: tcp: tls: udp: srt: ftp: sftp: http: https: icecast: unix:", KindNet, "sends to the address", nil},
	}},
	{programs: "ffprobe", style: words, takes: "-i -v -show_entries -of -select_streams -print_format", options: []option{
		{"-o= -report", KindWrite, writeFile, harmlessFile},
		{"-protocol_whitelist=", KindExec, "changes what it may reach", nil},
	}},
	{programs: "convert magick mogrify identify composite montage compare animate display import stream conjure", style: words, options: []option{
		{"-write= -process= -path= -dump=", KindWrite, "writes a file or runs a module", nil},
		{"|", KindExec, "runs the command in the file name", nil},
		{"msl: mvg: ephemeral: inline: text:@ @ caption:@ label:@ url: https: http: ftp:", KindExec, "reads a script or an address", nil},
		{"-script=", KindExec, "runs a script", nil},
	}},
	{programs: "gs ghostscript", style: letters, takes: "-r -I -g", options: []option{
		{"-dNOSAFER -dDELAYSAFER -sOutputFile=|* -sOutputFile=%pipe* -dSAFER=false*", KindExec, "lets the document run commands", nil},
		{"-c=", KindExec, runsText, nil},
		{"-o= -sOutputFile=", KindWrite, writeFile, insideFile},
		{"@", KindExec, "takes its options from a file", nil},
	}},
	{programs: "inkscape", style: exact, options: []option{
		{"--actions= --verb= --action-list? --shell", KindExec, "runs actions", nil},
		{"-o= --export-filename= --export-plain-svg= --export-pdf=", KindWrite, writeFile, insideFile},
	}},
	{programs: "blender", style: exact, options: []option{
		{"-P= --python= --python-expr= --python-text= --python-console -y --enable-autoexec --addons=", KindExec, loadsCode, nil},
		{"-o= --render-output=", KindWrite, writeFile, insideFile},
	}},
	{programs: "gimp", style: exact, options: []option{{"-b= --batch= --batch-interpreter= -g= --gimprc=", KindExec, runsText, nil}}},
	{programs: "libreoffice soffice", style: exact, options: []option{
		{"macro: vnd.sun.star.script:", KindExec, "runs a macro", nil},
		{"--accept=", KindNet, "listens for commands", nil},
		{"--outdir=", KindWrite, "writes to another folder", insideFile},
	}},
	{programs: "gnuplot", style: exact, takes: "-p", options: []option{{"-e= -c=", KindExec, runsText, nil}}},
	{programs: "dot neato fdp sfdp circo twopi", style: exact, takes: "-T -G -N -E -K", options: []option{
		{"-o=", KindWrite, writeFile, insideFile},
		{"-O", KindWrite, "writes files beside its input", nil},
		{"-l=", KindExec, "loads a library", nil},
		{"-c", KindState, "configures plug-ins", nil},
	}},
	{programs: "mpv mplayer vlc cvlc", style: exact, options: []option{
		{"--script= --scripts= --script-opts= --input-conf= --input-ipc-server= --include= --lua-config= --ytdl-raw-options=", KindExec, loadsCode, nil},
		{"-o= --o= --stream-record= --stream-dump= --record-file= --sout= --log-file= --dump-stats=", KindWrite, writeFile, nil},
		{"--profile=", KindExec, "takes its settings from a profile", nil},
	}},
	{programs: "sox play rec", style: exact, options: []option{{"--temp= --effects-file=", KindExec, "takes effects from a file", nil}, {"|", KindExec, "runs the command in the file name", nil}}},
	{programs: "wkhtmltopdf wkhtmltoimage", style: exact, options: []option{
		{"--run-script= --enable-local-file-access --allow= --checkbox-svg=", KindExec, "lets the page read files or run a script", nil},
		{"--post= --post-file= --cookie-jar=", KindNet, "sends data or writes cookies", nil},
	}},
	{programs: "mmdc plantuml", style: exact, options: []option{
		{"-p= --puppeteerConfigFile= -c= --configFile= -config=", KindExec, "takes its settings, and a program to run, from a file", nil},
		{"-o= --output=", KindWrite, writeFile, insideFile},
	}},
	{programs: "chromium chrome google-chrome chromium-browser", style: exact, options: []option{
		{"--renderer-cmd-prefix= --utility-cmd-prefix= --gpu-launcher= --browser-subprocess-path= --no-sandbox --load-extension=" +
			" --ppapi-plugin-launcher=", KindExec, runsNamed, nil},
		{"--remote-debugging-port= --remote-debugging-address= --remote-debugging-pipe", KindNet, "listens for commands", nil},
		{"--screenshot? --print-to-pdf? --user-data-dir= --crash-dumps-dir= --log-net-log=", KindWrite, writeFile, insideFile},
	}},
	{programs: "lp lpr", style: exact, takes: "-d -n -o -P -t", options: []option{{"-h= -H=", KindNet, "prints on another machine", nil}}},
}

// editorGuards are editors, which run commands of their own.
var editorGuards = []guard{
	{programs: "vim vi nvim view vimdiff rvim ex gvim nvi elvis", style: exact, takes: "-t -r? -L? -T -d? -p? -o? -O?", options: []option{
		{"-V?", KindWrite, "writes what it does to a file", func(level string) bool { return strings.Trim(level, "0123456789") == "" }},
		{"-c= --cmd=", KindExec, "runs commands of the editor, which run programs", vimReads},
		{"-S= -u= -U= --startuptime= -l= --listen= --server=", KindExec, "runs the commands of a file", oneOf("NONE NORC")},
		{"-s= -es -Es", KindExec, "takes its commands from a file or the input", nil},
		{"-w= -W= -i=", KindWrite, "writes what is typed to a file", oneOf("NONE")},
		{"--remote-send= --remote-expr=", KindExec, "commands another editor", nil},
		{"+", KindExec, "runs commands of the editor, which run programs", vimReads},
	}},
	{programs: "emacs emacsclient", style: words, options: []option{
		{"-eval= -e= -execute= -f= -funcall= -l= -load= -script= -x= -insert= -kill", KindExec, runsText, nil},
		{"-L= -directory= -init-directory=", KindExec, loadsCode, nil},
	}},
	{programs: "nano pico rnano", takes: "-T -r -Y -E? -Q -X", options: []option{
		{"-s= --speller= --alt_speller=", KindExec, runsNamed, nil},
		{"-f= --rcfile=", KindExec, "takes its settings, and programs to run, from a file", nil},
		{"-C= --backupdir=", KindWrite, "writes copies to another folder", nil},
		{"-o= --operatingdir=", KindState, "works in another folder", nil},
	}},
	{programs: "ed red", style: exact, takes: "-p --prompt", check: checkEd},
	{programs: "kak", style: exact, options: []option{{"-e= -E= -p= -f=", KindExec, "runs commands of the editor, which run programs", nil}}},
	{programs: "joe jed mcedit micro helix hx", style: exact, options: []option{
		{"-c= --config= -plugin= -parsecursor= --batch= -l= -f=", KindExec, "takes commands or settings from elsewhere", nil},
	}},
	{programs: "code codium cursor subl zed", style: exact, options: []option{
		{"--install-extension= --uninstall-extension= --extensions-dir= --extensionDevelopmentPath= --command=", KindExec, "installs or runs an extension", nil},
		{"--user-data-dir=", KindWrite, "writes to another folder", nil},
	}},
	{programs: "code codium cursor", sub: "tunnel|serve-web|ext", style: exact, options: []option{{"", KindNet, "opens this machine to the network", nil}}},
}

// checkEd finds the file that ed opens: its commands come from the input.
func checkEd(c *call) {
	if len(c.operands) > 0 {
		c.addOperand(c.operands[0], KindExec, "is edited by commands from the input, which can run programs")
	}
}

// vimReads reports whether an editor's command is a line number or a search.
func vimReads(command string) bool {
	if command == "" || strings.Trim(command, "0123456789$") == "" {
		return true
	}
	return command[0] == '/' && !strings.ContainsAny(command, "|\n\x00")
}
