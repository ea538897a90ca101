package shell

import (
	"strings"
	"sync"
)

// optionTable is what the meaning of a program's options needs.
type optionTable struct {
	groups    map[string]optionGroup // by name with dashes
	longs     []string               // long names, for abbreviations
	dashWords bool                   // options are words after a single dash
	signals   bool                   // -9, -KILL and -s KILL are the same
}

// optionGroup is an option under all its names.
type optionGroup struct {
	names []string // what it stands for: itself under its first name, or several
	value bool
}

var unknownOptions = &optionTable{}

// optionsOf returns the table of a program's subcommand, or of the program.
func optionsOf(program, sub string) *optionTable {
	all := optionTables()
	if sub != "" {
		if t := all[program+" "+sub]; t != nil {
			return t
		}
	}
	if t := all[program]; t != nil {
		return t
	}
	return unknownOptions
}

func (t *optionTable) short(letter string) (optionGroup, bool) {
	name := "-" + letter
	if g, ok := t.groups[name]; ok {
		return g, true
	}
	return optionGroup{names: []string{name}}, false
}

// long returns the group of a long option, also under an abbreviation.
func (t *optionTable) long(name string) (optionGroup, bool) {
	if g, ok := t.groups[name]; ok {
		return g, true
	}
	found := ""
	if len(name) > 2 && !t.dashWords {
		for _, full := range t.longs {
			if strings.HasPrefix(full, name) {
				if found != "" && t.groups[found].names[0] != t.groups[full].names[0] {
					found = ""
					break
				}
				found = full
			}
		}
	}
	if found != "" {
		return t.groups[found], true
	}
	return optionGroup{names: []string{name}}, false
}

// optionTables are made from optionNames at the first use.
var optionTables = sync.OnceValue(func() map[string]*optionTable {
	all := make(map[string]*optionTable, len(optionNames))
	for programs, list := range optionNames {
		t := &optionTable{groups: map[string]optionGroup{}}
		for _, group := range strings.Fields(list) {
			t.add(group)
		}
		for _, program := range strings.Split(programs, ", ") {
			all[program] = t
		}
	}
	for _, program := range strings.Fields(dashWordPrograms) {
		if all[program] == nil {
			all[program] = &optionTable{groups: map[string]optionGroup{}}
		}
		all[program].dashWords = true
	}
	for _, program := range []string{"kill", "pkill", "killall"} {
		all[program].signals = true
	}
	return all
})

// add reads one group: names joined by /, the letters short and the rest long,
// with : at the end when it takes a value; D=d+f stands for several others.
func (t *optionTable) add(group string) {
	group, value := strings.CutSuffix(group, ":")
	head, parts, several := strings.Cut(group, "=")
	names := strings.Split(head, "/")
	g := optionGroup{value: value, names: []string{dashed(names[0])}}
	if several {
		g.names = nil
		for _, part := range strings.Split(parts, "+") {
			g.names = append(g.names, dashed(part))
		}
	}
	for _, name := range names {
		name = dashed(name)
		t.groups[name] = g
		if len(name) > 2 {
			t.longs = append(t.longs, name)
		}
	}
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// dashWordPrograms take options that are words after a single dash.
const dashWordPrograms = "find gfind java javac go gofmt terraform tofu packer vault consul nomad gcc g++ cc c++ clang clang++ ld openssl ffmpeg ffplay ffprobe convert magick mogrify identify xset xrandr tcc keytool jarsigner powershell pwsh diskutil hdiutil security plutil"

// optionNames are the options of common programs that have several names or
// take a value, from their manuals. Others keep the one name they are written
// with.
var optionNames = map[string]string{
	"rm":                                     "r/R/recursive f/force d/dir i I v/verbose",
	"rmdir":                                  "p/parents v/verbose",
	"unlink":                                 "",
	"shred":                                  "f/force n/iterations: s/size: u/remove v/verbose x/exact z/zero",
	"cp":                                     "r/R/recursive f/force a/archive=r+P+p i/interactive l/link n/no-clobber s/symbolic-link t/target-directory: u/update v/verbose S/suffix: T/no-target-directory",
	"mv":                                     "f/force i/interactive n/no-clobber t/target-directory: u/update v/verbose S/suffix: T/no-target-directory",
	"ln":                                     "s/symbolic f/force i/interactive n/no-dereference t/target-directory: v/verbose S/suffix: T/no-target-directory",
	"ls":                                     "a/all A/almost-all R/recursive l r/reverse I/ignore: w/width: T/tabsize:",
	"mkdir":                                  "p/parents m/mode: v/verbose",
	"touch":                                  "a c/no-create m r/reference: t: d/date:",
	"chmod, chgrp":                           "R/recursive f/silent/quiet c/changes v/verbose reference:",
	"chown":                                  "R/recursive f/silent/quiet c/changes v/verbose h/no-dereference reference: from:",
	"dd":                                     "",
	"tee":                                    "a/append i/ignore-interrupts",
	"sed":                                    "i/in-place n/quiet/silent e/expression: f/file: E/r/regexp-extended s/separate z/null-data",
	"grep, egrep, fgrep":                     "r/recursive R/dereference-recursive e/regexp: f/file: i/ignore-case v/invert-match A/after-context: B/before-context: C/context: m/max-count: n/line-number l/files-with-matches w/word-regexp",
	"sort":                                   "o/output: k/key: t/field-separator: T/temporary-directory: S/buffer-size: u/unique r/reverse n/numeric-sort",
	"tar":                                    "x/extract/get c/create t/list r/append u/update f/file: C/directory: z/gzip j/bzip2 J/xz v/verbose I/use-compress-program: X/exclude-from: T/files-from: P/absolute-names delete",
	"zip":                                    "r/recurse-paths m/move d/delete x/exclude: q/quiet",
	"unzip":                                  "o n d: x: P:",
	"rsync":                                  "r/recursive a/archive n/dry-run delete/del e/rsh: v/verbose exclude: include: f/filter: z/compress u/update",
	"curl":                                   "X/request: d/data: data-raw: data-binary: data-urlencode: F/form: T/upload-file: o/output: O/remote-name L/location k/insecure H/header: u/user: x/proxy: A/user-agent: e/referer: b/cookie: c/cookie-jar: s/silent S/show-error I/head f/fail i/include/show-headers m/max-time: w/write-out: K/config: G/get E/cert: retry: connect-timeout: url:",
	"wget":                                   "O/output-document: P/directory-prefix: o/output-file: q/quiet r/recursive i/input-file: method: body-data: body-file: post-data: post-file: header: U/user-agent: t/tries: T/timeout: e/execute: c/continue",
	"ssh, scp, sftp":                         "p: P: i: l: o: F: J: L: R: D: c: S:",
	"kill":                                   "s/signal: n: l/list: L/table q/queue:",
	"pkill":                                  "s/signal: f/full u/euid: U/uid: t/terminal: P/parent: g/pgroup: x/exact n/newest o/oldest",
	"killall":                                "s/signal: u/user: I/ignore-case r/regexp e/exact i/interactive q/quiet w/wait",
	"shutdown":                               "r/reboot h/halt P/poweroff c/cancel",
	"truncate":                               "s/size: r/reference: c/no-create o/io-blocks",
	"xargs":                                  "n/max-args: I: P/max-procs: d/delimiter: a/arg-file: 0/null L/max-lines: r/no-run-if-empty",
	"git push":                               "f/force d/delete n/dry-run u/set-upstream v/verbose q/quiet all/branches mirror tags o/push-option: receive-pack/exec: repo: 4/ipv4 6/ipv6",
	"git commit":                             "a/all m/message: n/no-verify F/file: C/reuse-message: c/reedit-message: amend s/signoff S/gpg-sign author: date: fixup: squash: t/template: q/quiet v/verbose p/patch e/edit o/only i/include",
	"git clean":                              "f/force d x X n/dry-run i/interactive q/quiet e/exclude:",
	"git reset":                              "hard soft mixed keep merge q/quiet p/patch",
	"git checkout":                           "f/force b: B: q/quiet t/track p/patch orphan: conflict: detach",
	"git switch":                             "c/create: C/force-create: f/force/discard-changes d/detach q/quiet t/track orphan:",
	"git restore":                            "s/source: S/staged W/worktree p/patch q/quiet",
	"git branch":                             "d/delete D=d+f f/force m/move M=m+f c/copy C=c+f r/remotes a/all l/list u/set-upstream-to: unset-upstream edit-description q/quiet v/verbose t/track contains: no-contains: merged: no-merged: sort: format: points-at:",
	"git tag":                                "d/delete f/force a/annotate s/sign m/message: F/file: l/list n v/verify u/local-user: sort: format: contains:",
	"git merge":                              "m/message: n/no-stat s/strategy: X/strategy-option: F/file: S/gpg-sign q/quiet v/verbose no-verify",
	"git rebase":                             "i/interactive x/exec: onto: s/strategy: X/strategy-option: C: f/force-rebase/no-ff q/quiet v/verbose p/preserve-merges r/rebase-merges n/no-stat S/gpg-sign",
	"git fetch, git pull":                    "f/force p/prune P/prune-tags t/tags a/append u/update-head-ok j/jobs: depth: upload-pack: o/server-option: n/no-tags q/quiet v/verbose k/keep r/rebase",
	"git stash":                              "u/include-untracked a/all k/keep-index p/patch m/message: q/quiet",
	"git add":                                "A/all/no-ignore-removal f/force n/dry-run v/verbose p/patch u/update i/interactive e/edit N/intent-to-add",
	"git rm":                                 "r f/force n/dry-run q/quiet cached",
	"git remote":                             "v/verbose t: m: f",
	"git config":                             "global system local worktree f/file: blob: l/list e/edit unset unset-all add get get-all replace-all z/null type: default:",
	"git worktree":                           "f/force d/detach b: B: q/quiet n/dry-run v/verbose",
	"git submodule":                          "f/force q/quiet b/branch: i/init N/no-fetch recursive",
	"git gc":                                 "aggressive auto prune f/force q/quiet",
	"docker rm, podman rm, nerdctl rm":       "f/force v/volumes l/link a/all t/time:",
	"docker rmi, podman rmi, nerdctl rmi":    "f/force no-prune a/all",
	"docker run, podman run, nerdctl run":    "d/detach i/interactive t/tty v/volume: e/env: p/publish: P/publish-all u/user: w/workdir: h/hostname: l/label: m/memory: c/cpu-shares: name: network/net: entrypoint: mount: privileged rm cap-add: pid: ipc: device: env-file: restart: platform: add-host: security-opt: userns: gpus:",
	"docker exec, podman exec, nerdctl exec": "d/detach i/interactive t/tty e/env: u/user: w/workdir: privileged env-file: detach-keys:",
	"docker system, podman system":           "a/all f/force volumes filter:",
	"docker push, docker pull":               "a/all-tags q/quiet",
	"docker compose, docker-compose":         "f/file: p/project-name: d/detach v/volumes profile: env-file: t/timeout: rmi: remove-orphans",
	"kubectl, oc":                            "n/namespace: f/filename: l/selector: A/all-namespaces o/output: context: kubeconfig: k/kustomize: c/container: force all grace-period: cascade: R/recursive w/watch timeout: field-selector: cluster: user: as: s/server: token: p/patch: type:",
	"helm":                                   "n/namespace: f/values: i/install kube-context: kubeconfig: set: version: timeout: description: o/output:",
	"npm, pnpm, yarn, bun":                   "g/global f/force D/save-dev P/save-prod O/save-optional E/save-exact w/workspace: tag: otp: access: registry: prefix: dry-run filter: F C/dir: cwd: y/yes",
	"pip, pip3":                              "r/requirement: e/editable: t/target: U/upgrade y/yes q/quiet v/verbose i/index-url: c/constraint: f/find-links: user no-deps",
	"cargo":                                  "p/package: j/jobs: F/features: r/release target: target-dir: manifest-path: config: Z: C: token: registry: index: bin: example: test: bench: v/verbose q/quiet",
	"gh api":                                 "X/method: f/raw-field: F/field: H/header: q/jq: t/template: p/preview: input: i/include hostname: cache:",
	"gh":                                     "R/repo: t/title: b/body: F/body-file: a/assignee: l/label: m/milestone: p/project: r/reviewer: B/base: H/head: s/state: L/limit: json: q/jq: y/yes",
	"systemctl":                              "f/force t/type: p/property: H/host: M/machine: s/signal: n/lines: o/output: now user system global q/quiet a/all l/full state: root: job-mode:",
	"journalctl":                             "u/unit: n/lines: f/follow S/since: U/until: p/priority: b/boot k/dmesg r/reverse o/output: vacuum-size: vacuum-time: vacuum-files: t/identifier: g/grep: D/directory: M/machine:",
	"apt, apt-get":                           "y/yes/assume-yes q/quiet f/fix-broken t/target-release/default-release: o/option: c/config-file: purge d/download-only s/simulate/just-print/dry-run m/ignore-missing",
	"dnf, yum":                               "y/assumeyes q/quiet c/config: x/exclude: enablerepo: disablerepo: installroot:",
	"pacman":                                 "S/sync R/remove U/upgrade Q/query s/recursive/search y/refresh u/sysupgrade c/clean n/nosave noconfirm r/root: b/dbpath:",
	"brew":                                   "f/force q/quiet v/verbose d/debug cask formula/formulae zap",
	"crontab":                                "e l r i u:",
	"iptables, ip6tables":                    "A/append: D/delete: F/flush I/insert: X/delete-chain P/policy: t/table: j/jump: p/protocol: s/source: d/destination: L/list n/numeric",
	"useradd, usermod, userdel":              "r/remove f/force g/gid: G/groups: s/shell: d/home: u/uid: p/password: a/append L/lock U/unlock m/create-home c/comment: e/expiredate: l/login:",
	"mount, umount":                          "t/types: o/options: a/all r/read-only f/force l/lazy n/no-mtab R/recursive",
	"terraform, tofu":                        "",
	"find, gfind":                            "",
	"psql":                                   "c/command: f/file: h/host: p/port: U/username: d/dbname: o/output: v/set/variable: w/no-password W/password",
	"mysql":                                  "e/execute: h/host: u/user: P/port: D/database: p/password",
	"gpg":                                    "o/output: r/recipient: u/local-user: d/decrypt e/encrypt s/sign c/symmetric a/armor homedir: delete-secret-keys/delete-secret-key delete-keys/delete-key",
	"svn":                                    "m/message: r/revision: F/file: force username: password: q/quiet",
	"hg":                                     "m/message: r/rev: R/repository: f/force C/clean u/user: B/bookmark: b/branch:",
	"aws, az, gcloud":                        "profile: region: output/o: query: project: subscription: resource-group/g: name/n: zone: format: account: yes/y quiet/q",
}

// anyOrder reports a program whose operands have no fixed order and no
// subcommand among them.
func anyOrder(program string) bool { return hasField(anyOrderPrograms, program) }

const anyOrderPrograms = "rm rmdir unlink shred chmod chown chgrp mv cp ln ls cat mkdir touch tee dd kill pkill killall curl wget scp sftp ssh rsync tar zip unzip grep egrep fgrep rg sed awk find gfind truncate xargs sudo doas env iptables ip6tables mount umount"

// canonicalSub gives a subcommand under one of its aliases its first name.
func canonicalSub(program, sub string) string {
	if subAliases[program] == "" {
		return sub
	}
	for _, group := range strings.Fields(subAliases[program]) {
		first, _, _ := strings.Cut(group, "/")
		for rest := group; rest != ""; {
			var name string
			name, rest, _ = strings.Cut(rest, "/")
			if name == sub {
				return first
			}
		}
	}
	return sub
}

// subAliases are the subcommands that have several names.
var subAliases = map[string]string{
	"npm":       "install/i/in/ins/inst/insta/instal/isnt/isnta/isntal/isntall/add ci/clean-install/ic/install-clean/isntall-clean uninstall/unlink/remove/rm/r/un run/run-script/rum/urn test/t/tst exec/x publish/pub update/up/upgrade/udpate link/ln version/verison view/v/info/show list/ls/ll/la config/c login/adduser/add-user dist-tag/dist-tags access owner/author rebuild/rb create/init/innit",
	"pnpm":      "install/i remove/rm/uninstall/un update/up/upgrade run/run-script test/t exec publish list/ls link/ln",
	"yarn":      "install remove upgrade/up run",
	"bun":       "install/i remove/rm run test",
	"pip":       "uninstall install",
	"cargo":     "build/b check/c test/t run/r doc/d remove/rm install uninstall",
	"docker":    "rm rmi ps images/image-ls",
	"kubectl":   "delete apply",
	"brew":      "uninstall/remove/rm install/instal list/ls upgrade update/up",
	"gem":       "uninstall install",
	"helm":      "uninstall/delete/del/un list/ls upgrade",
	"svn":       "delete/del/remove/rm commit/ci checkout/co switch/sw revert status/stat/st update/up",
	"hg":        "commit/ci remove/rm update/up/checkout/co push",
	"terraform": "destroy apply",
	"poetry":    "remove add run",
	"composer":  "install/i remove/rm/uninstall require/r update/u/upgrade",
	"apk":       "del add",
	"pacman":    "",
	"systemctl": "",
	"gh":        "",
	"podman":    "rm rmi",
	"flatpak":   "uninstall/remove",
	"dnf":       "remove/erase/rm install/in/localinstall update/upgrade/up/upgrade-minimal",
	"yum":       "remove/erase install/localinstall update/upgrade",
	"zypper":    "remove/rm install/in update/up",
	"conda":     "remove/uninstall",
	"go":        "",
}
