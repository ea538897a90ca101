package shell

import "strings"

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
		if n > 5 || strings.ContainsAny(w, "/.=\x00") {
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
