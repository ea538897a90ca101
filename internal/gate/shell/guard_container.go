package shell

import "strings"

const (
	opensHost    = "gives the container a way into this machine"
	otherService = "talks to another service, or takes its settings from a file"
)

// Options of docker and podman run and create.
var hostOptions = []option{
	{"-v= --volume= --mount=", KindExec, opensHost, projectMount},
	{"--privileged --use-api-socket", KindExec, opensHost, nil},
	{"--pid= --ipc= --uts= --userns= --cgroupns= --net= --network=", KindExec, opensHost, notBegun("host")},
	{"--cap-add= --device= --security-opt= --device-cgroup-rule=", KindExec, opensHost, oneOf("no-new-privileges no-new-privileges:true")},
	{"--init-path= --rootfs", KindExec, opensHost, nil},
	{"--cidfile= --pidfile= --conmon-pidfile=", KindWrite, "writes another file", insideFile},
}

// Options of docker build, however it is reached.
var buildOptions = []option{
	{"-o= --output= --cache-to=", KindWrite, "writes the result to files or a registry", buildOutput},
	{"--iidfile= --metadata-file= --sbom-output= --logfile=", KindWrite, writeFile, harmlessFile},
	{"-f= --file=", KindExec, "builds what another file describes", func(name string) bool { return name == "-" || makefileInside(name) }},
	{"--push", KindNet, publishes, nil},
	{"--allow= --security-opt= --device= --network=", KindExec, opensHost, oneOf("default none")},
	{"--ssh=", KindExec, "lets the build use the login keys", nil},
	{"-v= --volume=", KindExec, opensHost, projectMount},
}

const buildTakes = "-t --tag --build-arg --target --platform --label --progress --cache-from --builder --secret --add-host"

const runTakes = "-e -p -w -u -h -l -m -c -a --name --env --publish --workdir --user --hostname --label --memory --cpus" +
	" --entrypoint --platform --rm? --env-file --network-alias --restart --add-host --dns --gpus --shm-size --ulimit --tmpfs --pull" +
	" --log-driver --link --expose --stop-signal --ip --volumes-from"

// containerGuards are clients of containers, virtual machines and clusters.
var containerGuards = []guard{
	{programs: "docker podman nerdctl", style: exact, first: true, takes: "-c --context -l --log-level --url --connection", options: []option{
		{"-H= --host= --config= --tlscacert=", KindNet, otherService, nil},
		{"--hooks-dir= --runtime= --conmon= --module=", KindExec, runsNamed, nil},
	}},
	{programs: "docker podman nerdctl", sub: "run|create", style: exact, first: true, takes: runTakes, options: hostOptions},
	{programs: "docker podman nerdctl", sub: "container run|create", style: exact, first: true, takes: runTakes, options: hostOptions},
	{programs: "docker podman nerdctl", sub: "exec", style: exact, first: true, takes: "-e -u -w --env --user --workdir", options: []option{{"--privileged", KindExec, opensHost, nil}}},
	{programs: "docker podman nerdctl", sub: "build|buildx", style: exact, takes: buildTakes, options: buildOptions},
	{programs: "docker podman nerdctl", sub: "image|builder build", style: exact, takes: buildTakes, options: buildOptions},
	{programs: "docker", sub: "buildx bake", style: exact, takes: "--progress --builder", options: []option{
		{"-f= --file=", KindExec, "takes what to build from another file", makefileInside},
		{"http:// https:// git:// ssh:// git@", KindExec, "takes what to build from an address", nil},
		{"--set=", KindExec, "changes what is built and where it goes", notAny("output", "secret", "ssh", "context", "dockerfile", "entitlements", "cache-to", "\x00")},
		{"--allow= --push", KindExec, opensHost, nil},
		{"--metadata-file=", KindWrite, writeFile, harmlessFile},
	}},
	{programs: "docker", sub: "buildx create|use|rm|stop|install|uninstall", style: exact, options: []option{{"", KindState, "changes which service builds", nil}}},
	{programs: "docker", sub: "buildx imagetools create", style: exact, options: []option{{"", KindNet, publishes, nil}}},
	{programs: "docker podman nerdctl", sub: "volume create", style: exact, takes: "-d --driver --label", options: []option{
		{"-o= --opt=", KindExec, opensHost, notAny("device", "bind", "\x00")},
	}},
	{programs: "docker podman nerdctl", sub: "cp", style: exact, options: []option{{"", KindWrite, "copies files into or out of a container", nil}}},
	{programs: "docker podman nerdctl", sub: "container cp", style: exact, options: []option{{"", KindWrite, "copies files into or out of a container", nil}}},
	{programs: "docker podman nerdctl", sub: "save|export|sbom|scout", style: exact, takes: "--format", options: []option{{"-o= --output=", KindWrite, writeFile, harmlessFile}}},
	{programs: "docker podman nerdctl", sub: "image|container|volume save|export", style: exact, takes: "--format", options: []option{{"-o= --output=", KindWrite, writeFile, harmlessFile}}},
	{programs: "docker podman", sub: "context export", style: exact, options: []option{{"", KindWrite, "writes a file with the login of a service", nil}}},
	{programs: "docker podman nerdctl", sub: "rm|rmi", style: exact, options: []option{{"", KindState, "deletes containers, images or volumes", nil}}},
	{programs: "podman", sub: "kube|play play|kube|apply|down", style: exact, options: []option{{"", KindExec, "runs what a file describes", nil}}},
	{programs: "docker podman nerdctl", sub: "system|volume|image|container|builder|network|buildx|pod prune|rm|remove", style: exact, options: []option{{"", KindState, "deletes containers, images or volumes", nil}}},
	{programs: "docker podman nerdctl", sub: "system reset|migrate|service", style: exact, options: []option{{"", KindState, "changes the container service", nil}}},
	{programs: "docker podman", sub: "context create|use|update|rm|import", style: exact, options: []option{{"", KindState, "changes which service is talked to", nil}}},
	{programs: "docker podman", sub: "plugin install|enable|create|set|upgrade|push", style: exact, options: []option{{"", KindExec, "installs or starts a plug-in", nil}}},
	{programs: "docker", sub: "swarm|node|service|stack|secret|config init|join|leave|update|create|rm|deploy|scale|rollback|promote|" +
		"demote|unlock|ca", style: exact, options: []option{{"", KindState, clusterState, nil}}},
	{programs: "docker podman nerdctl", sub: "image|manifest|trust|plugin|compose push|sign|publish", style: exact, options: []option{{"", KindNet, publishes, nil}}},
	{programs: "docker-compose podman-compose", sub: "push|publish", style: exact, options: []option{{"", KindNet, publishes, nil}}},
	{programs: "docker podman", sub: "compose config|convert", style: exact, options: []option{{"-o= --output=", KindWrite, writeFile, harmlessFile}}},
	{programs: "docker-compose podman-compose", sub: "config|convert", style: exact, options: []option{{"-o= --output=", KindWrite, writeFile, harmlessFile}}},
	{programs: "docker podman", sub: "compose cp", style: exact, options: []option{{"", KindWrite, "copies files into or out of a container", nil}}},
	{programs: "docker-compose podman-compose", sub: "cp", style: exact, options: []option{{"", KindWrite, "copies files into or out of a container", nil}}},
	{programs: "docker podman nerdctl", sub: "login|logout|push", style: exact, options: []option{{"", KindNet, publishes, nil}}},
	{programs: "docker podman", sub: "compose", style: exact, first: true, takes: "-p --project-name --env-file --profile", options: composeOptions},
	{programs: "docker-compose podman-compose", style: exact, first: true, takes: "-p --project-name --env-file --profile", options: composeOptions},
	{programs: "docker podman", sub: "compose down", style: exact, options: []option{{"-v --volumes --rmi=", KindState, "deletes volumes or images", nil}}},
	{programs: "docker-compose podman-compose", sub: "down", style: exact, options: []option{{"-v --volumes --rmi=", KindState, "deletes volumes or images", nil}}},
	{programs: "docker podman", sub: "compose run", style: exact, first: true, takes: runTakes, options: []option{{"-v= --volume=", KindExec, opensHost, projectMount}}},
	{programs: "docker-compose podman-compose", sub: "run", style: exact, first: true, takes: runTakes, options: []option{{"-v= --volume=", KindExec, opensHost, projectMount}}},
	{programs: "buildah skopeo", style: exact, first: true, options: []option{
		{"--root= --runroot= --policy= --registries-conf= --insecure-policy", KindExec, otherService, nil},
	}},
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

// buildOutput reports whether the place a build's result goes to, a folder or
// "type=local,dest=folder", is inside the project and no registry.
func buildOutput(value string) bool {
	if !strings.Contains(value, "=") {
		return insideFile(value)
	}
	for part := range strings.SplitSeq(value, ",") {
		key, of, _ := strings.Cut(part, "=")
		switch {
		case key == "dest" && !insideFile(of), key == "type" && of == "registry", key == "push" && of != "false":
			return false
		}
	}
	return true
}

// checkDryRun lets a rehearsal pass.
func checkDryRun(c *call) {
	if c.has("--dry-run") && !switchedOff(c.value("--dry-run")) {
		c.dropSubs()
	}
}
