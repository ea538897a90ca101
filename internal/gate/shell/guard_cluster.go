package shell

import "strings"

// kubectlCommands are kubectl's own subcommands. Any other is a program on the
// PATH, called kubectl-NAME.
var kubectlCommands = oneOf(strings.Fields("alpha annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion" +
	" config cordon cp create debug delete describe diff drain edit events exec explain expose get help kustomize kuberc label logs" +
	" options patch plugin port-forward proxy replace rollout run scale set taint top uncordon version wait")...)

// checkKubectlPlugin finds a plug-in.
func checkKubectlPlugin(c *call) {
	if len(c.operands) > 0 && !kubectlCommands(c.text(0)) && !strings.HasPrefix(c.text(0), "\x00") {
		c.addOperand(c.operands[0], KindExec, "runs a plug-in")
	}
}
