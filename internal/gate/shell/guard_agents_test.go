package shell_test

import "testing"

func TestAgentsWithoutQuestionsAndChangesOfTheGate(t *testing.T) {
	for _, command := range []string{
		"pi --no-extensions -p x", "pi -ne -p x", "pi -p x -ne", "pi -e ./x.ts", "pi --extension=./x.ts", "pi -a -p x", "pi install npm:x", "pi --offline remove x", "npx @mariozechner/pi-coding-agent --no-extensions",
		"claude --dangerously-skip-permissions -p x", "claude -p x --permission-mode bypassPermissions", "claude --permission-mode=acceptEdits", "claude --settings x", "claude --allowedTools Bash", "claude mcp add x ./y", "npx -y @anthropic-ai/claude-code@latest --dangerously-skip-permissions",
		"codex exec --dangerously-bypass-approvals-and-sandbox x", "codex --yolo", "codex --full-auto x", "codex -a never", "codex exec -s danger-full-access x", "codex -c approval_policy=never", "codex mcp add x",
		"gemini -y", "gemini --yolo -p x", "gemini --approval-mode=yolo", "qwen --approval-mode auto-edit", "gemini extensions install x", "copilot --allow-all-tools -p x", "copilot --allow-tool shell", "aider --yes-always x", "aider --yes-al x", "aider --test-cmd ./x",
		"crush run -y x", "cursor-agent -f x", "amp --dangerously-allow-all", "opencode run --dangerously-skip-permissions x", "opencode serve", "goose run --with-extension ./x", "droid exec --auto high x", "kiro-cli chat --trust-all-tools", "q chat -a x", "kimi --yolo", "cline -y x",
		"pigate install", "pigate uninstall", "pigate audit erase --match x", "pigate audit rotate", "pigate audit review", "pigate suggest --apply 1,2", "pigate suggest --reject=1", "pigate suggest --interactive", "pigate --journal x audit erase", "pigate audit --journal x erase",
		"pigate rules add x", "pigate allow x", "pigate import", "pigate gate", "pigate report -o ../x",
	} {
		if !guarded(command) {
			t.Errorf("%q is not guarded", command)
		}
	}
	for _, command := range []string{
		"pi -p x", "pi --mode json -p x", "claude -p x", "claude --permission-mode plan -p x", "codex exec x", "codex -s read-only exec x", "gemini -p x", "aider x", "pigate audit list", "pigate audit", "pigate status", "pigate rules list", "pigate rules lint",
		"pigate suggest", "pigate suggest --explain x", "pigate import --dry-run", "pigate report", "pigate check 'rm -rf x'", "pigate audit show 12", "pigate audit export --public", "pigate install --help",
	} {
		if guarded(command) {
			t.Errorf("%q is guarded", command)
		}
	}
}
