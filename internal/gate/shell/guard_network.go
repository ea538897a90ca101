package shell

import "strings"

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
