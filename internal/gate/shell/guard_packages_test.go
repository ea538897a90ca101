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
		{"npm *", "npm run build -- --config x", ""},
		{"npm *", "npm test", ""},
		{"npm *", "npm version", ""},
		{"npm *", "npm ls --depth 0", ""},
		{"pip *", "pip list", ""},
		{"pip *", "pip show x", ""},
	})
}
