package shell

import "strings"

// archiveGuards are programs that pack and unpack.
var archiveGuards = []guard{
	{programs: "tar gtar bsdtar", style: bundled, plain: "--list --checkpoint --to-stdout --file --force-local",
		takes: "-b -C -f -H -K -L -N -T -V -X --directory --format --label --files-from --exclude --exclude-from --transform" +
			" --strip-components --starting-file --newer --owner --group --mode --mtime --blocking-factor --record-size --tape-length" +
			" --level --occurrence? --add-file",
		options: []option{
			{"--checkpoint-action=", KindExec, "runs a command while it works", oneOf("dot bell echo")},
			{"-I= --use-compress-program=", KindExec, "runs the named program", oneOf("gzip bzip2 xz zstd lz4 pigz pbzip2 pixz")},
			{"--to-command=", KindExec, "runs a command on each file", nil},
			{"-F= --info-script= --new-volume-script=", KindExec, "runs a script at the end of a volume", nil},
			{"--rsh-command= --rmt-command=", KindExec, "runs the named program to reach another machine", nil},
			{"-P --absolute-names --absolute-paths", KindWrite, "lets the archive write outside the folder", nil},
			{"--remove-files", KindWrite, "deletes the files it packs", nil},
			{"--recursive-unlink --unlink-first", KindWrite, "deletes what is in its way", nil},
			{"--index-file= --volno-file=", KindWrite, "writes another file", harmlessFile},
			{"-g= --listed-incremental=", KindWrite, "writes a snapshot file", harmlessFile},
		}, check: checkTar},
	{programs: "zip", takes: "-b -n -t -tt -O -P -i -x --suffixes --temp-path", options: []option{
		{"--unzip-command=", KindExec, "runs the named program as a test", nil},
		{"--logfile-path=", KindWrite, "writes a log file", nil},
		{"-m --move", KindWrite, "deletes the files it packs", nil},
	}, check: checkZip},
	{programs: "zipsplit zipcloak zipnote", takes: "-b -n -t -r", options: []option{{"-w", KindWrite, "rewrites the archive", nil}}},
	{programs: "unzip", takes: "-d -P -x -O -I", options: []option{
		{"-:", KindWrite, "lets the archive write outside the folder", nil},
		{"-K", KindState, "keeps the rights to run as another user", nil},
		{"-d=", KindWrite, "unpacks to another place", insideFile},
	}},
	{programs: "7z 7za 7zz 7zr p7zip", style: words, options: []option{
		{"-sdel", KindWrite, "deletes the files it packs", nil},
		{"-spf -spf2", KindWrite, "lets the archive write outside the folder", nil},
		{"-o*", KindWrite, "unpacks to another place", insideFile},
	}},
	{programs: "cpio gcpio", takes: "-C -E -H -M -R --block-size --format --io-size --owner --pattern-file -D --directory", options: []option{
		{"--rsh-command= --rmt-command=", KindExec, "runs the named program to reach another machine", nil},
		{"-O=", KindWrite, "writes an archive", harmlessFile},
		{"-F= --file=", KindWrite, "may write an archive", insideFile},
		{"--absolute-filenames", KindWrite, "lets the archive write outside the folder", nil},
	}},
	{programs: "pax", takes: "-b -s -x -p -o -T", options: []option{{"-f=", KindWrite, "may write an archive", insideFile}}},
	{programs: "ar gar ranlib nm objdump strip objcopy", style: exact, options: []option{
		{"--plugin=", KindExec, "loads a shared library", nil},
	}},
	{programs: "rar unrar", style: words, options: []option{
		{"-df -dr", KindWrite, "deletes the files it packs", nil},
		{"-ilog*", KindWrite, "writes a log file", nil},
	}},
	{programs: "zstd gzip bzip2 xz lz4 lzma compress brotli pigz", style: exact, takes: "-D -T -S --suffix", options: []option{
		{"--rm", KindWrite, "deletes its input", nil},
		{"--output-dir-flat= --output-dir-mirror=", KindWrite, "writes to another folder", insideFile},
		{"-o= --output=", KindWrite, "writes the named file", insideFile},
		{"--trace=", KindWrite, "writes a trace", nil},
	}},
	{programs: "asar", style: exact, options: []option{{"--unpack-dir=", KindWrite, "writes another folder", insideFile}}},
	{programs: "binwalk", takes: "-y -x -l -o -n", options: []option{
		{"-e --extract -M --matryoshka", KindExec, "runs unpackers on what it finds", nil},
		{"-D= --dd=", KindExec, "runs a command on what it finds", nil},
		{"-f= --log=", KindWrite, "writes a log file", nil},
	}},
	{programs: "mksquashfs unsquashfs mkisofs genisoimage xorriso", style: words, options: []option{
		{"-d= -dest= -o= -outdev= -dev=", KindWrite, "writes the named place", insideFile},
		{"-external_filter= -exec=", KindExec, "runs the named program", nil},
		{"-action=", KindExec, "runs a command for each file", nil},
	}},
}

// checkTar finds an archive on another machine, which tar reaches by running a
// remote shell, and a place outside the project where tar unpacks.
func checkTar(c *call) {
	if c.has("-x") || c.hasLong("--extract") || c.hasLong("--get") {
		for _, s := range c.seen {
			if (s.name == "-C" || s.name == "--directory" || s.name == "--one-top-level") && !insideFile(s.value) {
				c.addFlag(s.arg, s.name, KindWrite, "unpacks to another place")
			}
		}
	}
	if c.has("--force-local") {
		return
	}
	for _, s := range c.seen {
		if s.name != "-f" && s.name != "--file" {
			continue
		}
		host, _, remote := strings.Cut(s.value, ":")
		if remote && host != "" && !strings.Contains(host, "/") {
			c.add(s.arg, s.value, KindExec, "runs a remote shell to reach the archive")
		}
	}
}

// checkZip finds -TT, which zip reads as one option among its clusters.
func checkZip(c *call) {
	for i := range c.args {
		w := c.args[i].Text
		if len(w) > 2 && w[0] == '-' && w[1] != '-' && strings.Contains(w, "TT") {
			c.addFlag(i, "-TT", KindExec, "runs a command as a test of the archive")
		}
	}
}
