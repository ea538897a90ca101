package risk

import (
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

const cloudState = "changes what runs in the cloud"

// cloudVerbs are the words of cloud clients that delete, run, or hand out keys.
var cloudVerbs = strings.Fields("delete destroy remove rm purge terminate exec scp run-command invoke deploy rsync" +
	" set-iam-policy add-iam-policy-binding remove-iam-policy-binding print-access-token print-identity-token get-access-token" +
	" reset-windows-password drain shutdown unset config:set scale kv:delete secrets:set firewall-rules:create")

// checkVerbs finds such a word among the words that say what to do: those before
// the first option's value or address.
func checkVerbs(c *call) {
	words := c.subs
	for n, i := range append(words[:len(words):len(words)], c.operands...) {
		w := c.args[i].Text
		if n > 5 || strings.ContainsAny(w, "/.="+argv.Hole) {
			return
		}
		for _, verb := range cloudVerbs {
			if w == verb || strings.HasPrefix(w, "delete-") || strings.HasSuffix(w, ":delete") || strings.HasSuffix(w, ":destroy") {
				c.addVerb(i, w)
				return
			}
		}
	}
}

// addVerb puts a hazard which a rule names by the word.
func (c *call) addVerb(i int, verb string) {
	c.addFlag(i, verb, KindState, cloudState)
}

// checkAWS finds operations of aws that delete, run or hand out, by their verb.
func checkAWS(c *call) {
	if len(c.operands) < 2 {
		return
	}
	service, i := c.text(0), c.operands[1]
	operation := c.args[i].Text
	verb, _, _ := strings.Cut(operation, "-")
	switch verb {
	case "delete", "terminate", "remove", "purge", "deregister", "revoke", "detach", "disable", "stop", "reboot", "execute", "schedule":
		c.addVerb(i, operation)
		return
	}
	switch service + " " + operation {
	case "s3 rm", "s3 rb", "s3 mv", "s3 sync", "lambda invoke", "ssm send-command", "ssm start-session", "ecs execute-command",
		"sts assume-role", "sts get-session-token", "iam create-access-key", "iam put-user-policy", "iam attach-user-policy",
		"iam attach-role-policy", "iam put-role-policy", "iam create-login-profile", "ec2-instance-connect send-ssh-public-key",
		"configure set", "secretsmanager get-secret-value", "s3api put-bucket-policy", "s3api put-bucket-acl", "lambda update-function-code":
		c.addVerb(i, operation)
	case "s3 cp":
		if !strings.HasPrefix(c.text(2), "s3://") || !strings.HasPrefix(c.text(3), "s3://") {
			c.addVerb(i, operation)
		}
	}
}

// checkPlanFile finds a saved plan, which terraform applies without asking.
func checkPlanFile(c *call) {
	if len(c.operands) > 0 {
		c.addOperand(c.operands[0], KindState, "changes what runs in the cloud without asking")
	}
}

// kubectlCommands are kubectl's own subcommands. Any other is a program on the
// PATH, called kubectl-NAME.
var kubectlCommands = oneOf(strings.Fields("alpha annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion" +
	" config cordon cp create debug delete describe diff drain edit events exec explain expose get help kustomize kuberc label logs" +
	" options patch plugin port-forward proxy replace rollout run scale set taint top uncordon version wait")...)

// checkKubectlPlugin finds a plug-in.
func checkKubectlPlugin(c *call) {
	if len(c.operands) > 0 && !kubectlCommands(c.text(0)) && !argv.BeginsHole(c.text(0)) {
		c.addOperand(c.operands[0], KindExec, "runs a plug-in")
	}
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
	if source == "" || argv.BeginsHole(source) {
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
