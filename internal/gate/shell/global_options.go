package shell

import "strings"

// globalOptions lists, for programs with subcommands, the options before the
// subcommand that take the next word as their value. Deny rules and wrappers
// step over these and over every other option there.
var globalOptions = map[string]string{
	"git":              "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source",
	"docker":           "-H --host -c --context -l --log-level --config --tlscacert --tlscert --tlskey",
	"podman":           "-c --connection --url --identity --root --runroot --storage-driver --storage-opt --log-level --cgroup-manager --runtime --events-backend --tmpdir --volumepath --module",
	"nerdctl":          "-H --host -a --address -n --namespace --data-root --cgroup-manager --snapshotter",
	"docker-compose":   "-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel --progress -H --host -c --context",
	"podman-compose":   "-f --file -p --project-name --profile --env-file --project-directory",
	"kubectl":          "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --as-uid --cache-dir --certificate-authority --client-certificate --client-key --request-timeout --tls-server-name --password --username --profile --profile-output -v --v --vmodule",
	"oc":               "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as --as-group --cache-dir --certificate-authority --client-certificate --client-key --request-timeout",
	"helm":             "-n --namespace --kube-context --kubeconfig --kube-apiserver --kube-as-user --kube-as-group --kube-token --kube-ca-file --registry-config --repository-cache --repository-config --burst-limit --qps",
	"npm":              "--prefix -C -w --workspace --userconfig --globalconfig --registry --cache --loglevel --script-shell --node-options --omit --include --tag --otp --scope",
	"pnpm":             "-C --dir -F --filter --filter-prod --loglevel --reporter --store-dir --prefix --registry --workspace-concurrency",
	"yarn":             "--cwd --cache-folder --modules-folder --registry --mutex --network-timeout --use-yarnrc",
	"bun":              "--cwd --config -c --env-file --filter --registry",
	"cargo":            "--color --config -C -Z --manifest-path --target-dir",
	"go":               "-C",
	"gh":               "-R --repo --hostname",
	"glab":             "-R --repo -g --group",
	"pip":              "--python --log --proxy --retries --timeout --exists-action --trusted-host --cert --client-cert --cache-dir --use-feature --use-deprecated",
	"pip3":             "--python --log --proxy --retries --timeout --exists-action --trusted-host --cert --client-cert --cache-dir --use-feature --use-deprecated",
	"uv":               "--directory --project --config-file --cache-dir --color --python-preference --allow-insecure-host",
	"poetry":           "-C --directory -P --project",
	"bundle":           "--retry -r",
	"terraform":        "-chdir",
	"tofu":             "-chdir",
	"aws":              "--profile --region --endpoint-url --output --query --ca-bundle --cli-read-timeout --cli-connect-timeout --color --cli-binary-format",
	"gcloud":           "--project --account --configuration --format --verbosity --impersonate-service-account --billing-project --flags-file --access-token-file --filter --flatten --trace-token",
	"az":               "--subscription -o --output --query",
	"systemctl":        "-H --host -M --machine -t --type --state -p --property -P -s --signal --kill-whom --root --image -n --lines -o --output --job-mode --what --when --preset-mode --timestamp --check-inhibitors --drop-in",
	"brew":             "",
	"apt":              "-o --option -c --config-file -t --target-release --default-release -a --host-architecture",
	"apt-get":          "-o --option -c --config-file -t --target-release --default-release -a --host-architecture",
	"aptitude":         "-o -t --target-release -F -w -q -S",
	"dnf":              "-c --config -x --exclude --enablerepo --disablerepo --repo --installroot --releasever --setopt --forcearch -d -e --comment --color",
	"yum":              "-c --config -x --exclude --enablerepo --disablerepo --repo --installroot --releasever --setopt -d -e",
	"zypper":           "-c --config -C --cache-dir -R --root -D --reposd-dir --userdata",
	"svn":              "--username --password --config-dir --config-option",
	"hg":               "-R --repository --cwd --config --encoding --encodingmode --color --pager",
	"jj":               "-R --repository --at-operation --at-op --color --config --config-file",
	"adb":              "-s -t -H -P -L --one-device",
	"tmux":             "-c -f -L -S -T",
	"machinectl":       "-H --host -M --machine",
	"vagrant":          "",
	"ip":               "-f --family -n --netns -b --batch -l --loops -rcvbuf",
	"nmcli":            "-g --get-values -f --fields -m --mode -w --wait -e --escape -c --colors",
	"composer":         "-d --working-dir",
	"dotnet":           "",
	"mvn":              "-f --file -s --settings -gs --global-settings -P --activate-profiles -pl --projects -T --threads -l --log-file -t --toolchains -b --builder -D",
	"gradle":           "-p --project-dir -b --build-file -c --settings-file -g --gradle-user-home -I --init-script -x --exclude-task --max-workers --console -D -P",
	"make":             "-C --directory -f --file --makefile -I --include-dir -o --old-file --assume-old -W --what-if --new-file --assume-new -E --eval",
	"ansible-vault":    "",
	"gem":              "--config-file",
	"conda":            "",
	"nix":              "--option --log-format",
	"fly":              "-t --access-token",
	"flyctl":           "-t --access-token",
	"heroku":           "",
	"firebase":         "-P --project --account -c --config --token",
	"vercel":           "--cwd -A --local-config -Q --global-config -t --token -S --scope",
	"wrangler":         "-c --config -e --env --cwd",
	"pulumi":           "-C --cwd --color -v --verbose --profiling --tracing",
	"argocd":           "--server --auth-token --config --context --core",
	"flux":             "-n --namespace --context --kubeconfig --timeout",
	"vault":            "",
	"consul":           "",
	"etcdctl":          "--endpoints --cacert --cert --key --user --password --command-timeout --dial-timeout",
	"minikube":         "-p --profile -b --bootstrapper",
	"microk8s.kubectl": "-n --namespace --context",
	"rustup":           "",
	"west":             "",
	"lxc":              "--project",
	"incus":            "--project",
}

// skipGlobal returns the index of the first word at or after i that is not a
// global option of the program, nor the value of one.
func skipGlobal(program string, args []Arg, i int) int {
	if i >= len(args) || args[i].Text == "" || args[i].Text[0] != '-' && args[i].Text[0] != '+' {
		return i
	}
	values, known := globalOptions[program]
	if !known {
		return i
	}
	for i < len(args) {
		t := args[i].Text
		if len(t) < 2 || t[0] != '-' && !(program == "cargo" && t[0] == '+') || t == "--" {
			return i
		}
		i++
		if hasField(values, t) {
			i++
		}
	}
	return min(i, len(args))
}

// hasField reports whether list, separated by blanks, holds the word.
func hasField(list, word string) bool {
	if word == "" {
		return false
	}
	for rest := list; ; {
		k := strings.Index(rest, word)
		if k < 0 {
			return false
		}
		end := k + len(word)
		if (k == 0 || rest[k-1] == ' ') && (end == len(rest) || rest[end] == ' ') {
			return true
		}
		rest = rest[end:]
	}
}
