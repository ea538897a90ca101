package shell_test

import (
	"slices"
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

// runnerCases are commands that run prisma by a runner, a package manager or
// several of them.
var runnerCases = []string{
	"npx prisma@5 migrate reset", "npx prisma@latest migrate reset --force", "npx -y prisma@^5.1.0 migrate reset", "npx --yes -- prisma@5 migrate reset",
	"npx npm:prisma@5 migrate reset", "npx p@npm:prisma@5 migrate reset", "npx github:prisma/prisma#v5 migrate reset",
	"bunx prisma@5.2 migrate reset", "bunx --bun prisma migrate reset", "bun x prisma@5 migrate reset", "bun prisma migrate reset", "bun --bun prisma migrate reset",
	"bun run prisma migrate reset", "bun --cwd x run prisma migrate reset", "pnpx prisma@5 migrate reset", "pnpm prisma migrate reset", "pnpm --filter web prisma migrate reset",
	"pnpm -F web -r prisma migrate reset", "pnpm -C web prisma migrate reset", "pnpm run prisma migrate reset", "pnpm dlx prisma@5 migrate reset", "pnpm exec prisma migrate reset",
	"pnpm --silent prisma -- migrate reset", "yarn prisma migrate reset", "yarn -s prisma migrate reset", "yarn run prisma migrate reset", "yarn dlx prisma@5 migrate reset",
	"yarn workspace web prisma migrate reset", "yarn workspace web run prisma migrate reset", "yarn workspaces foreach -A run prisma migrate reset", "yarn --cwd web prisma migrate reset",
	"npm exec prisma@5 migrate reset", "npm exec -- prisma@5 migrate reset", "npm exec prisma -- migrate reset", "npm x prisma@5 -- migrate reset", "npm --json true exec prisma migrate reset",
	"npm run prisma -- migrate reset", "corepack pnpm prisma migrate reset", "corepack pnpm@9 prisma migrate reset", "corepack yarn dlx prisma@5 migrate reset",
	"deno run -A npm:prisma@5 migrate reset", "deno x npm:prisma migrate reset", "deno run npm:/prisma@5 migrate reset", "dotenv -- npx prisma@5 migrate reset",
	"sudo npx prisma@5 migrate reset", "bash -c 'pnpm prisma migrate reset'", "nix run nixpkgs#prisma migrate reset", "nix run nixpkgs#nodePackages.prisma -- migrate reset",
}

func denies(rule, command string) bool {
	p, ok := shell.CompileDeny(rule)
	q, through := (shell.Reader{}).CompileRun(rule)
	return slices.ContainsFunc(shell.Bash(command).Units, func(u shell.Unit) bool { return ok && p.Match(u) || through && q.Match(u) })
}

func TestDenyRulesHoldThroughRunners(t *testing.T) {
	for _, command := range runnerCases {
		for _, rule := range []string{"prisma migrate reset *", "npx prisma migrate reset *", "pnpm prisma migrate *", "yarn run prisma *", "prisma *"} {
			if !denies(rule, command) {
				t.Errorf("%q does not stop %q", rule, command)
			}
		}
		for _, rule := range []string{"prisma generate *", "npx prisma generate *", "migrate *", "npx other *", "npx prisma@4 *"} {
			if denies(rule, command) {
				t.Errorf("%q stops %q", rule, command)
			}
		}
	}
	for _, c := range []struct{ rule, command string }{
		{"ruff *", "uvx ruff@0.4 check"}, {"ruff *", "uvx ruff==0.4 check"}, {"ruff *", "uvx 'ruff>=0.4,<1' check"}, {"ruff *", "uv tool run ruff[extra]@latest check"},
		{"ruff check *", "pipx run ruff==0.4 check"}, {"uvx ruff *", "pipx run ruff==0.4 check"}, {"uvx ruff", "pipx run ruff==0.4"}, {"ruff *", "pixi exec ruff==0.4 check"},
		{"@scope/tool *", "npx @scope/tool@1 x"}, {"npx @scope/tool *", "pnpm dlx @scope/tool@1 x"}, {"ng deploy *", "npx @angular/cli@17 deploy"}, {"npx @angular/cli deploy *", "pnpm ng deploy"},
		{"goimports *", "go run golang.org/x/tools/cmd/goimports@latest -w ."}, {"go run golang.org/x/tools/cmd/goimports *", "go run golang.org/x/tools/cmd/goimports@v0.1 -w ."},
		{"migrate *", "go run github.com/golang-migrate/migrate/v4@v4.1 up"}, {"go run example.com/m *", "go run -race example.com/m/v2@v2.0.1 x"},
		{"dotnet-ef *", "dnx dotnet-ef@9 database drop"}, {"dotnet-ef *", "dotnet tool run dotnet-ef database drop"},
		{"npm run deploy *", "pnpm deploy-x"}, {"pnpm run deploy-prod *", "pnpm deploy-prod"}, {"yarn deploy *", "npm run deploy"},
		{"alembic downgrade *", "python -m alembic downgrade base"}, {"alembic downgrade *", "python3.12 -Im alembic downgrade base"}, {"alembic *", "python -W error -malembic.config downgrade base"},
		{"alembic *", "uv run -m alembic downgrade base"}, {"alembic *", "uv run python -m alembic downgrade base"}, {"alembic *", "coverage run -m alembic downgrade base"},
		{"alembic *", "python -m coverage run -m alembic downgrade base"}, {"alembic *", "python -m cProfile -o x -m alembic downgrade base"}, {"pip install *", "pip3.11 install x"},
		{"prisma migrate reset *", "npx prisma@$V migrate reset"}, {"pre-commit *", "python -m pre_commit run"}, {"django-admin *", "py -3.11 -m django-admin flush"},
		{"rm *", "rsh host rm -rf x"}, {"rm *", "lockfile-run /tmp/l rm -rf x"}, {"rm *", "osh -c 'rm -rf x'"}, {"rm *", "fab -H host -- rm -rf x"}, {"rm *", "deno task --eval 'rm -rf x'"},
		{"rm *", "lockrun --lockfile=/tmp/l -- rm x"}, {"rm *", "run-one rm x"}, {"rm *", "pnpm shx rm x"},
	} {
		want := c.rule != "npm run deploy *"
		if denies(c.rule, c.command) != want {
			t.Errorf("%q stops %q: %v", c.rule, c.command, !want)
		}
	}
}

func TestPackageManagersOwnSubcommands(t *testing.T) {
	for _, c := range []struct{ rule, command string }{
		{"audit *", "pnpm audit --fix"}, {"why *", "yarn why x"}, {"install *", "bun install x"}, {"env *", "pnpm env use 20"}, {"prisma *", "npx -p prisma other"},
		{"alembic *", "python x.py -m alembic"}, {"alembic *", "python -c 'x' -m alembic"}, {"npm publish *", "npm --silent run publish"}, {"git push *", "git --no-pager stash push"},
	} {
		if denies(c.rule, c.command) {
			t.Errorf("%q stops %q", c.rule, c.command)
		}
	}
}
