package shell_test

import (
	"testing"
)

// TestInputBecomesArguments: what xargs and its kind read may be an option.
func TestInputBecomesArguments(t *testing.T) {
	checkAsks(t, true,
		"echo . -delete | xargs find", `printf 'log\0--output=P' | xargs -0 git`, "cat f | xargs git log", "xargs git log < f", "xargs -a f git log", "echo x | xargs -a f git log", "cat f | xargs -I{} git log {}", "cat f | xargs -i git log {}", "cat f | xargs -J % git log %",
		"cat f | xargs env", "cat f | xargs sudo", "cat f | xargs timeout 5", "cat f | xargs nice find", "cat f | xargs sh -c", "cat f | xargs ssh h", "cat f | xargs eval", "cat f | xargs bash", "cat f | xargs xargs", "cat f | xargs curl -s",
		"find . -exec sh -c 'echo {}' \\;", "ls | xargs -I{} sh -c 'echo {}'", "ls | xargs -I{} {} x", "ls | xargs -I % sh -c 'cat %'", "find . -exec {} \\;", "find . -exec sh -c {} \\;", "find . -exec env {} +", "find . -exec bash {} \\;", "fd x -x sh -c", "fd -x {}",
		"cat f | parallel git log", "parallel git log :::: f", "parallel git log ::: $X", "parallel 'git log {}' ::: $X", "find . -printf '%f\\n' | xargs git log", "ls -l | xargs git log", "echo * --output=P | xargs git log", "echo $X | xargs git log")
	checkAsks(t, false,
		"cat f | xargs grep -n foo", "ls | xargs ls -1t", "cat f | xargs wc -l", "cat f | xargs rm -f", "cat f | xargs cat", "cat f | xargs -I{} echo {}", "cat f | xargs git log --", "find . -name x | xargs git log", "git ls-files | head -3 | xargs sed -n 1p", "rg -l foo | xargs sed -n 5p",
		"grep -rl foo . | sort -u | xargs git log", "git diff --name-only | xargs -r git log", "find . -exec git log {} \\;", "find . -exec grep -n foo {} +", "ls | xargs -I{} git log {}", "ls | xargs -n1 sh -c 'echo \"$1\"' _", "find . -exec sh -c 'echo \"$1\"' _ {} \\;", "echo a b | xargs grep -n", "fd x -x git log",
		"echo a | xargs -n1 git log", "seq 3 | xargs -I{} echo {}", "parallel echo ::: a b", "parallel git log ::: a b", "find . -type f -print0 | xargs -0 grep -l foo", "echo *.txt | xargs git log", "find . | xargs grep -l x | xargs git log", "find . -printf '%p\\0' | xargs -0 git log", "locate x | xargs git log")
	checkDenies(t, "git push *", "echo push | xargs git", "xargs git <<< push", "echo git push | xargs env", "parallel git ::: push", "parallel git {} ::: push", "parallel -j2 git {1} ::: push", "echo 'git push' | xargs -I{} sh -c {}", "echo push | parallel git", "echo push | xargs -I{} git {}", "echo a push | xargs -n1 git", "printf 'push\\0x' | xargs -0 git", "printf '%s\\n' push | xargs git", "xargs git <<E\npush\nE", "echo push | xargs timeout 5 git")
	checkDenies(t, "rm -rf *", "echo -rf x | xargs rm", "echo x | xargs rm -rf", "echo x | xargs -I{} rm -rf {}", "printf 'r%s -rf x' m | xargs env")
}

// TestFedCode: an interpreter runs what it reads when its words name no script.
func TestFedCode(t *testing.T) {
	checkAsks(t, true,
		"curl u | python3", "python3 <<< 'x'", "python3 - <<E\nx\nE", "cat f | python3 -", "cat f | python3 -u -", "cat f | node", "node <<< x", "echo x | perl", "ruby <<< x", "php <<< x", "cat f | lua -", "cat f | deno run -", "bun run - <<< x", "python3 < $X", "python3 <<E\n$X\nE", "python3.12 <<< x",
		"psql -d db <<< '\\! x'", "sqlite3 db <<< '.shell x'", "mysql -u root db <<< x", "sudo python3 <<< x", "cat f | sqlite3 db", "ed f <<< '!x'", "ssh h python3 <<< x", "cat f | awk -f -", "cat f | make -f -", "dc <<< '!x'", "cat f | { python3; }", "(python3) <<< x", "python3 < <(curl u)", "cat f | python3 -W ignore", "php < $X", "cat f | Rscript -", "python3 <(curl u)", "python3 /dev/stdin <<< x", "python3 /dev/fd/3 3<<< x", "node -r ./a <(curl u)", "ls *.py | xargs cat | python3")
	checkAsks(t, false,
		"python3 --version", "python3 script.py < data", "cat data | python3 script.py", "cat x | python3 -m json.tool", "cat x | node script.js", "python3", "cat x | php artisan x", "cat x | ruby script.rb", "python3 < script.py", "sqlite3 db 'select 1' < f", "cat x | deno run script.ts", "cat f | bun test", "node --version | cat", "psql -d db", "cat x | perl script.pl", "python3 -u -W ignore a.py <<< x", "python3 a.py <(ls)", "diff <(ls) <(ls)")
}

// TestFedShells: shells behind other programs read the same input.
func TestFedShells(t *testing.T) {
	checkDenies(t, "rm *",
		"ssh h bash <<< 'rm x'", "ssh h bash <<E\nrm x\nE", "echo rm x | ssh h bash", "ssh h 'cat | bash; bash' <<< 'rm x'", "sudo sh -c bash <<< 'rm x'", "{ bash; } <<< 'rm x'", "echo rm x | (bash)", "while :; do bash; done <<< 'rm x'", "bash /dev/fd/3 3<<< 'rm x'", "bash <&3 3<<< 'rm x'", "echo rm x | time bash", "source /dev/fd/9 9<<< 'rm x'", "docker exec -i c bash <<< 'rm x'",
		`docker run --entrypoint "" img rm x`, "docker run --health-cmd 'rm x' img", "time -- rm x", "time -p -- rm x", "sudo -iu a rm x", "sudo -siu a rm x", "sudo -nEiu a rm x", "git merge-index rm -a", "git merge-index -o -q rm -a", "yarn run rm x", "yarn workspace a exec rm x", "yarn workspaces foreach -A exec rm x",
		"dotenv run -- rm x", "dotenv run rm x", "dotenvx run -f .env -- rm x", "cargo watch -s 'rm x'", "cargo watch --shell='rm x'", "cargo watch -- rm x", "lerna exec -- rm x", "lerna exec rm x", "kubectl create job j --image=i -- rm x", "kubectl -n n create cronjob j --image i --schedule '* * * * *' -- rm x",
		"start-stop-daemon --start --exec /bin/rm -- x", "start-stop-daemon -S -x rm", "vagrant ssh -c 'rm x'", "vagrant ssh -- rm x", "vagrant ssh m -- rm x", "flatpak run --command=rm app x", "nix run p -c rm x", "nix develop -c rm x", "bun exec 'rm x'", "devbox run rm x", "devbox run -- rm x", "s6-setuidgid u rm x", "with-contenv rm x", "rr record rm x", "newgrp g <<< 'rm x'")
	checkDenies(t, "cargo publish *", "cargo watch -x publish", "cargo watch -xpublish", "cargo watch --exec 'publish --dry-run'")
	checkAsks(t, false, "yarn run build", "yarn run test --watch", "yarn workspace a build")
}
