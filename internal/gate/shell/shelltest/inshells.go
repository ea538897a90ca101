package shelltest

// inShells are places in text that another bash gets.
var inShells = context{"text for a shell", []string{
	"bash -c '%'", `bash -c "%"`, "sh -c 'echo %'", `sh -c "echo %"`, `bash -c 'echo "%"'`, "bash -ec 'echo %' x y", "bash <<'E'\n%\nE", "bash <<E\n%\nE", "bash <<< '%'", `bash <<< "echo %"`,
	"echo '%' | bash", `echo "echo %" | sh`, "cat <<'E' | bash\n%\nE", `bash -c 'eval "$1"' x '%'`, `bash -c 'echo "$1"' x '%'`, "bash -c 'echo $1' x %", "bash -c $'echo %'", "bash -c \"$(cat <<'E'\n%\nE\n)\"",
	`bash -c 'bash -c "%"'`, "bash -c -- 'echo %'", "bash -o posix -c '%'", "bash -O extglob -c 'echo %'", "bash -x -c 'echo %'", "bash -n -c '%'", "command bash -c '%'", "exec bash -c '%'", "bash <(echo '%')",
	"bash -s <<'E'\n%\nE", "bash -s x <<'E'\necho $1 %\nE", `x='%' bash -c 'eval "$x"'`, "x='%' bash -c 'echo $x'", "x='a[%]' bash -c 'echo $((x))'", "bash -c 'echo $((x))' x", "bash -c 'echo %; zap() { :; }'", "eval bash -c '%'",
	`trap 'bash -c "%"' EXIT`, `bash -c 'echo \%'`, `bash -c echo\ %`, "bash -c 'cat <<E\n%\nE'", "printf '%' | bash", `bash -c "echo '%'"`, `bash -c 'echo '\''%'\'''`, `bash -c "echo \"%\""`, "bash +x -c 'echo %'", "bash -c 'echo a' '%'", "x='$(zap)'; bash -c \"echo %\""}}
