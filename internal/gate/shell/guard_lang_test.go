package shell

import "testing"

func TestGuardedInterpreters(t *testing.T) {
	checkGuards(t, []guardCase{
		{"node *", "node -r ./evil.js x.js", "-r"},
		{"node *", "node --require=./evil.js x.js", "--require"},
		{"node *", "node --import ./evil.mjs x.js", "--import"},
		{"node *", "node -e 'x'", "-e"},
		{"node *", "node -pe 'x'", "-p"},
		{"python3 *", "python3 -c x", "-c"},
		{"python3 *", "python3 -Ic x", "-c"},
		{"python *", "python -m pip install evil", "install"},
		{"python *", "python -m http.server", "-m"},
		{"perl *", "perl -ne 'print' a", "-e"},
		{"perl *", "perl -i -pe s/a/b/ a", "-i, -e"},
		{"perl *", "perl -M'POSIX;system(q(x))' x", "-M"},
		{"ruby *", "ruby -e x", "-e"},
		{"php *", "php -r 'x;'", "-r"},
		{"php *", "php -d auto_prepend_file=./evil x.php", "-d"},
		{"java *", "java -javaagent:evil.jar -version", "-javaagent:"},
		{"java *", "java -XX:OnOutOfMemoryError='touch PWNED' -version", "-XX:OnOutOfMemoryError"},
		{"python -m pytest *", "python -m pytest -p evil", "-p"},
		{"ansible *", "ansible all -m shell -a 'touch PWNED'", "-m"},
		{"node *", "node script.js --eval x -r y", ""},
		{"node *", "node --check x.js", ""},
		{"python3 *", "python3 script.py -c x", ""},
		{"python3 *", "python3 -m pytest -k x", ""},
		{"python3 *", "python3 -m json.tool x", ""},
		{"python3 *", "python3 -u x.py", ""},
		{"perl *", "perl x.pl -e y", ""},
		{"perl *", "perl -MList::Util -c x.pl", ""},
		{"ruby *", "ruby -c x.rb", ""},
		{"ruby *", "ruby -rjson x.rb", ""},
		{"php *", "php -l x.php", ""},
		{"java *", "java -jar x.jar -javaagent:y", ""},
	})
}
