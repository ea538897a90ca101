package shell

import "testing"

func TestGuardedPackages(t *testing.T) {
	checkGuards(t, []guardCase{
		{"npm test *", "npm test --script-shell ./evil.sh", "--script-shell"},
		{"npm run *", "npm run build --script-shell=./evil.sh", "--script-shell"},
		{"npm *", "npm config set script-shell ./evil", "config set"},
		{"npm *", "npm install evil", "install"},
		{"pip list *", "pip list --log=PWNED", "--log"},
		{"pip list *", "pip list --log-file PWNED", "--log-file"},
		{"pip list *", "pip --log PWNED list", "--log"},
		{"pip *", "pip install evil", "install"},
		{"pip *", "pip config set global.index-url http://evil", "config set"},
		{"composer *", "composer exec touch", "exec"},
		{"npm *", "npm --script-sh=./evil run x", "--script-shell"},
		{"npm *", "npm run x --script-sh ./evil", "--script-shell"},
		{"npm *", "npm isntall evil", "isntall"},
		{"npm *", "npm udpate", "udpate"},
		{"npm *", "npm ic", "ic"},
		{"npm *", "npm install-clean", "install-clean"},
		{"npm *", "npm audit --fix", "--fix"},
		{"npm *", "npm -C ../x test", "-C"},
		{"npm *", "npm --pref=../x run build", "--prefix"},
		{"npm *", "npm verison 1.2.3", "verison"},
		{"pnpm *", "pnpm --dir ../x test", "--dir"},
		{"pnpm *", "pnpm --config.script-shell=./evil run x", "--config."},
		{"yarn *", "yarn --cwd ../x test", "--cwd"},
		{"yarn *", "yarn workspaces foreach -A exec touch x", "workspaces foreach exec"},
		{"yarn *", "yarn workspaces foreach -A run build", ""},
		{"yarn *", "yarn test --sc", ""}, // yarn takes no abbreviations
		{"npm *", "npm --prefix packages/web test", ""},
		{"npm *", "npm prefix -g", ""},
		{"npm *", "npm ls --global", ""},
		{"npm *", "npm run build --if-present --silent", ""},
		{"npm *", "npm run build -- --config x", ""},
		{"npm *", "npm test", ""},
		{"npm *", "npm version", ""},
		{"npm *", "npm ls --depth 0", ""},
		{"pip *", "pip list", ""},
		{"pip *", "pip show x", ""},
	})
}
