package shelltest

// context is a place in a command line. Each frame holds it at %.
type context struct {
	name   string
	frames []string
}

// contexts are the places where bash reads text by rules of its own.
var contexts = []context{
	{"word", []string{"echo %", "echo x% y", "git commit -m %", "cat -n % f", "ls --x=%", "echo a %b; git log", "git log | cat %", "echo a\\\n %"}},
	{"command word", []string{"%", "% x", "echo a; %", "x=1 %", "! %", "echo a | %", "git log && %; ls", ">f %", "{ %; }", "(%)", "$x %", "${x} %", "$@ %", `"$@" %`, "$(:) %", "${a[@]} %", `"" %`, "{,} %", "'' %", "command $x %", "command -- %", "exec $x %", "eval $x %", "builtin $x %",
		"command -v %", "exec -a x %", "builtin command %", "time -p -- %", "a=(x) %", "a[0]=1 %", "a[ 0 ]=1 %", "a+=1 %", "2>f %", "<<<x %", "{x}>f %", ">zap; ?ap %", ">zap; * %", "if %; then echo; fi", "for zap in x; do %; done", "echo {%,a}", "{%,a}", "% () { echo; }", "set -- %; $1", "set -- %; \"$@\"", "coproc X %", "a=(%); ${a[0]}", "x=%; $x", "f() { $1; }; f %", "f() { \"$@\"; }; f %", "for i in %; do $i; done", "[[ x ]] && %", "case x in x) %;; esac", "IFS=x; %", "shopt -s nullglob; *x %"}},
	{"double quotes", []string{`echo "%"`, `git commit -m "a % b"`, `echo "a"%"b"`, `cat "x%" "%"`, "echo \"a\n%\n\"", `echo a"%"; git log`}},
	{"single quotes", []string{`echo '%'`, `git commit -m 'a % b'`, `echo 'a'%'b'`, "echo 'a\n%\n'"}},
	{"ANSI-C quotes", []string{`echo $'%'`, `git log $'a\n%'`, `echo "$'%'"`, `echo $'a\'%'`, `echo $'\\%'`}},
	{"locale quotes", []string{`echo $"%"`, `git log $"a % b"`}},
	{"here-document", []string{"cat <<E\n%\nE", "cat <<E\na % b\nE\necho x", "cat <<E; echo y\n%\nE", "cat <<E <<F\n%\nE\n%\nF", "git commit -F - <<E\n%\nE\n", "cat << E | ls\n%\nE", "cat <<E &&\n%\nE\necho x", "cat <<EOF > f\n%\nEOF\ngit log", "cat <<E-F\n%\nE-F"}},
	{"here-document with tabs", []string{"cat <<-E\n\t%\n\tE", "cat <<-E\n%\nE\necho x", "cat <<-'E'\n\t%\n\tE\necho x"}},
	{"quoted here-document", []string{"cat <<'E'\n%\nE", "cat <<\"E\"\n%\nE\necho x", "cat <<\\E\n%\nE\ngit log", "git commit -F - <<'E'\nx\n%\nE"}},
	{"here-string", []string{"cat <<<%", "cat <<<\"%\"", "cat <<< 'x'%", "cat <<<$'%'", "cat <<<x% y"}},
	{"arithmetic", []string{"echo $((%))", "echo $(( % + 1 ))", `echo "$((%))"`, `git log "$(( 1 + % ))"`, "cat <<E\n$((%))\nE", "x=$((%))"}},
	{"old arithmetic", []string{"echo $[%]", `echo "$[ % ]"`, "cat <<E\n$[%]\nE"}},
	{"arithmetic command", []string{"((%))", "(( x = % )); echo", "((%)) && echo a", "let %", `let "x=%"`, "let 'x=%'"}},
	{"arithmetic for", []string{"for ((%;0;)); do echo; done", "for (( i=0; % && 0; i++ )); do echo; done", "for ((i=0;0;%)); do echo; done", "for ((i=0;i<1;i++,%)) { echo; }"}},
	{"subscript of an assignment", []string{"a[%]=1", "a[%]+=1; echo x", "a=([%]=1)", "declare -a a=([%]=x)", "declare -A m=([%]=1)", "m[%]=1 echo x", "a+=([%]+=1)"}},
	{"subscript of an expansion", []string{"echo ${a[%]}", `echo "${a[%]}"`, "echo ${a[%]:-x}", "echo ${#a[%]}", "echo ${!a[%]}", "cat <<E\n${a[%]}\nE", "echo $((a[%]))", "((a[%]++))"}},
	{"offset", []string{"echo ${HOME:%}", `echo "${HOME:%}"`, "echo ${HOME:0:%}", `echo "${HOME:0:%}"`, "cat <<E\n${HOME:%}\nE", "echo ${@:%}", "echo ${a[@]:%:1}", "echo ${HOME:(%)}"}},
	{"case word", []string{"case % in x) echo a;; esac", `case "%" in x) echo a;; *) git log;; esac`}},
	{"case pattern", []string{"case x in %) echo a;; esac", "case x in (%) echo a;; esac", "case x in a|%) echo a;; x) git log;; esac", `case x in "%") echo a;; esac`, "case x in y) ;; %) echo;; esac", "case x in x) echo %;; esac"}},
	{"test", []string{"[[ % ]]", "[[ -n % ]]", "[[ x == % ]]", "[[ % == x ]]", "[[ x != \"%\" ]]", "[[ -z \"%\" && x < y ]]", "[[ ( x ) || % ]]", "[[ ! % ]]", "test -n %", "[ \"%\" = x ]", "[[ % -eq 0 ]]", "[[ 0 -lt % ]]", "[[ -e % ]]"}},
	{"regular expression", []string{"[[ x =~ % ]]", "[[ x =~ (%) ]]", "[[ x =~ a|% ]]", `[[ x =~ "%" ]]`, "[[ x =~ [%] ]]"}},
	{"assignment", []string{"x=%", `x="%"`, "x=% echo a", `x="%" git log`, "x+=%", "x=1 y=%; echo $y", "x=a%"}},
	{"declaration", []string{"export x=%", `declare x="%"`, "readonly x=%", "f() { local x=%; }; f", "declare -r x=%; echo", "typeset x=% y", "declare -i x=%"}},
	{"array element", []string{"a=(%)", "a=(x % y)", `a=("%")`, "a+=(%)", "declare -a a=(%)", "a=(x\n%\n)", "a=(x # %\n)", "local a=(%)"}},
	{"redirection target", []string{"echo a >%", `echo a >"%"`, "cat <%", "cat <x%", "ls 2>%", "cat <&%", "echo a >&%", "echo a &>%", "{ echo a; } >%", "cat {fd}<%", "cat {a[%]}<f", "exec {a[%]}<f", ">% echo a", "echo a >>%", "cat <>%"}},
	{"function body", []string{"f() { echo %; }; f", "f() ( echo % ); f", `function f { echo "%"; }; f`, "f() { echo x; } >%; f", "f() { cat <<E\n%\nE\n}; f", "f()\n{\necho %\n}\nf", "f() if echo %; then echo; fi; f", "f() [[ % ]]; f"}},
	{"for list", []string{"for i in %; do echo $i; done", `for i in "%" x; do echo "$i"; done`, "for i in x %\ndo git log $i\ndone", "for i in %; { echo $i; }", "for i\nin %; do echo; done"}},
	{"select list", []string{"select i in %; do break; done", `select i in "%"; do echo; done`}},
	{"coproc", []string{"coproc echo %", `coproc X { echo "%"; }`, "coproc { git log %; }", "coproc X (echo %)"}},
	{"compound command", []string{"if echo %; then git log; fi", "if echo; then echo %; else ls %; fi", "! echo %", "time echo %", "time -p git log %", "{ echo %; }", "(echo %)", "( echo a; (echo %) )", "echo a && echo %", "echo a || git log %", "echo % &", "echo a |& cat %", "{ echo %\n}", "time { echo %; }"}},
	{"expansion in double quotes", []string{`echo "${w:-%}"`, `echo "${w:-"%"}"`, `echo "${w:-a % b}"`, `echo "${w-"a"%}"`, `git commit -m "${w:-${v:-%}}"`, `echo "${HOME:+%}"`, `echo "${w:-"${v:-%}"}"`, `echo "${w:-'%'}"`}},
	{"expansion", []string{"echo ${w:-%}", "echo ${w:-a % b}", "echo ${w:-'%'}", `echo ${w:-"%"}`, "echo ${w:-${v:-%}}", `echo ${w:-"${v:-%}"}`, "echo ${HOME:+%}", "echo x${w-%}y"}},
	{"command substitution", []string{"echo $(echo %)", `echo "$(echo "%")"`, "echo $(git log %; echo)", "echo $(\necho %\n)", "echo $(echo $(echo %))", `git commit -m "$(cat <<'E'` + "\n%\nE\n)\"", "echo $(cat <<E\n%\nE\n)", "echo \"$(case x in x) echo %;; esac)\"", "echo $( (echo %) )", "echo $(# %\necho)", "echo $(cat <%)", "echo $(<%)", "x=$(echo %) y=\"$(git log %)\""}},
	{"backticks", []string{"echo `echo %`", "echo \"`echo %`\"", "echo \"`echo \\\"%\\\"`\"", "echo `echo \\`echo %\\``", "x=`git log %`", "cat <<E\n`echo %`\nE", "echo `cat <<E\n%\nE`", "echo `# %`", "echo \"`echo '%'`\"", "echo `echo \\\\%`"}},
	{"process substitution", []string{"cat <(echo %)", "cat <(cat <<E\n%\nE\n)", "echo >(cat %)", "cat < <(echo %)", "cat \"<(%)\"", "cat x<(echo %)", "git diff <(git log) <(echo %)"}},
	{"comment", []string{"echo a # %", "# %\necho a", "echo a#%", "echo $(echo a # %\n)", "echo a; #%", "(echo a) # %\necho b", "echo a # '\n%\n# '", "echo a \\\n# %", "{ # %\necho a; }", "if # %\necho a; then # %\necho b; fi", "case x in # %\nx) echo a;; esac"}},
	{"braces", []string{"echo {a,%}", "echo {%,b}", "echo {a..%}", `echo {"%",b}`, "echo a{%}b", "echo {a,{b,%}}", "echo {,%}"}},
	{"pattern", []string{"echo @(%|b)", "echo !(%)", "echo [%]", "echo *%", "echo ?(a|%)", "shopt -s extglob\necho +(%)", "echo [[:%:]]", "echo [!%]"}},
	{"evaluated text", []string{"eval 'echo %'", `eval "echo %"`, "eval echo %", "eval -- %", "eval % x", `eval echo "%"`, "eval \"eval 'echo %'\"", "eval $'echo %'", "eval <<E\n%\nE"}},
	{"trap", []string{"trap 'echo %' EXIT", `trap "echo %" EXIT`, "trap -- % EXIT", "trap 'echo %' DEBUG; echo a", "trap 'echo %' ERR; git log x", "f() { trap 'echo %' RETURN; }; f", "trap 'echo %' 0"}},
	{"text read later", []string{"x='%'; echo ${x@P}", "PS4='%'; set -x; echo a", "x='%'; eval \"$x\"", "x=%; $x", "set -- '%'; eval \"$1\"", "x='%'; eval $x", "x='%'; trap \"$x\" EXIT",
		"shopt -s expand_aliases\nalias e='echo %'\ne x", "alias ls='echo %'\nls", "x='%'; : ${x@P}", "a=('%'); echo ${a[0]@P}", "f() { eval \"$1\"; }; f '%'", "x=\"%\"; echo $x", "x='%'; echo \"$x\"", "for x in '%'; do $x; done", "set -- '%'; $1",
		"x='%'; cat <<E\n$x\nE", "x='%'; y=x; echo ${!y@P}", "read x <<< '%'; eval \"$x\"", "printf -v x %s '%'; $x", "mapfile -C 'echo %' -c 1 a <<< x", "compgen -W '%' x", "complete -W '%' ls", "PS4=\"%\"; set -x; echo", "export PS4='%'; set -o xtrace\necho", "PS4='%' eval 'set -x; echo'", "PS1='%'; echo ${PS1@P}", "PROMPT_COMMAND='%'; echo", "declare PS4='%'; set -x; echo", "read PS4 <<< '%'; set -x; echo", "printf -v PS4 %s '%'; set -x; echo", "x='%'; echo ${x@E}", "x='%'; echo ${x@A}", "for PS4 in '%'; do set -x; echo; done", "set -x; PS4='%'; echo a", "shopt -s lastpipe; echo '%' | read x; $x", "compgen -C '%' x", "complete -C '%' ls", "history -s '%'", "fc -s '%'", "jobs -x echo %", "echo '%' | . /dev/stdin", "source <(echo '%')", "command eval 'echo %'", "builtin eval 'echo %'", "command . <(echo '%')"}},
	{"name read later", []string{"x='a[%]'; echo $((x))", "x='a[%]'; let x", "x='a[%]'; ((x++))", "declare -n r='a[%]'; echo $r", "printf -v 'a[%]' x", "read 'a[%]' <<< x", "unset 'a[%]'", "unset a[%]", "test -v 'a[%]'", "[[ -v 'a[%]' ]]", "[ -v 'a[%]' ]", "[[ -v a[%] ]]", "declare -i 'x=a[%]'", "declare -i x; x='a[%]'", "[[ 'a[%]' -eq 0 ]]", "x='a[%]'; [[ x -eq 0 ]]", "x='a[%]'; echo ${HOME:x}", "x='a[%]'; echo ${a[x]}", "x='a[%]'; a[x]=1", "export 'a[%]=1'", "declare 'a[%]=1'", "declare a[%]=1", "typeset -n r; r='a[%]'; r=1", "getopts a 'a[%]' -a", "x='a[%]'; echo ${!x}", "x='a[%]'; for ((x;0;)); do :; done", "mapfile -O 'a[%]' b <<< x", "wait -p 'a[%]' -n", "readarray 'a[%]' <<< x", "x='a[%]'; a[$x]=1", "x='a[%]'; echo ${a[$x]}", "x='a[%]'; echo $(($x))", "x='a[%]'; ((y=$x))", "x='a[%]'; echo ${HOME:$x}", "x='a[%]'; [[ $x -eq 0 ]]", "x='a[%]'; declare -i y=$x", "x='a[%]'; declare -i y=x", "declare -i y; y+='a[%]'", "x='%'; declare -A m; ((m[$x]++))", "x='%'; declare -A m; echo $((m[$x]))", "x='%'; declare -A m; [[ -v m[$x] ]]", "x='%'; declare -A m; unset m[$x]", "x='%'; declare -A m; let m[$x]=1", "x='%'; declare -A m; test -v m[$x]", "x='%'; declare -A m; printf -v m[$x] y", "x='%'; declare -A m; m[$x]=1; echo ${m[$x]}", "read x <<< 'a[%]'; echo $((x))", "f() { echo $(($1)); }; f 'a[%]'", "f() { local -n r=$1; echo $r; }; f 'a[%]'", "x=1; x+='+a[%]'; echo $((x))", "printf -v x %s 'a[%]'; echo $((x))", "echo 'a[%]' | while_ read x; echo $((x))", "x=a; x+='[%]'; echo $((x))", "x='a[%]'; ((x[0]))", "x='a[%]'; echo $[x]", "x='a[%]'; [[ a[x] -gt 1 ]]", "x='a[%]'; echo \"$((x))\"", "x='a[%]'; cat <<E\n$((x))\nE", "let 'x=1' 'a[%]'", "PS4='$((a[%]))'; set -x; echo", "echo $((1 + x))", "x='a[%]' eval 'echo $((x))'", "set -- 'a[%]'; echo $(($1))", "for x in 'a[%]'; do echo $((x)); done", "x='a[%]'; test $x -eq 0", "local 'a[%]=1'", "readonly 'a[%]=1'", "a=('a[%]'); echo $((a))"}},
}

// bashOnly are constructs of bash that other shells read as something else.
var bashOnly = context{"what sh lacks", []string{"[[ a && % ]]", "[[ -n '' || % ]]", "[[ a == b || % ]]", "[[ ( % ) ]]", "[[ a < % ]]", "echo a &>f %", "echo a &>>f %", "((%)) || echo", "((1 && %))", "echo a |& cat %", "echo $'\\'; % #'", "echo $'\\''; echo '%'", `echo $"%"`, "select x in %; do echo; done", "function f { echo %; }; f", "coproc cat %", "echo {%,a}", "echo a >& f %", "cat <<<x %", "let % x=1", "a=(x) echo %", "x+=% echo", "cat <(echo) %", "echo ${HOME//a/%}", "declare x=%", "case x in x) echo;& y) echo %;; esac", "case x in x) echo;;& *) echo %;; esac", "echo {x}>f %", "x[0]=% echo", "echo $[1] %", "echo $[%]", "[[ x =~ a|% ]]", "[[ x =~ (a|%) ]]", "echo $((1 + %))", "time echo %", "! echo %", "for i; do echo %; done", "shopt -s extglob; echo %", "echo @(a|%)", "echo ${x@Q} %", "echo ${x:1} %", "echo ${!x} %", "f() { local a=(%); }; f", "echo a &> %", "{ echo; } &>%", "if [[ a && % ]]; then echo; fi", "for ((i=0; i<%; i++)); do echo; done", "echo $'a\\'b' %", "echo \"$'%'\"", "until_ [[ a || % ]]"}}

// names are what an expansion is of. x, v and w are not set, HOME is.
var names = []string{"x", "x", "x", "HOME", "1", "@", "*", "x[0]", "x[@]", "#", "?", "-", "!x", "#x", "!x[@]", "!HOME", "_x", "12", "!@"}

// operators follow the name in an expansion.
var operators = []string{":-", "-", ":=", "=", ":+", "+", ":?", "?", "#", "##", "%", "%%", "/", "//", "/#", "/%", "/a/", "//a/", "/#a/", "^", "^^", ",", ",,", "@", ":", ":0:", "[", "", " ", "~", "~~", "@P", "!", "\\\n:-"}

// brackets open and close text other than an expansion.
var brackets = [][2]string{{"$(", ")"}, {"`", "`"}, {"$((", "))"}, {"$[", "]"}, {"((", "))"}, {"(", ")"}, {"{ ", "; }"}, {"{", "}"}, {"[[ ", " ]]"}, {"<(", ")"}, {">(", ")"}, {"[", "]"}, {"$( (", ") )"},
	{"$( ", "\n)"}, {"${ ", "; }"}, {"${|", "}"}, {"@(", ")"}, {"$(case x in x) ", ";; esac)"}, {"$(cat <<E\n", "\nE\n)"}, {"`cat <<E\n", "\nE\n`"}, {"$(echo '", "')"}, {`$(echo "`, `")`}, {"a[", "]=1"}, {"a=(", ")"}, {"$(<", ")"}, {"$(( ", " ))"}, {"$((a[", "]))"}, {"${a[", "]}"}, {"$(# ", "\n)"}, {"f() { ", "; }"}, {"$${", "}"}, {"$${x:-", "}"}, {"$$(", ")"}, {"$$((", "))"}, {"$#{", "}"}, {"$!(", ")"}, {"$$$(", ")"}, {"$'", "'"}, {"$${'", "'}"}, {"\\$(", ")"}, {"\\\\$(", ")"}, {"$\\(", ")"}, {"${x:-$(", ")}"}, {`${x:-"`, `"}`}, {"${x:-`", "`}"}, {"${x[", "]}"}, {"${x:$((", "))}"}}

// plainForms is how many of the forms are plain substitutions.
const plainForms = 7

// forms are the marker as a command, or as something near to one.
var forms = []string{"$(%)", "$(%)", "$(%)", "`%`", "`%`", "<(%)", ">(%)", "$(% x)", "$( %\n)", "`% x`", "$(echo; %)", "$(%;)", "$((`%`))", "$(($(%)))", "$[$(%)]", "${y:-$(%)}", "${y:-`%`}", `"$(%)"`, "${ %; }", "${| %; }", "$(<x; %)", "<(echo; %)",
	"\n%\n", "; % ;", "\n% x", "& %", "| %", "|| %", "&& %", "( % )", "{ %; }", ")\n%\n(", "}\n%\n{", ";%", "%", "%", " % ", "\\$(%)", "\\`%\\`", "$\\(%)", "$(echo %)", "$x(%)", "$ (%)", "x@P", "! %", "coproc %", "time %", "exec %", "command %", "eval %", "a[$(%)]", "a[`%`]", "$(% #)\n)", "$(\\\n%)", "$\\\n(%)", "<\\\n(%)", "if %; then", "\necho a; %\n", "'$(%)'", "\"`%`\"", "x=$(%)", "${x:-<(%)}", "%\n", "\n% #"}

// fillers stand around a form at @.
var fillers = []string{"'@'", "'@'", `"@"`, `"@"`, "$'@'", `$"@"`, "\\@", "\\\\@", "\\\n@", "# @", " # @\n", " #@\n", "{@}", "{a,@}", "\n@\n", "'@", `"@`, "@'", `@"`, `"'@'"`, `'"@"'`, `\"@\"`, `\'@\'`, `"\"@\""`, `'\''@'\''`, `$'\'@\''`, `$'\\'@`, "a@b", " @ ", "@}", "@)", "}@", ")@", "`@", "@`", "# '\n@\n# '", "# \"\n@\n# \"", "a #@\n", "'a'@'b'", `"a"@"b"`, "@;", "\\}@", "'}'@", `"}"@`, "')'@", "$@", "$$@", "\\\\\\@", "'\\'@", `"\\"@`, `$'\''@`, "~@", "*@", "[@]", "[[ @ ]]", "<<E\n@\nE\n", "<<'E'\n@\nE\n", "0+@", "@+0", "x@", "(@)", "@ x", "${@}", "$(echo @)", "`echo @`", "$((@))", "1,@", "@\\", "!@", "-@", "=@", "a=@", ":@", "\r@", "@\r", "\r\n@", "\v@", "\f@", "\u00a0@", "\u2028@", "\x01@", "\x7f@", "\t@", "\\ @", "\\\t@"}

// spellings are ways to write the marker. Most are its plain name.
var spellings = []string{"zap", "zap", "zap", "zap", "zap", "zap", "zap", "zap", "zap", "zap", "zap x", "zap x y", `\zap`, "'zap'", `"zap"`, `z\ap`, `z''ap`, "$'zap'", "za\\\np", "$'\\x7aap'", "zap;", "zap\t", "\tzap", " zap", "x=1 zap", ">f zap", "zap >f", "zap<f", "zap&", "zap\r", "\u00a0zap", "zap\u00a0", "\vzap", "zap\f"}

// modes are lines before a command that change how a shell reads it.
var modes = []string{"set -o posix", "shopt -s extglob", "shopt -u extglob", "set +B", "set -f", "set -k", "set -H", "set -e", "set -u", "set -x", "shopt -s lastpipe", "shopt -s nullglob", "shopt -s compat31", "shopt -s expand_aliases", "set -o history -o histexpand", "IFS=", "LC_ALL=C", "x=1", "x='a b'", "set -- a b", "a=(1 2)", "declare -A a", "echo a", ": <<E\nx\nE", "f() { echo; }", "shopt -s nocasematch", "shopt -s assoc_expand_once", "set -n", "set -v", "unset HOME", "x='$(zap)'", "x='a[$(zap)]'", "shopt -s extquote", "shopt -s compat40", "set -P", "declare -i x", "declare -n x=y"}

// seams go between any two bytes of a command line.
var seams = []string{"\\\n", "\\\n", "\\\n", "\\", "''", `""`, "'", `"`, "`", "\r", "\v", "\f", "\u00a0", "\x01", "\x7f", "$", "#", "\n", " ", "\t", "\\\r\n", "\u2028", "\u3000", "$''", "$x", "\\\n\\\n", "(", ")", "{", "}", ";", "&", "|", "<", ">", "!", "[", "]", "=", "\x1b", "\b", "\ufeff", "\u0085"}

// plain are texts without the marker as a command: what a form may also be, so
// that near misses which run nothing are drawn too.
var plain = []string{"x", "zap", "a zap b", "$x", "$HOME", "1", "0", "x+1", "", "a b", "*.go", "$(echo a)", "`echo a`", "$(git log)", "$(cat f)", "${HOME}", "${x:-a}", "$1", "$?", "-n", "a=b", "it's", `say \"x\"`, "#x", "a,b", "é", "a\\ b", "%s", "$", "!", "a;b", "(a)", "x y"}
