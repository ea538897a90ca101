package shell

import "strings"

const cloudState = "changes what runs in the cloud"

// cloudGuards are clients of cloud services and of what sets them up.
var cloudGuards = []guard{
	{programs: "terraform tofu terragrunt", style: words, inherit: true, takes: "-var -target -replace -lock-timeout -parallelism" +
		" -type -state -platform", options: []option{
		{"-chdir=", KindExec, "runs the configuration of another folder", insideFile},
		{"-auto-approve", KindState, "changes what runs in the cloud without asking", nil},
		{"-out= -state-out= -backup= -generate-config-out=", KindWrite, writeFile, insideFile},
		{"-plugin-dir= -from-module= -plugin-cache-dir= -reconfigure-provider=", KindExec, loadsCode, nil},
	}},
	{programs: "terraform tofu terragrunt", sub: "apply", style: words, options: []option{{"-destroy", KindState, cloudState, nil}}, check: checkPlanFile},
	{programs: "terraform tofu terragrunt", sub: "destroy|taint|untaint|import|force-unlock|login|logout", style: words, options: []option{{"", KindState, cloudState, nil}}},
	{programs: "terraform tofu terragrunt", sub: "state rm|mv|push|replace-provider", style: words, options: []option{{"", KindState, "changes the record of what runs in the cloud", nil}}},
	{programs: "terraform tofu terragrunt", sub: "workspace delete|new", style: words, options: []option{{"", KindState, "changes the workspaces", nil}}},
	{programs: "terragrunt", sub: "run-all|hook|exec", style: words, options: []option{{"", KindExec, "runs commands of the configuration", nil}}},
	{programs: "pulumi", style: exact, inherit: true, takes: "-s --stack", options: []option{
		{"-C= --cwd=", KindExec, "runs the program of another folder", insideFile},
		{"-y --yes -f --skip-preview", KindState, "changes what runs in the cloud without asking", nil},
	}},
	{programs: "pulumi", sub: "destroy|cancel|import|login|logout", style: exact, options: []option{{"", KindState, cloudState, nil}}},
	{programs: "cdk cdklocal", style: exact, inherit: true, takes: "-c --context --profile --template", options: []option{
		{"-a= --app= -b= --build= -p= --plugin=", KindExec, runsNamed, nil},
		{"-o= --output= --outputs-file=", KindWrite, "writes to another folder", insideFile},
		{"--require-approval=", KindState, "changes what runs in the cloud without asking", notBegun("never")},
	}},
	{programs: "cdk cdklocal", sub: "deploy|destroy|bootstrap|import|watch|rollback|migrate|init|gc|refactor", style: exact, options: []option{{"", KindState, cloudState, nil}}},
	{programs: "serverless sls sam amplify copilot sst eb", sub: "deploy|remove|delete|push|publish|invoke|terminate|package|destroy|" +
		"sync", style: exact, options: []option{{"", KindState, cloudState, nil}}},
	{programs: "packer", style: words, inherit: true, takes: "-var -only -except", options: []option{
		{"-on-error= -force", KindState, "replaces what was built", nil},
	}},
	{programs: "packer", sub: "build|init|fix", style: words, options: []option{{"", KindExec, "runs provisioners or installs plug-ins", nil}}},
	{programs: "packer", sub: "plugins install|remove", style: words, options: []option{{"", KindExec, "installs or removes plug-ins", nil}}},
	{programs: "consul nomad vault boundary", style: words, sub: "exec|watch|connect|lock|job|system|kv|write|delete|operator|acl|" +
		"token|unseal|server|agent|secrets|auth|policy|run|stop", check: checkVerbs},
	{programs: "aws awslocal", style: gnu, takes: "--region --profile --output --query --endpoint-url --color --ca-bundle" +
		" --cli-read-timeout --cli-connect-timeout", options: []option{
		{"--endpoint-url=", KindNet, "sends requests, and the login's signature, elsewhere", localAddress},
		{"--no-verify-ssl", KindNet, "trusts any server", nil},
		{"--ca-bundle=", KindNet, "trusts another authority", insideFile},
	}, check: checkAWS},
	{programs: "gcloud", style: exact, takes: "--project --format --filter --zone --region --limit --sort-by --account --location" +
		" --configuration --billing-project --verbosity --name --keyring --key --secret --cluster --instance", options: []option{
		{"--flags-file=", KindExec, "takes its options from a file", nil},
		{"--access-token-file= --credential-file-override= --impersonate-service-account=", KindState, "acts as somebody else", nil},
		{"--log-http", KindState, "shows the login's token", nil},
	}, check: checkVerbs},
	{programs: "az", style: gnu, takes: "-n -g -l -o --name --resource-group --location --output --query --subscription" +
		" --account-name --image --ids --project -p", options: []option{
		{"--debug", KindState, "may show the login's token", nil},
	}, check: checkVerbs},
	{programs: "gsutil", style: exact, first: true, takes: "-h -u", options: []option{{"-o=", KindExec, "sets a setting of the tool", nil}}, check: checkVerbs},
	{programs: "bq", style: exact, check: checkVerbs},
	{programs: "auth0 doctl heroku fly flyctl vercel netlify railway render wrangler firebase supabase linode-cli hcloud scw oci" +
		" ibmcloud eksctl doppler op stripe", style: exact, check: checkVerbs},
}

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
