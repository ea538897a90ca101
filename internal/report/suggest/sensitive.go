package suggest

import (
	"path"
	"strings"
)

// steering are the folders of files that decide what runs later, or who may do
// what, beside those with a dot before their names.
const steering = `certs ci credentials deploy helm infra k8s node_modules secrets terraform`

// notes are the folders with a dot before their names that hold but text for
// people.
const notes = `.changeset .docs .issues .notes .planning .plans .specs .tasks .todo`

// steers are the names of such files, in small letters.
const steers = `agents.md appveyor.yml build.bazel build.rs build.xml build.zig claude.md cmakelists.txt codeowners compose.yaml compose.yml conftest.py
 containerfile copilot.md earthfile fabfile.py gemini.md go.mod go.sum go.work gnumakefile gradlew gradlew.bat jenkinsfile justfile lefthook.yml lerna.json makefile
 meson.build module.bazel mvnw mvnw.cmd noxfile.py npm-shrinkwrap.json nx.json package.json pom.xml procfile project.json pyproject.toml rakefile sconstruct
 setup.cfg setup.py sitecustomize.py skaffold.yaml skill.md system.md taskfile.yml taskfile.yaml tasks.py tiltfile tox.ini turbo.json usercustomize.py vagrantfile workspace
 authorized_keys brewfile cargo.toml flake.nix gemfile pulumi.yaml`

// sensitive reports that a file decides what runs later or who may do what, or
// may hold a secret; nothing is drafted for it, nor a wildcard for its folder.
func sensitive(file string) bool {
	dir, name := path.Split(strings.ToLower(file))
	for part := range strings.SplitSeq(dir, "/") {
		if len(part) > 0 && part[0] == '.' && part != "." && !isNote()[part] || isSteering()[part] {
			return true
		}
	}
	if isSteered()[name] || strings.HasPrefix(name, ".") {
		return true
	}
	for _, piece := range [...]string{"lock", "secret", "credential", ".config.", "-pipelines.y"} {
		if strings.Contains(name, piece) {
			return true
		}
	}
	for _, start := range [...]string{"docker-compose", "dockerfile", "requirements", "build.gradle", "settings.gradle"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	return strings.HasSuffix(name, ".pem") || strings.HasSuffix(name, ".key")
}

// beneath are files that a wildcard for a whole folder would cover, none of them
// what a person thinks of when edits of the folder's files are approved.
var beneath = [...]string{".env", ".git/hooks/pre-commit", ".github/workflows/ci.yml", ".pi/allowlist-gate.json", "Makefile", "package.json", "package-lock.json"}
