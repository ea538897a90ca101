package shell

import "strings"

const (
	remoteDo  = "may change what is at the address"
	sendsText = "sends data"
	sendsFile = "sends what a file holds"
)

// fetchGuards are programs that fetch from and send to web addresses.
var fetchGuards = []guard{
	{programs: "curl", plain: "--output-dir --ssl",
		takes: "-A -C -e -E -m -P -r -t -u -U -x -y -Y -z --user-agent --continue-at --referer --cert" +
			" --max-time --range --user --proxy-user --proxy --connect-timeout --url --resolve --connect-to --retry" +
			" --retry-delay --retry-max-time --cacert --capath --key --interface --max-redirs --limit-rate --socks5 --socks4" +
			" --socks5-hostname --noproxy --output-dir --time-cond --speed-limit --speed-time --oauth2-bearer --ciphers" +
			" --netrc-file --aws-sigv4 --keepalive-time --dns-servers --request-target --max-filesize --proto --tls-max --local-port",
		options: []option{
			{"-o= --output=", KindWrite, writeFile, harmlessFile},
			{"-O --remote-name --remote-name-all", KindWrite, "writes a file named by the address", nil},
			{"-D= --dump-header=", KindWrite, "writes the headers to a file", harmlessFile},
			{"-c= --cookie-jar=", KindWrite, "writes the cookies to a file", harmlessFile},
			{"--trace= --trace-ascii= --stderr= --libcurl= --hsts= --alt-svc= --etag-save= --ssl-sessions=", KindWrite, "writes another file", harmlessFile},
			{"-w= --write-out=", KindWrite, "may write a file", notAny("%output{", "@", "\x00")},
			{"-K= --config=", KindExec, "takes its options from a file", nil},
			{"--engine=", KindExec, "loads a shared library", nil},
			{"-T= --upload-file=", KindNet, "sends a file", nil},
			{"-d= --data= --data-ascii= --data-binary= --data-raw= --data-urlencode= --json=", KindNet, sendsText, nil},
			{"-F= --form= --form-string=", KindNet, sendsText, nil},
			{"--url-query=", KindNet, sendsFile, namesNoFile},
			{"-H= --header= --proxy-header=", KindNet, sendsFile, notBegun("@")},
			{"-b= --cookie=", KindNet, sendsFile, writtenCookie},
			{"--variable=", KindRead, "reads a file or the environment to send it", writtenVariable},
			{"--expand-*", KindNet, "fills in text that cannot be read here", nil},
			{"-X= --request=", KindState, remoteDo, readMethod},
			{"-Q= --quote= --postquote= --prequote=", KindState, "sends a command to the server", keyOneOf("LIST NOOP SYST PWD STAT HELP FEAT TYPE CWD MDTM SIZE NLST")},
			{"-a --append", KindNet, "adds to a remote file", nil},
			{"--mail-from= --mail-rcpt=", KindNet, "sends mail", nil},
			{"--unix-socket= --abstract-unix-socket=", KindNet, "talks to a service on this machine", nil},
		}, check: checkCurl},
	{programs: "wget wget2", plain: "--execute --hsts --hpkp --ocsp",
		takes: "-t -T -w -Q -l -A -R -D -I -X -B -i -U --tries --timeout --wait --quota --user-agent --header --user --password --level" +
			" --input-file --base --referer --load-cookies --limit-rate",
		options: []option{
			{"-O= --output-document=", KindWrite, writeFile, harmlessFile},
			{"-o= --output-file= -a= --append-output= --rejected-log= --save-cookies= --hsts-file= --hpkp-file= --tls-session-file= --ocsp-file= --warc-file= --warc-tempdir=", KindWrite, "writes another file", harmlessFile},
			{"-P= --directory-prefix=", KindWrite, "writes to another folder", insideFile},
			{"--use-askpass=", KindExec, "runs the named program", nil},
			{"--plugin= --local-plugin= --plugin-dirs=", KindExec, loadsCode, nil},
			{"-e= --execute=", KindExec, "runs a command of its settings file", nil},
			{"--config=", KindExec, "takes its options from a file", nil},
			{"--post-file= --body-file=", KindNet, "sends a file", nil},
			{"--post-data= --body-data=", KindNet, "sends data", nil},
			{"--method=", KindState, remoteDo, readMethod},
		}},
	{programs: "aria2c", style: gnu, takes: "-x -s -j -k -m -t --max-connection-per-server --split --header", options: []option{
		{"--on-download-start= --on-download-complete= --on-download-stop= --on-download-pause= --on-download-error=" +
			" --on-bt-download-complete=", KindExec, "runs the named program", nil},
		{"--conf-path= -i= --input-file=", KindExec, "takes its options from a file", nil},
		{"-d= --dir= -o= --out= -l= --log= --save-session=", KindWrite, "writes to the named place", insideFile},
		{"--enable-rpc", KindNet, "listens for commands from the network", nil},
	}},
	{programs: "http https xh xhs", takes: "-a --auth -A --auth-type -p --print --timeout -s --style", options: []option{
		{"-o= --output=", KindWrite, writeFile, harmlessFile},
		{"-d --download", KindWrite, "writes a file named by the address", nil},
	}, check: checkHTTPie},
	{programs: "yt-dlp youtube-dl", plain: "--netrc", takes: "-f -S -r -a --format --proxy --cookies", options: []option{
		{"--exec= --exec-before-download=", KindExec, "runs a command on each file", nil},
		{"--config-location= --config-locations= --plugin-dirs=", KindExec, "takes its options or code from a file", nil},
		{"--downloader= --external-downloader= --ffmpeg-location= --netrc-cmd= --alias=", KindExec, "runs the named program", nil},
		{"-o= --output= -P= --paths=", KindWrite, "writes to the named place", insideFile},
	}},
}

// checkHTTPie finds a method that changes something, and fields that make one.
func checkHTTPie(c *call) {
	for n, i := range c.operands {
		w := c.args[i].Text
		switch {
		case n == 0 && w != "" && strings.ToUpper(w) == w && strings.Trim(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && !readMethod(w):
			c.addOperand(i, KindState, remoteDo)
		case n > 0 && strings.Contains(w, "=") && !strings.Contains(w, "==") && !strings.Contains(w, "://"):
			c.addOperand(i, KindNet, "sends a field")
		case n > 0 && strings.Contains(w, "@") && !strings.Contains(w, "://"):
			c.addOperand(i, KindNet, "sends a file")
		}
	}
}

// sshSettings are settings of ssh that run no program and open no way in.
var sshSettings = keyOneOf("StrictHostKeyChecking ConnectTimeout ConnectionAttempts BatchMode LogLevel ServerAliveInterval" +
	" ServerAliveCountMax TCPKeepAlive IdentitiesOnly IdentityFile PasswordAuthentication PreferredAuthentications PubkeyAuthentication" +
	" KbdInteractiveAuthentication NumberOfPasswordPrompts Port User HostName HostKeyAlias ControlMaster ControlPersist Compression" +
	" AddressFamily RequestTTY HostKeyAlgorithms KexAlgorithms Ciphers MACs PubkeyAcceptedAlgorithms CheckHostIP ClearAllForwardings" +
	" ExitOnForwardFailure VisualHostKey UpdateHostKeys GSSAPIAuthentication")

func sshSetting(setting string) bool {
	return sshSettings(setting) || oneOf("UserKnownHostsFile=/dev/null GlobalKnownHostsFile=/dev/null ForwardAgent=no")(setting)
}

// plainSSH reports whether a command is ssh with options that run no program.
func plainSSH(command string) bool {
	words := strings.Fields(command)
	if len(words) == 0 || words[0] != "ssh" {
		return false
	}
	for i := 1; i < len(words); i++ {
		switch w := words[i]; {
		case len(w) == 2 && strings.Contains("-p -i -l -c -m -b", w):
			i++
		case w == "-o" && i+1 < len(words) && sshSetting(words[i+1]):
			i++
		case strings.HasPrefix(w, "-o") && sshSetting(w[2:]):
		case len(w) > 1 && w[0] == '-' && strings.Trim(w[1:], "46aCkqTtvxn") == "", strings.HasPrefix(w, "-p") && strings.Trim(w[2:], "0123456789") == "":
		default:
			return false
		}
	}
	return true
}

const sshProxy = "sets a setting of ssh, which may name a program to run"

// networkGuards are programs that reach other machines by other means.
var networkGuards = []guard{
	{programs: "ssh autossh", first: true, takes: "-B -b -c -e -i -J -l -m -O -p -Q -S", options: []option{
		{"-o=", KindExec, sshProxy, sshSetting},
		{"-F=", KindExec, "takes its settings from a file", harmlessFile},
		{"-I=", KindExec, "loads a shared library", nil},
		{"-L= -R= -D= -W= -w=", KindNet, "opens a way through the connection", nil},
		{"-E=", KindWrite, "writes a log file", harmlessFile},
		{"-A", KindNet, "lets the other machine use the login keys", nil},
	}},
	{programs: "scp", takes: "-c -i -J -l -P -X", options: []option{
		{"-S=", KindExec, "runs the named program", nil},
		{"-D=", KindExec, "runs the named program", nil},
		{"-o=", KindExec, sshProxy, sshSetting},
		{"-F=", KindExec, "takes its settings from a file", harmlessFile},
	}},
	{programs: "sftp", takes: "-B -c -i -J -l -P -R -X", options: []option{
		{"-S= -D= -s=", KindExec, "runs the named program", nil},
		{"-o=", KindExec, sshProxy, sshSetting},
		{"-F=", KindExec, "takes its settings from a file", harmlessFile},
		{"-b=", KindExec, "takes its commands from a file", nil},
	}},
	{programs: "ssh-keygen", takes: "-b -t -C -N -P -E -F -R -m -n -I -O -V -z -s -Z -r", options: []option{
		{"-D= -w=", KindExec, "loads a shared library", nil},
	}},
	{programs: "ssh-add", takes: "-t -E -S -H", options: []option{
		{"-s=", KindExec, "loads a shared library", nil},
		{"-D -d -X -x", KindState, "removes or locks login keys", nil},
	}},
	{programs: "rsync", style: exact, takes: "-f -B -T --exclude --include --exclude-from --include-from --files-from --filter" +
		" --max-size --min-size --bwlimit --timeout --port --chmod --chown --info --out-format --compare-dest --link-dest",
		options: []option{
			{"-e= --rsh=", KindExec, "runs the named program", plainSSH},
			{"--rsync-path=", KindExec, "runs the named program at the other end", nil},
			{"-M= --remote-option=", KindExec, "passes an option to the other end", nil},
			{"--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded", KindWrite, "deletes files at the destination", nil},
			{"--remove-source-files", KindWrite, "deletes what it has copied", nil},
			{"--backup-dir= --partial-dir=", KindWrite, "writes to another folder", insideFile},
			{"--log-file= --write-batch= --only-write-batch=", KindWrite, "writes another file", harmlessFile},
			{"--daemon", KindNet, "serves files to the network", nil},
			{"--config=", KindExec, "takes its settings from a file", nil},
			{"--early-input=", KindExec, "feeds a file to the other end", nil},
		}, check: checkRsync},
	{programs: "rclone", style: exact, inherit: true, options: []option{
		{"--config=", KindExec, "takes its settings from a file", nil},
		{"--password-command= --metadata-mapper= --sftp-ssh=", KindExec, "runs a command", nil},
		{"--log-file=", KindWrite, "writes a log file", harmlessFile},
		{"--rc", KindNet, "listens for commands from the network", nil},
	}},
	{programs: "nc ncat netcat", takes: "-p -s -w -q -i -x -X -T -I -O -g -G -m -V", options: []option{
		{"-e= --exec= -c= --sh-exec= --lua-exec=", KindExec, "runs a command on the connection", nil},
		{"-o= --output= --hex-dump=", KindWrite, "writes what is said to a file", harmlessFile},
		{"-l --listen", KindNet, "listens for connections", nil},
	}},
	{programs: "socat", style: words, check: checkSocat, options: []option{
		{"-lf= -r= -R=", KindWrite, "writes what is said to a file", harmlessFile},
		{"-S= -cp=", KindExec, "changes how it runs", nil},
	}},
	{programs: "nmap", style: words, takes: "-p -iL -e -S -D -T --top-ports --exclude --excludefile --max-retries", options: []option{
		{"-script= -script-args-file= -datadir=", KindExec, "runs scripts", oneOf("default vuln safe discovery version banner")},
		{"-oN= -oX= -oS= -oG= -oA=", KindWrite, "writes a report", harmlessFile},
		{"-stylesheet= -resume=", KindWrite, "writes or takes up a report", nil},
		{"-interactive", KindExec, "starts a shell of its own", nil},
	}},
	{programs: "tcpdump tshark dumpcap", takes: "-i -c -s -r -B -E -M -T -y -V -Q -f -Y -e -d -o", options: []option{
		{"-z=", KindExec, "runs a program on each finished file", nil},
		{"-w=", KindWrite, "writes what it sees to a file", harmlessFile},
		{"-F=", KindExec, "takes its filter from a file", nil},
		{"-X=", KindExec, "loads a script", notBegun("lua_script")},
	}},
	{programs: "openssl", style: words, takes: "-in -inform -outform -subj -days -connect -servername -cert -key -CAfile -starttls" +
		" -newkey -passin -passout -name -proxy -keyform", options: []option{
		{"-out= -keyout= -writerand= -sess_out= -keylogfile= -msgfile= -outdir= -CAserial= -certsout= -reqout= -respout= -rspout= -certout= -cacertsout=" +
			" -extracertsout= -chainout=", KindWrite, "writes a file", harmlessFile},
		{"-engine= -ssl_client_engine= -provider= -provider-path=", KindExec, "loads a shared library", oneOf("default legacy base fips")},
		{"-config=", KindExec, "takes its settings, and libraries to load, from a file", nil},
		{"-accept= -www -WWW -HTTP", KindNet, "listens for connections", nil},
	}},
	{programs: "gpg gpg2", plain: "--export", takes: "-r -u -N --recipient --local-user --default-key --keyid-format --fingerprint? --status-fd" +
		" --passphrase-fd --pinentry-mode", options: []option{
		{"-o= --output=", KindWrite, writeFile, harmlessFile},
		{"--photo-viewer= --agent-program= --dirmngr-program= --keyboxd-program= --gpgconf-program= --exec-path=", KindExec, "runs the named program", nil},
		{"--options= --homedir=", KindExec, "takes its options from a file", nil},
		{"--load-extension=", KindExec, "loads a shared library", nil},
		{"--log-file= --logger-file= --status-file= --attribute-file=", KindWrite, "writes another file", harmlessFile},
		{"--delete-key --delete-keys --delete-secret-key --delete-secret-keys --delete-secret-and-public-key", KindState, "deletes keys", nil},
		{"--export-secret-keys --export-secret-subkeys", KindState, "gives out secret keys", nil},
		{"--send-keys", KindNet, "publishes keys", nil},
	}},
	{programs: "age rage age-keygen rage-keygen", style: exact, takes: "-r -R -i --recipient --recipients-file --identity", options: []option{
		{"-o= --output=", KindWrite, writeFile, harmlessFile},
		{"-j=", KindExec, "runs a plug-in", nil},
	}},
	{programs: "sops", style: exact, inherit: true, takes: "--input-type --output-type --extract -k --kms -p --pgp -a --age", options: []option{
		{"-i --in-place", KindWrite, "edits the file in place", nil},
		{"--output=", KindWrite, writeFile, harmlessFile},
	}},
	{programs: "lftp", takes: "-p -u", options: []option{{"-c= -e= -f=", KindExec, "runs commands of lftp, which can run programs", nil}}},
	{programs: "ftp tnftp", takes: "-P -r -s -T -N", options: []option{{"-o=", KindWrite, writeFile, harmlessFile}}},
	{programs: "telnet", options: []option{{"-n=", KindWrite, "writes a trace to a file", nil}}},
	{programs: "mail mailx mutt neomutt s-nail sendmail msmtp swaks", style: exact, options: []option{
		{"-C= -F= --config=", KindExec, "takes its settings from a file", nil},
		{"-e= -S= -A= -a=", KindExec, "runs a command of its settings, or attaches a file", nil},
	}},
	{programs: "openvpn", style: words, options: []option{
		{"-up= -down= -route-up= -ipchange= -tls-verify= -auth-user-pass-verify= -client-connect= -learn-address= -plugin= -iproute=", KindExec, runsNamed, nil},
		{"-config= -log= -log-append= -writepid= -status=", KindExec, "takes its programs from a file, or writes one", nil},
	}},
	{programs: "restic borg", style: exact, inherit: true, options: []option{
		{"--password-command= -o= --option= --rsh= --remote-path=", KindExec, runsNamed, nil},
	}},
	{programs: "ngrok cloudflared localtunnel lt bore", sub: "http|tcp|tls|tunnel|start|local", options: []option{{"", KindNet, "opens this machine to the network", nil}}},
}

// checkRsync lets a dry run pass, which deletes nothing.
func checkRsync(c *call) {
	if c.has("-n", "--dry-run") {
		c.drop("--delete", "--del", "--delete-before", "--delete-during", "--delete-delay", "--delete-after", "--delete-excluded", "--remove-source-files")
	}
}

// checkSocat finds addresses that run a command or write a file.
func checkSocat(c *call) {
	for _, i := range c.operands {
		lower := strings.ToLower(c.args[i].Text)
		for part := range strings.SplitSeq(lower, "!!") {
			kind, _, _ := strings.Cut(part, ":")
			switch strings.TrimLeft(kind, " ") {
			case "exec", "system", "shell":
				c.addOperand(i, KindExec, "runs a command on the connection")
			case "open", "create", "creat", "gopen", "file":
				c.addOperand(i, KindWrite, "may write a file")
			}
		}
	}
}
