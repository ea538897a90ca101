package risk

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// checkCurl lets requests to this machine's own servers pass, unless they go
// elsewhere too. Plain text sent by a method that is guarded itself needs no
// mention of its own.
func checkCurl(c *call) {
	if method := c.value("-X", "--request"); method != "" && !readMethod(method) {
		c.hazards = slices.DeleteFunc(c.hazards, func(h Hazard) bool {
			return h.Why == sendsText && !strings.ContainsAny(h.value, "@<"+argv.Hole)
		})
	}
	if c.has("-G") || c.hasLong("--get") {
		c.hazards = slices.DeleteFunc(c.hazards, func(h Hazard) bool { return h.Why == sendsText && inAddress(h) })
	}
	if c.staysHere() {
		c.drop("-d", "--data", "--data-ascii", "--data-binary", "--data-raw", "--data-urlencode", "--json", "-F", "--form", "--form-string",
			"-X", "--request", "-T", "--upload-file", "--url-query", "-H", "--header", "-b", "--cookie")
	}
}

// inAddress reports whether the text of a hazard becomes a part of the address
// under --get, and is no file's.
func inAddress(h Hazard) bool {
	if argv.BeginsHole(h.value) {
		return false
	}
	switch h.Flag {
	case "-d", "--data", "--data-ascii", "--data-binary":
		return !strings.HasPrefix(h.value, "@")
	case "--data-urlencode":
		return namesNoFile(h.value)
	}
	return h.Flag == "--data-raw"
}

// elsewhere are options of curl by which a request for this machine reaches
// another one; --url, which is read when it is written out, for its
// abbreviations.
var elsewhere = []string{
	"--proxy", "--preproxy", "--proxy1.0", "--resolve", "--connect-to", "--socks4", "--socks4a", "--socks5", "--socks5-hostname",
	"--location", "--location-trusted", "--follow", "--url", "--dns-servers", "--doh-url", "--interface", "--alt-svc", "--hsts", "--ipfs-gateway",
}

// staysHere reports whether every request goes to this machine.
func (c *call) staysHere() bool {
	if len(c.operands) == 0 || c.has("-x", "-L") || slices.ContainsFunc(c.seen, farURL) {
		return false
	}
	for i := range c.args {
		if w := c.args[i].Text; len(w) > 3 && w != "--url" && strings.HasPrefix(w, "--") && slices.ContainsFunc(elsewhere, func(name string) bool {
			return strings.HasPrefix(name, w)
		}) {
			return false
		}
	}
	for _, i := range c.operands {
		if !localAddress(c.args[i].Text) {
			return false
		}
	}
	return true
}

// farURL reports whether an option is --url with an address elsewhere.
func farURL(s seen) bool { return s.name == "--url" && !localAddress(s.value) }

// localAddress reports whether a web address is on this machine.
func localAddress(address string) bool {
	for _, scheme := range [...]string{"http://", "https://"} {
		if rest, ok := strings.CutPrefix(address, scheme); ok {
			address = rest
			break
		}
	}
	host := address
	if at := strings.IndexAny(address, "/?#"); at >= 0 {
		host = address[:at]
	}
	if strings.HasPrefix(host, "[::1]") {
		host, _ = strings.CutPrefix(host, "[::1]")
		return host == "" || host[0] == ':'
	}
	host, _, _ = strings.Cut(host, ":")
	return !strings.ContainsAny(address, "@{}[]\\") && (host == "localhost" || host == "127.0.0.1" || host == "0.0.0.0")
}

// namesNoFile reports whether curl's "content", "name=content" or "+content" is
// not "@file" or "name@file".
func namesNoFile(value string) bool {
	at := strings.IndexAny(value, "=@")
	return at < 0 || value[at] == '=' || value[0] == '+'
}

// writtenCookie reports whether curl's cookie is written out and not the name of
// a file.
func writtenCookie(value string) bool {
	return value == "" || strings.ContainsAny(value, "="+argv.Hole)
}

// writtenVariable reports whether a variable of curl has its content written out.
func writtenVariable(value string) bool {
	return namesNoFile(value) && strings.Contains(value, "=") && value[0] != '%'
}

const (
	remoteDo  = "may change what is at the address"
	sendsText = "sends data"
	sendsFile = "sends what a file holds"
)

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
var sshSettings = keyOneOf(strings.Fields("StrictHostKeyChecking ConnectTimeout ConnectionAttempts BatchMode LogLevel ServerAliveInterval" +
	" ServerAliveCountMax TCPKeepAlive IdentitiesOnly IdentityFile PasswordAuthentication PreferredAuthentications PubkeyAuthentication" +
	" KbdInteractiveAuthentication NumberOfPasswordPrompts Port User HostName HostKeyAlias ControlMaster ControlPersist Compression" +
	" AddressFamily RequestTTY HostKeyAlgorithms KexAlgorithms Ciphers MACs PubkeyAcceptedAlgorithms CheckHostIP ClearAllForwardings" +
	" ExitOnForwardFailure VisualHostKey UpdateHostKeys GSSAPIAuthentication")...)

func sshSetting(setting string) bool {
	return sshSettings(setting) || oneOf(strings.Fields("UserKnownHostsFile=/dev/null GlobalKnownHostsFile=/dev/null ForwardAgent=no")...)(setting)
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
