package shelltest

// Ordinary are command lines of the kind that agents run all day.
var Ordinary = []string{
	"git status", "git log --oneline -5", "git diff HEAD~1 --stat", `git commit -m "fix: keep the order"`, "git add . && git commit -m 'wip'",
	"ls -la", "ls *.go | head -3", "cat README.md", "cat a.txt b.txt | sort | uniq -c", `grep -rn "func main" .`, "grep -E 'a|b' f.txt",
	`find . -name "*.ts" -not -name '*.d.ts'`, "wc -l < f.txt", "head -20 f.txt; tail -5 f.txt", `echo "done: $?"`, `echo "$HOME is home"`,
	"npm test 2>&1 | tail -40", "npm run build > build.log 2>&1", "go test . -run 'TestA|TestB' -v", "make lint || echo failed", "cd src && ls",
	`for f in *.md; do echo "$f"; wc -l "$f"; done`, "if [ -f go.mod ]; then cat go.mod; else echo none; fi", `[[ -n "$x" && $y == a* ]] && echo yes`,
	"x=$(git rev-parse HEAD); echo ${x:0:7}", `echo "${x:-none}" | tr a-z A-Z`, "sed -n '1,20p' f.txt", `awk '{print $1}' f.txt`, "jq '.a | .b' f.json",
	"cat <<'EOF'\nit's $HOME\nEOF", "cat <<EOF\nhost: $HOME\n$(git log -1)\nEOF", "git commit -m \"$(cat <<'EOF'\nfix: a thing\n\nBecause (of) it's so.\nEOF\n)\"",
	"python3 -c 'print(1)'", `node -e "console.log(1)"`, "echo $((1 + 2))", "diff <(git show a) <(git show b)", "printf '%s\\n' a b", "tee out.txt < in.txt",
	"case $1 in start) echo a;; *) echo b;; esac", "f() { echo \"$1\"; }; f x", "a=(1 2 3); echo ${#a[@]} ${a[1]}", "echo a # a comment; ls", "{ echo a; echo b; } | cat", "(cd src; ls)", "! git diff --quiet",
	"echo {a,b}.txt", `echo 'it'\''s'`, "docker ps --format '{{.Names}}'", "curl -s localhost | jq .", "sort -u f.txt | comm -12 - g.txt", "test -d src && echo dir", "export A=1; env | grep A",
}
