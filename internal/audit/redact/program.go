package redact

import "strings"

// program says where a program takes secrets, beyond options whose names tell.
type program struct {
	// after is a word that must have come before, such as a subcommand.
	after string
	// glued are the letters of short options with the secret in the same word.
	glued string
	// next are options, blank-separated, with the secret in the next word or
	// after an equals sign or a colon.
	next string
	// pair are options with user and secret, joined by sep (":" if empty), in
	// the next word or in the same.
	pair string
	sep  string
	// words are positions, counted from 1 after the word after (or the name),
	// of arguments that are secrets; -1 is the last. With a sep they are user and
	// secret.
	words []int
	// min is how many arguments there must be for words to count.
	min int
	// drawn: what looks like a word is no secret.
	drawn bool
}

// forEach gives several programs the same entry.
func forEach(table map[string][]program, names string, list ...program) {
	for _, n := range strings.Fields(names) {
		table[n] = append(table[n], list...)
	}
}

// programs are the programs by name; where each takes a secret is in its manual.
var programs = func() map[string][]program {
	t := map[string][]program{}

	// Databases and queues
	forEach(t, "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlpump mysqlsh mysqlbinlog mysqlslap mycli "+
		"mariadb mariadb-dump mariadb-admin mariadb-check mariadb-import mydumper myloader xtrabackup mysql_upgrade",
		program{glued: "p"})
	forEach(t, "mysqladmin mariadb-admin", program{after: "password", words: []int{1}})
	forEach(t, "mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles",
		program{glued: "p", next: "-p"})
	forEach(t, "redis-cli redis-benchmark valkey-cli keydb-cli", program{next: "-a --pass"},
		program{after: "auth", words: []int{-1}}, program{after: "AUTH", words: []int{-1}},
		program{after: "requirepass", words: []int{1}})
	forEach(t, "redis-server", program{next: "--requirepass --masterauth"})
	forEach(t, "rabbitmqadmin", program{next: "-p"})
	forEach(t, "rabbitmqctl", program{after: "add_user", words: []int{2}}, program{after: "change_password", words: []int{2}},
		program{after: "authenticate_user", words: []int{2}})
	forEach(t, "sqlcmd bcp osql tsql mssql-cli", program{glued: "P", next: "-P"})
	forEach(t, "sqlplus sqlldr expdp impdp", program{sep: "/", words: []int{1}})
	forEach(t, "cqlsh influx", program{next: "-p"})
	forEach(t, "pgcli pgbench", program{next: "-W", drawn: true})
	forEach(t, "mosquitto_pub mosquitto_sub mosquitto_rr", program{next: "-P --pw"})
	forEach(t, "mosquitto_passwd", program{after: "-b", words: []int{-1}, min: 3})
	forEach(t, "etcdctl", program{pair: "--user"})
	forEach(t, "snowsql clickhouse-client", program{next: "--password"})
	forEach(t, "cypher-shell", program{next: "-p"})

	// The web
	forEach(t, "curl", program{pair: "-u --user -U --proxy-user --cert -E --proxy-cert"},
		program{next: "--oauth2-bearer --pass --proxy-pass --tlspassword --proxy-tlspassword"})
	forEach(t, "http https httpie xh xhs hey", program{pair: "-a --auth"}, program{after: "bearer", next: "-a --auth"})
	forEach(t, "ab", program{pair: "-A -P"})
	forEach(t, "wget wget2 aria2c", program{next: "--http-passwd --ftp-passwd --ftp-password --http-password"})
	forEach(t, "youtube-dl yt-dlp", program{next: "-p --video-password --ap-password"})
	forEach(t, "lftp", program{pair: "-u", sep: ","})
	forEach(t, "ncftp ncftpput ncftpget ncftpls", program{next: "-p"})
	forEach(t, "htpasswd", program{after: "-b", words: []int{-1}, min: 2})
	forEach(t, "caddy", program{after: "hash-password", next: "--plaintext -p"})

	// Machines
	forEach(t, "sshpass", program{glued: "p", next: "-p"})
	forEach(t, "smbclient smbget smbmap rpcclient smbcacls net smbtree", program{pair: "-U --user", sep: "%"}, program{next: "-p --password", drawn: true})
	forEach(t, "crackmapexec netexec nxc cme evil-winrm hydra medusa rdesktop psexec winexe", program{next: "-p"})
	forEach(t, "rdesktop", program{glued: "p"})
	forEach(t, "net", program{after: "user", words: []int{2}, drawn: true}, program{after: "use", words: []int{3}, drawn: true})
	forEach(t, "xfreerdp wlfreerdp xfreerdp3 freerdp sdl-freerdp", program{next: "/p"})
	forEach(t, "ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn ldapexop", program{glued: "w", next: "-w"})
	forEach(t, "ldappasswd", program{next: "-w -s -a"})
	forEach(t, "snmpwalk snmpget snmpset snmpgetnext snmpbulkwalk snmpbulkget snmptrap snmptable", program{next: "-c -A -X"})
	forEach(t, "ipmitool ipmipower ipmi-sensors", program{next: "-P -p", drawn: true})
	forEach(t, "ipmitool", program{next: "-P"})
	forEach(t, "wpa_passphrase", program{words: []int{2}})
	forEach(t, "nmcli", program{after: "password", words: []int{1}}, program{after: "wifi-sec.psk", words: []int{1}}, program{after: "802-11-wireless-security.psk", words: []int{1}})
	forEach(t, "useradd usermod groupadd", program{next: "-p"})
	forEach(t, "mount.cifs", program{next: "pass"})
	forEach(t, "ansible-vault", program{after: "encrypt_string", words: []int{1}})
	forEach(t, "keyctl", program{after: "add", words: []int{3}})
	forEach(t, "security", program{after: "add-generic-password", next: "-w"}, program{after: "add-internet-password", next: "-w"},
		program{after: "unlock-keychain", next: "-p"}, program{after: "create-keychain", next: "-p"}, program{after: "import", next: "-P"},
		program{after: "set-key-partition-list", next: "-k"})

	// Archives and keys
	forEach(t, "7z 7za 7zr 7zz rar unrar", program{glued: "p"})
	forEach(t, "rar", program{glued: "hp"})
	forEach(t, "zip unzip zipcloak fcrackzip", program{glued: "P", next: "-P"})
	forEach(t, "pdftotext pdfimages qpdf", program{next: "-upw -opw --password"})
	forEach(t, "openssl", program{next: "-k -passin -passout -pass -passcerts -hmac -K -psk"}, program{after: "passwd", words: []int{-1}, min: 1, drawn: true})
	forEach(t, "ssh-keygen", program{next: "-N -P"})
	forEach(t, "keytool jarsigner apksigner", program{next: "-storepass -keypass -srcstorepass -deststorepass -destkeypass -srckeypass --ks-pass --key-pass"})
	forEach(t, "mkpasswd", program{words: []int{-1}, min: 1, drawn: true})
	forEach(t, "xcrun altool notarytool", program{next: "-p", drawn: true})
	forEach(t, "signtool", program{next: "/p"})

	// Containers and clusters
	forEach(t, "docker podman nerdctl buildah helm oras regctl crane", program{after: "login", glued: "p", next: "-p"}, program{pair: "--creds"})
	forEach(t, "skopeo", program{after: "login", next: "-p"}, program{pair: "--creds --src-creds --dest-creds"})
	forEach(t, "podman buildah", program{pair: "--creds"})
	forEach(t, "oc", program{after: "login", next: "-p"})
	forEach(t, "k3s kubeadm", program{next: "-t", drawn: true})
	forEach(t, "argocd rancher", program{after: "login", next: "-t -p"})

	// Clouds and services
	forEach(t, "aws", program{after: "ssm", next: "--value", drawn: true}, program{next: "--secret-string --master-user-password"})
	forEach(t, "az", program{after: "login", next: "-p"}, program{after: "secret", next: "--value"}, program{after: "acr", next: "-p"}, program{next: "-p", drawn: true})
	forEach(t, "doctl", program{next: "-t", drawn: true})
	forEach(t, "glab gh", program{after: "login", next: "-t"}, program{after: "secret", glued: "b", next: "-b --body"})
	forEach(t, "vault bao", program{after: "login", words: []int{1}, drawn: true}, program{after: "unseal", words: []int{-1}},
		program{after: "unwrap", words: []int{1}}, program{after: "lookup", words: []int{1}, drawn: true}, program{after: "revoke", words: []int{1}, drawn: true})
	forEach(t, "mc", program{after: "set", words: []int{3, 4}, min: 4}, program{after: "add", words: []int{3, 4}, min: 4})
	forEach(t, "bw", program{after: "login", words: []int{2}}, program{after: "unlock", words: []int{1}})
	forEach(t, "rclone", program{after: "obscure", words: []int{1}}, program{after: "pass", words: []int{1}, drawn: true})
	forEach(t, "twine", program{glued: "p", next: "-p"})
	forEach(t, "cargo", program{after: "login", words: []int{1}})
	forEach(t, "nuget dotnet choco", program{after: "push", next: "-k -ApiKey --api-key"}, program{after: "setapikey", words: []int{1}}, program{after: "apikey", next: "-k"})
	forEach(t, "poetry composer bundle", program{after: "config", words: []int{3}, drawn: true})
	forEach(t, "poetry composer", program{after: "config", words: []int{3}, min: 3})
	forEach(t, "bundle", program{after: "config", sep: ":", words: []int{2, 3}})
	forEach(t, "drush", program{after: "user:password", words: []int{2}}, program{after: "upwd", words: []int{2}})
	forEach(t, "expo eas", program{after: "login", next: "-p"})
	forEach(t, "vercel now codecov codecovcli", program{next: "-t", drawn: true})
	forEach(t, "wrangler", program{next: "--api-key"})
	forEach(t, "cloudflared", program{after: "install", words: []int{1}, drawn: true})
	forEach(t, "svn", program{next: "--password"})
	forEach(t, "git", program{after: "user.password", words: []int{1}})
	forEach(t, "ConvertTo-SecureString", program{next: "-String", words: []int{1}})
	return t
}()
