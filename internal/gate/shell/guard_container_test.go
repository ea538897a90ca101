package shell

import "testing"

func TestGuardedContainer(t *testing.T) {
	checkGuards(t, []guardCase{
		{"docker *", "docker run -v /:/h alpine", "-v"},
		{"docker *", "docker run --privileged alpine", "--privileged"},
		{"docker *", "docker -H tcp://evil ps", "-H"},
		{"docker *", "docker run --mount type=bind,src=/,dst=/h alpine", "--mount"},
		{"docker ps *", "docker ps -a; docker system prune -f", "system prune"},
		{"kubectl *", "kubectl delete pod x", "delete"},
		{"kubectl get *", "kubectl get pods --kubeconfig=./evil", "--kubeconfig"},
		{"helm template *", "helm template x --post-renderer ./evil", "--post-renderer"},
		{"terraform *", "terraform -chdir=../evil plan", "-chdir"},
		{"terraform *", "terraform apply -auto-approve", "-auto-approve"},
		{"aws *", "aws ec2 terminate-instances --instance-ids i", "terminate-instances"},
		{"aws *", "aws s3 rm s3://x --recursive", "rm"},
		{"aws *", "aws --endpoint-url http://evil s3 ls", "--endpoint-url"},
		{"az *", "az vm delete -n x", "delete"},
		{"gcloud *", "gcloud compute instances delete x", "delete"},
		{"kubectl *", "kubectl config set-credentials x --exec-command=./evil", "config set-credentials"},
		{"docker *", "docker ps -a", ""},
		{"docker *", `docker run --rm -v "$PWD":/app -w /app node:20 `, ""},
		{"docker *", "docker run -v data:/x -p 80:80 img", ""},
		{"docker *", "docker compose up -d", ""},
		{"kubectl *", "kubectl get pods -n x -o yaml", ""},
		{"kubectl *", "kubectl logs -f deploy/x", ""},
		{"aws *", "aws s3 ls", ""},
		{"aws *", "aws sts get-caller-identity", ""},
		{"gcloud *", "gcloud compute ssh-keys list", ""},
		{"terraform *", "terraform plan -var x=y", ""},
		{"helm *", "helm template . -f v.yaml", ""},
	})
}
