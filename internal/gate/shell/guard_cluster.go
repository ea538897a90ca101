package shell

import "strings"

const clusterState = "changes the cluster"

// clusterGuards are clients of clusters.
var clusterGuards = []guard{
	{programs: "kubectl oc k3s kubecolor", style: exact, inherit: true, takes: "-n --namespace -l --selector -o --output -c" +
		" --container --context --cluster --user --field-selector --sort-by --since --tail --request-timeout -v --v --vmodule" +
		" --tls-server-name --log-flush-frequency", options: []option{
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
	{programs: "kubectl kubecolor", style: exact, check: checkKubectlPlugin},
	{programs: "kubectl oc k3s kubecolor", sub: "kustomize", style: exact, options: []option{
		{"--enable-exec --enable-alpha-plugins --enable-helm --enable-star --helm-command=", KindExec, "lets the configuration run programs", nil},
		{"-o= --output=", KindWrite, writeFile, harmlessFile},
	}},
	{programs: "kubectl oc k3s kubecolor", sub: "apply|create", style: exact, options: []option{
		{"-f= --filename= -k= --kustomize=", KindExec, "takes what to run from an address", notBegun("http:", "https:", "git@", "ssh:", "github.com")},
		{"--prune --force", KindState, "deletes what is in the cluster", nil},
	}},
	{programs: "kubectl oc k3s kubecolor", sub: "cluster-info dump", style: exact, options: []option{
		{"--output-directory=", KindWrite, "writes files into a folder", harmlessFile},
	}},
	{programs: "kubectl oc k3s kubecolor", sub: "port-forward", style: exact, options: []option{
		{"--address=", KindNet, "opens the cluster to this machine's network", oneOf("localhost 127.0.0.1 ::1")},
	}},
	{programs: "kubectl oc k3s kubecolor", sub: "config use-context|use", style: exact, options: []option{{"", KindState, "changes which cluster is talked to", nil}}},
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
}

// kubectlCommands are kubectl's own subcommands. Any other is a program on the
// PATH, called kubectl-NAME.
var kubectlCommands = oneOf("alpha annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion" +
	" config cordon cp create debug delete describe diff drain edit events exec explain expose get help kustomize kuberc label logs" +
	" options patch plugin port-forward proxy replace rollout run scale set taint top uncordon version wait")

// checkKubectlPlugin finds a plug-in.
func checkKubectlPlugin(c *call) {
	if len(c.operands) > 0 && !kubectlCommands(c.text(0)) && !strings.HasPrefix(c.text(0), "\x00") {
		c.addOperand(c.operands[0], KindExec, "runs a plug-in")
	}
}
