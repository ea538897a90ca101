package suggest

import (
	"strings"
	"sync"
)

// lookers are the programs of which a rule may name nothing but the program:
// they look at things, shape text or wait. What else their options can do is
// guarded by the gate, whatever a rule with a wildcard says.
const lookers = `
[ basename cat cd cksum cloc cmp column comm cut date df diff dirname du echo egrep expr false fd fgrep file find
fold free grep groups head hexdump hostname id jq less ls lsof md5sum nl nproc od paste pgrep printf ps pwd readlink realpath rev rg
seq sha1sum sha256sum sleep sort stat strings sw_vers tac tail test tokei tr tree true type uname uniq uptime wc which who whoami yq`

// never are the programs for which nothing is drafted: shells, interpreters that
// are fed code, wrappers, what deletes or overwrites, what stops other programs,
// agents.
const never = `
. aider alias amp at awk bash batch builtin busybox chown chroot claude cmd codex command copilot crontab crush cursor-agent csh dash dd doas ed emacs env eval ex exec
export expect fish fdisk format gdb gemini goose iptables killall kill ksh launchctl ln mawk gawk mkfs mount nano nawk nc ncat netcat nohup nvim
opencode osascript passwd parallel pi pigate pkill powershell pwsh reboot rm rmdir screen setsid sh shred shutdown socat source ssh
su sudo systemctl tcsh tee telnet tmux trap truncate umount unalias unlink useradd vi vim watch xargs zsh`

// fed are interpreters that take code as an option; a rule for one must name the
// file that it runs.
const fed = `bun deno lua luajit node nodejs perl php pypy python python2 python3 r rscript ruby scala ts-node tsx`

// many are the programs of which every argument may be one more thing to do, so
// that a wildcard behind "make test" would stand for "make test deploy".
const many = `ant bake cargo-make doit gradle gradlew grunt gulp invoke just mage make mvn mvnw ninja rake sbt scons task`

// starters are the subcommands that start what their next word names, a task or
// a program: "turbo run", "cargo xtask", "yarn node".
const starters = `do exec node run run-many run-script script task tasks x xtask`

// consoles are the scripts that a framework puts all of its commands behind.
const consoles = `ace artisan cake console craft manage.py occ rails rake spark symfony wp yii`

// class is what sort of thing a command does, from the least to the most risky.
type class uint8

const (
	looks class = iota
	shapes
	builds
	local
	unknown
	reaches
	guards
	publishes
	destroys
)

// classes say how risky each class is, from 0 to 1, and in words. The figures
// are judgements, to be argued with: docs/suggest.md gives the reasons.
var classes = [...]struct {
	risk  float64
	words string
}{
	looks:     {0.05, "only looks"},
	shapes:    {0.15, "changes small things that are easy to undo"},
	builds:    {0.25, "runs the project's own code"},
	local:     {0.30, "changes files or the repository, here only"},
	unknown:   {0.45, "does what pigate knows nothing about"},
	reaches:   {0.60, "reaches the network or installs what it fetches"},
	guards:    {0.65, "has a flag that the gate guards"},
	publishes: {0.80, "publishes, deploys or changes what others see"},
	destroys:  {0.95, "deletes or overwrites for good"},
}

// known lists commands by class: a program, or a program with the words of its
// subcommand. The longest entry counts.
var known = map[class]string{
	looks: lookers + `
git status|git diff|git log|git show|git ls-files|git rev-parse|git blame|git describe|git shortlog|git cat-file|git merge-base
git rev-list|git grep|git ls-tree|git name-rev|git for-each-ref|git stash list|git remote -v|git worktree list|git count-objects
git check-ignore|git show-ref|git var|git whatchanged|git diff-tree|git ls-remote
go version|go env|go list|go doc|go vet|go mod graph|go mod why|gofmt -l|gofmt -d|staticcheck|golangci-lint run
npm ls|npm view|npm outdated|npm list|npm explain|npm why|npm -v|node -v|node --version|python --version|python3 --version
cargo tree|cargo metadata|cargo check|cargo clippy|rustc --version|gh pr view|gh pr list|gh pr diff|gh pr checks|gh pr status|gh issue view
gh issue list|gh run view|gh run list|gh repo view|gh release list|gh release view|gh search|gh label list|glab mr view|glab mr list
docker ps|docker images|docker logs|docker version|docker compose ps|docker compose logs|kubectl get|kubectl describe|kubectl logs
sed -n|nl -ba|shellcheck|sw_vers|base64 -d|pip list|pip show|brew list|brew info|brew search|terraform show|terraform validate|terraform plan
uv tree|uv --version|pnpm list|pnpm why|tsc --noEmit|npx tsc --noEmit|mypy|ruff check|xmllint|man|help|plutil -p|otool|nm|ldd|objdump`,
	shapes: `mkdir|touch|git add|git fetch|git stash|git stash push|gofmt -w|go fmt|go mod tidy|prettier|npx prettier|ruff format|black|cargo fmt|rustfmt
git branch|git tag|git switch|git checkout -b|git worktree add|git mv|gofmt|goimports|swiftformat|clang-format|isort|git restore --staged|chmod +x`,
	builds: `go build|go test|go generate|npm test|npm run|npm start|npm t|pnpm run|pnpm test|pnpm build|pnpm lint|yarn run|yarn test|yarn build|bun run|bun test
make|just|task|cmake|ninja|cargo build|cargo test|cargo bench|cargo run|cargo nextest|pytest|python -m pytest|python3 -m pytest|tox|nox|rake
swift build|swift test|xcodebuild|mvn|gradle|gradlew|dotnet build|dotnet test|jest|vitest|mocha|tsc|tsgo|eslint|npx|pnpm exec|biome|turbo|nx|vite
pnpm -r|pnpm --filter|yarn workspace|uv run|poetry run|bundle exec|rspec|phpunit|deno test|deno check|zig build|gcc|clang|rustc|javac|pnpm|yarn|flutter test
bazel build|bazel test|mix test|sbt test|composer test|node|python|python3|ruby|perl|php|lua|deno|bun|tsx|ts-node|docker build|docker compose build`,
	local: `git commit|git checkout|git pull|git merge|git cherry-pick|git revert|git rm|git reset|git rebase|git stash pop|git stash apply|git init|cp|mv|docker compose up
docker compose start|docker start|docker stop|docker compose stop|docker run|docker exec|sqlite3|psql|patch|git apply|git am|git clean|git restore|git config|git worktree`,
	reaches: `git push|git clone|curl|wget|npm install|npm ci|npm i|npm add|npm update|npx -y|npx --yes|pnpm install|pnpm add|yarn add|yarn install|bun add|bun install|pip|pip3|pip install
uv pip|uv add|uv sync|poetry add|poetry install|cargo install|cargo add|cargo update|go get|go install|go mod download|go run|brew|apt|apt-get|gem|bundle install|composer|gh|gh api|glab|ssh|scp|rsync
docker pull|docker login|aws|gcloud|az|terraform init|helm repo|nc|ping|dig|nslookup|http|git submodule|git remote|pnpm dlx|yarn dlx|bunx|uvx|pipx|playwright install|open|xdg-open`,
	publishes: `npm publish|pnpm publish|yarn publish|cargo publish|gh pr merge|gh release create|gh release|gh workflow|gh repo|gh secret|gh pr close|gh issue close|docker push|terraform apply
kubectl|helm|vercel|netlify|firebase|fly|flyctl|heroku|wrangler|serverless|cdk|sam|pulumi|ansible-playbook|fastlane|gh pr create|gh pr comment|gh issue create|gh issue comment|gh pr review|gh pr edit|gh issue edit|gh gist
npm version|npm deprecate|twine|goreleaser|make deploy|make release|make publish|npm run deploy|npm run release|npm run publish|pnpm run deploy|pnpm deploy|yarn deploy|prisma migrate|alembic|supabase`,
	destroys: never + `|git push --force|git reset --hard|git branch -D|git filter-branch|git filter-repo|git gc|git reflog|git update-ref|terraform destroy|docker system|docker volume|docker rm|docker rmi
dropdb|redis-cli flushall|gh repo delete|kubectl delete|npm unpublish`,
}

// classOf maps each entry of known to its class.
var classOf = sync.OnceValue(func() map[string]class {
	all := map[string]class{}
	for c, list := range known {
		for line := range strings.Lines(list) {
			if !strings.Contains(line, "|") {
				for word := range strings.FieldsSeq(line) {
					all[word] = c
				}
				continue
			}
			for entry := range strings.SplitSeq(strings.TrimSpace(line), "|") {
				all[entry] = c
			}
		}
	}
	return all
})

// set makes a set of the words of a list.
func set(list string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}

var (
	isLooker    = sync.OnceValue(func() map[string]bool { return set(lookers) })
	isNever     = sync.OnceValue(func() map[string]bool { return set(never) })
	isInstalled = sync.OnceValue(func() map[string]bool { return set(installed) })
	isMany      = sync.OnceValue(func() map[string]bool { return set(many) })
	isStarter   = sync.OnceValue(func() map[string]bool { return set(starters) })
	isConsole   = sync.OnceValue(func() map[string]bool { return set(consoles) })
	isSteering  = sync.OnceValue(func() map[string]bool { return set(steering) })
	isNote      = sync.OnceValue(func() map[string]bool { return set(notes) })
	isSteered   = sync.OnceValue(func() map[string]bool { return set(steers) })
	isFed       = sync.OnceValue(func() map[string]bool { return set(fed) })
)

// base is the name of a program without its folder.
func base(program string) string { return program[strings.LastIndexByte(program, '/')+1:] }

// installed are the folders where a program is what its name says; anywhere else
// it may be anything, whatever it is called.
const installed = `/bin /sbin /usr/bin /usr/sbin /usr/local/bin /opt/homebrew/bin node_modules/.bin ./node_modules/.bin .venv/bin ./.venv/bin venv/bin ./venv/bin vendor/bin ./vendor/bin`

// trusted is the name of a program, with its folder unless that is one of
// programs that are installed.
func trusted(program string) string {
	at := strings.LastIndexByte(program, '/')
	if at < 0 || isInstalled()[program[:at]] || isMany()[program[at+1:]] {
		return program[at+1:]
	}
	return program
}

// carries reports that a program of which nothing is known is followed by one
// that is known, which it most likely runs.
func carries(list []string) bool {
	return len(list) > 1 && !isProgram()[trusted(list[0])] && isProgram()[list[1]]
}

// isProgram are the programs that known knows.
var isProgram = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for entry := range classOf() {
		program, _, _ := strings.Cut(entry, " ")
		all[program] = true
	}
	return all
})

// classify finds the class of a command: of its words, options before a
// subcommand left out as in shape.
func classify(list []string, shape string) class {
	best, longest, program := unknown, 0, trusted(list[0])
	if isNever()[base(program)] {
		program = base(program) // dangerous by its name, wherever it is
	}
	for _, form := range [2][]string{list, strings.Fields(shape)} {
		for n := min(len(form), 4); n > longest; n-- {
			words := append([]string{program}, form[1:n]...)
			if c, ok := classOf()[strings.Join(words, " ")]; ok {
				best, longest = c, n
				break
			}
		}
	}
	return best
}
