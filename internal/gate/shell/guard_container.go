package shell

import "strings"

const (
	opensHost    = "gives the container a way into this machine"
	otherService = "talks to another service, or takes its settings from a file"
	clusterState = "changes the cluster"
)

// Options of docker and podman run and create.
var hostOptions = []option{
	{"-v= --volume= --mount=", KindExec, opensHost, projectMount},
	{"--privileged --use-api-socket", KindExec, opensHost, nil},
	{"--pid= --ipc= --uts= --userns= --cgroupns= --net= --network=", KindExec, opensHost, notBegun("host")},
	{"--cap-add= --device= --security-opt= --device-cgroup-rule=", KindExec, opensHost, oneOf("no-new-privileges no-new-privileges:true")},
	{"--cidfile= --pidfile= --conmon-pidfile=", KindWrite, "writes another file", insideFile},
}

const runTakes = "-e -p -w -u -h -l -m -c -a --name --env --publish --workdir --user --hostname --label --memory --cpus" +
	" --entrypoint --platform --rm? --env-file --network-alias --restart --add-host --dns --gpus --shm-size --ulimit --tmpfs --pull" +
	" --log-driver --link --expose --stop-signal --ip --volumes-from"

// containerGuards are clients of containers, virtual machines and clusters.
var containerGuards = []guard{
	{programs: "docker podman nerdctl", style: exact, first: true, takes: "-l --log-level --url --connection", options: []option{
		{"-H= --host= -c= --context= --config= --tlscacert=", KindNet, otherService, nil},
		{"--hooks-dir= --runtime= --conmon= --module=", KindExec, runsNamed, nil},
	}},
	{programs: "docker podman nerdctl", sub: "run|create", style: exact, first: true, takes: runTakes, options: hostOptions},
	{programs: "docker podman nerdctl", sub: "container run|create", style: exact, first: true, takes: runTakes, options: hostOptions},
	{programs: "docker podman nerdctl", sub: "exec", style: exact, first: true, takes: "-e -u -w --env --user --workdir", options: []option{{"--privileged", KindExec, opensHost, nil}}},
	{programs: "docker podman nerdctl", sub: "build|buildx", style: exact, takes: "-t --tag --build-arg --target --platform --label" +
		" --progress --cache-from --cache-to", options: []option{
		{"-o= --output= --iidfile= --metadata-file=", KindWrite, "writes the result to files", insideFile},
		{"--allow= --security-opt= --device= --network=", KindExec, opensHost, oneOf("default none")},
		{"-v= --volume=", KindExec, opensHost, projectMount},
	}},
	{programs: "docker podman nerdctl", sub: "cp", style: exact, options: []option{{"", KindWrite, "copies files into or out of a container", nil}}},
	{programs: "docker podman nerdctl", sub: "container cp", style: exact, options: []option{{"", KindWrite, "copies files into or out of a container", nil}}},
	{programs: "docker podman nerdctl", sub: "save|export", style: exact, options: []option{{"-o= --output=", KindWrite, writeFile, insideFile}}},
	{programs: "docker podman nerdctl", sub: "system|volume|image|container|builder|network|buildx|pod prune|rm|remove", style: exact, options: []option{{"", KindState, "deletes containers, images or volumes", nil}}},
	{programs: "docker podman nerdctl", sub: "system reset|migrate|service", style: exact, options: []option{{"", KindState, "changes the container service", nil}}},
	{programs: "docker podman", sub: "context create|use|update|rm|import", style: exact, options: []option{{"", KindState, "changes which service is talked to", nil}}},
	{programs: "docker podman", sub: "plugin install|enable|create|set|upgrade|push", style: exact, options: []option{{"", KindExec, "installs or starts a plug-in", nil}}},
	{programs: "docker", sub: "swarm|node|service|stack|secret|config init|join|leave|update|create|rm|deploy|scale|rollback|promote|" +
		"demote|unlock|ca", style: exact, options: []option{{"", KindState, clusterState, nil}}},
	{programs: "docker podman", sub: "login|logout|push", style: exact, options: []option{{"", KindNet, publishes, nil}}},
	{programs: "docker podman", sub: "compose", style: exact, first: true, takes: "-p --project-name --env-file --profile", options: composeOptions},
	{programs: "docker-compose podman-compose", style: exact, first: true, takes: "-p --project-name --env-file --profile", options: composeOptions},
	{programs: "docker podman", sub: "compose down", style: exact, options: []option{{"-v --volumes --rmi=", KindState, "deletes volumes or images", nil}}},
	{programs: "docker-compose podman-compose", sub: "down", style: exact, options: []option{{"-v --volumes --rmi=", KindState, "deletes volumes or images", nil}}},
	{programs: "docker podman", sub: "compose run", style: exact, first: true, takes: runTakes, options: []option{{"-v= --volume=", KindExec, opensHost, projectMount}}},
	{programs: "docker-compose podman-compose", sub: "run", style: exact, first: true, takes: runTakes, options: []option{{"-v= --volume=", KindExec, opensHost, projectMount}}},
	{programs: "buildah skopeo", style: exact, first: true, options: []option{
		{"--root= --runroot= --policy= --registries-conf= --insecure-policy", KindExec, otherService, nil},
	}},
	{programs: "kubectl oc k3s kubecolor", style: exact, inherit: true, takes: "-n --namespace -l --selector -o --output -c" +
		" --container --context --cluster --user --field-selector --sort-by --since --tail", options: []option{
		{"--kubeconfig= -s= --server= --token= --as= --as-group= --client-certificate= --client-key= --certificate-authority=", KindExec, otherService, nil},
		{"--cache-dir= --profile-output= --log-file= --log-dir= --output-directory=", KindWrite, "writes other files", insideFile},
	}},
	{programs: "kubectl oc k3s kubecolor", sub: "delete|drain|cordon|uncordon|taint|replace|evict", style: exact, options: []option{{"", KindState, clusterState, nil}}},
	{programs: "kubectl oc k3s kubecolor", sub: "edit", style: exact, options: []option{{"", KindExec, "starts an editor and changes the cluster", nil}}},
	{programs: "kubectl oc k3s kubecolor", sub: "cp", style: exact, options: []option{{"", KindWrite, "copies files into or out of a container", nil}}},
	{programs: "kubectl oc k3s kubecolor", sub: "proxy", style: exact, options: []option{{"", KindNet, "opens the cluster to this machine's network", nil}}},
	{programs: "kubectl oc k3s kubecolor", sub: "run|debug|attach", style: exact, options: []option{{"", KindExec, "runs a program in the cluster", nil}}},
	{programs: "kubectl oc k3s kubecolor", sub: "config set|set-cluster|set-context|set-credentials|unset|delete-cluster|" +
		"delete-context|delete-user|rename-context", style: exact, options: []option{{"", KindExec, "changes the settings for good, which may name a program to run", nil}}},
	{programs: "kubectl oc k3s kubecolor", sub: "auth|certificate|rollout reconcile|approve|deny|restart|undo|pause|resume", style: exact, options: []option{{"", KindState, clusterState, nil}}},
	{programs: "kubectl", sub: "krew|plugin install|upgrade|uninstall|update", style: exact, options: []option{{"", KindExec, "installs a plug-in", nil}}},
	{programs: "kustomize", style: exact, inherit: true, options: []option{
		{"--enable-exec --enable-alpha-plugins --enable-helm --enable-star --helm-command=", KindExec, "lets the configuration run programs", nil},
		{"-o= --output=", KindWrite, writeFile, harmlessFile},
	}},
	{programs: "helm", style: exact, inherit: true, takes: "-n --namespace -f --values --set --set-string --version -o --output" +
		" --kube-context --max --timeout", options: []option{
		{"--post-renderer= --post-renderer-args=", KindExec, runsNamed, nil},
		{"--kubeconfig= --kube-apiserver= --kube-token= --kube-as-user= --registry-config= --repository-config=", KindExec, otherService, nil},
		{"--output-dir= -d= --destination= --untardir= --repository-cache=", KindWrite, "writes to another folder", insideFile},
	}},
	{programs: "helm", sub: "plugin install|update|uninstall|add|remove", style: exact, options: []option{{"", KindExec, "installs or removes a plug-in", nil}}},
	{programs: "helm", sub: "uninstall|delete|del|un", style: exact, options: []option{{"", KindState, clusterState, nil}}, check: checkDryRun},
	{programs: "helm", sub: "push|registry", style: exact, options: []option{{"", KindNet, publishes, nil}}},
	{programs: "kind minikube k3d microk8s", sub: "delete|stop|start|create|cp|config|addons|reset|mount|tunnel", style: exact, options: []option{{"", KindState, clusterState, nil}}},
	{programs: "kind k3d", sub: "cluster|node|registry create|delete|start|stop|add|edit", style: exact, options: []option{{"", KindState, clusterState, nil}}},
	{programs: "argocd flux istioctl", style: exact, inherit: true, options: []option{
		{"--kubeconfig= --config= --server= --auth-token=", KindExec, otherService, nil},
	}},
	{programs: "argocd flux", sub: "app|proj|repo|cluster|account|kustomization|source|helmrelease|secret delete|create|set|sync|" +
		"rollback|terminate-op|add|rm|update-password|unset", style: exact, options: []option{{"", KindState, clusterState, nil}}},
	{programs: "vagrant", sub: "destroy|halt|up|provision|plugin|reload|upload|winrm|powershell", style: exact, options: []option{{"", KindExec, "runs or changes a virtual machine", nil}}},
	{programs: "lxc incus limactl colima multipass virsh vboxmanage", sub: "delete|stop|start|file|launch|config|restart|destroy|" +
		"undefine|unregistervm|controlvm|guestcontrol|reset|purge|copy|mount", style: exact, options: []option{{"", KindState, "runs or changes a virtual machine", nil}}},
	{programs: "qemu qemu-system-x86_64 qemu-system-aarch64", style: words, options: []option{
		{"-monitor= -qmp= -chardev= -netdev= -nic= -net= -drive= -virtfs= -fsdev= -incoming=", KindExec, "runs a program, or opens files and the network", nil},
	}},
}

var composeOptions = []option{
	{"-f= --file=", KindExec, "takes what to run from another file", makefileInside},
	{"-H= --host= --context= --project-directory=", KindNet, otherService, insideFile},
}

// projectMount reports whether a mount gives the container only a named volume
// or a folder below the current one.
func projectMount(mount string) bool {
	source := mount
	if strings.Contains(mount, "=") {
		source = ""
		for part := range strings.SplitSeq(mount, ",") {
			key, value, _ := strings.Cut(part, "=")
			if key == "source" || key == "src" {
				source = value
			}
		}
	} else {
		source, _, _ = strings.Cut(mount, ":")
	}
	if source == "" || strings.HasPrefix(source, "\x00") {
		return !strings.Contains(source, "..")
	}
	return source[0] != '/' && source[0] != '~' && !strings.Contains(source, "..")
}

// checkDryRun lets a rehearsal pass.
func checkDryRun(c *call) {
	if c.has("--dry-run") && !switchedOff(c.value("--dry-run")) {
		c.dropSubs()
	}
}
