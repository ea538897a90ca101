package shell_test

import (
	"slices"
	"testing"

	"github.com/pigate/pigate/internal/gate/shell"
)

// guardedCommands are commands by which a program runs another one, loads code,
// writes or changes what later programs do, each in spite of a rule for the
// program and its subcommand. From the programs' manuals.
var guardedCommands = []string{
	"sed -n '/x/ Ie touch P' f", "sed '/x/I M e touch P' f", "sed -n '\\%x% I w P' f", "sed -l --sandbox 'e touch P' f", "sed -n -l x 'e touch P' f", "sed --line-len --sandbox 'w P' f",
	"sed --expr='e touch P' f", "sed --expr 'w P' f", "sed -e 's/a/b/ge' f",
	`sqlite3 a.db 'select "writefile"(1,2)'`, "sqlite3 a.db 'select [load_extension](1)'", "sqlite3 a.db 'select `edit`(1)'", "sqlite3 a.db 'select writefile/**/(1,2)'", "sqlite3 a.db 'select writefile--x\n(1,2)'",
	`sqlite3 a.db 'attach "f" as x'`, "sqlite3 a.db 'attach f as x'", `sqlite3 a.db 'create virtual table t using zipfile("a.zip")'`, `sqlite3 a.db 'VACUUM/**/INTO "x"'`,
	`psql -c 'select "lo_export"(1,2)'`, `psql -c "copy t to  'f'"`, `psql -c "copy t to/**/E'f'"`, `psql -c "copy t from/**/program 'x'"`, `psql -c 'alter system set x = y'`, `mysql -e 'select 1 /*!into outfile "x"*/'`,
	"export P{ATH=/tmp/e,}", "export {PATH,X}=/tmp/e", "declare -x P{ATH,X}=/tmp/e", "export $X=y", `export "$X=y"`, "readonly {GIT_PAGER,X}=y", "export DBUS_SESSION_BUS_ADDRESS=unixexec:path=./p",
	"export CGO_LDFLAGS='-fuse-ld=./x'", "export APT_CONFIG=x", "export RCLONE_PASSWORD_COMMAND=x", "export P4PORT=rsh:./x", "export STARSHIP_CONFIG=x", "export ASAN_OPTIONS=log_path=x", "export SSH_SK_PROVIDER=./x.so",
	"read PATH", "read -a PATH", "printf -v PATH x", "mapfile PATH", "getopts a PATH", "let PATH=1", "echo . | xargs --process-slot-var=PATH ls", "echo . | xargs --process-slot=GIT_PAGER ls",
	"hg push -e 'touch P;' ssh://h/x", "hg clone --ssh ./p ssh://h/x", "hg pull --remotecmd ./p", "hg incoming -e./p", "hg merge --tool ./p", "hg resolve -t./p", "hg update -t p", "hg clone ssh://-oProxyCommand=x/y", "hg export -o x tip", "hg debugshell",
	"jj diff --tool ./p", "jj resolve --tool sub/p", "jj squash --tool meld", "jj git clone ext::x", "jj -R ../x log", "jj fix", "jj util exec -- x",
	"exiftool -p '${FileName;system(q(touch P))}' f", "exiftool -p fmt f", "exiftool '-FileName<${x;`touch P`}' f", "exiftool '-Title<y' f", "exiftool -if 'system\"x\"' f", "exiftool -if5 '`x`' f", "exiftool -api 'Filter=`x`' f", "exiftool -use ./x f", "exiftool -CONFIG x f", "exiftool -printFormat '@{x;`y`}' f",
	"openssl engine ./e.so", "openssl engine -pre SO_PATH:./e.so dynamic", "openssl dgst -engine ./e.so f", "openssl list -provider-path . -provider x", "openssl rsa -inform engine -in x", "openssl req -key org.openssl.engine:x:y", "openssl fipsinstall -module ./x.so", "openssl pkeyutl -keyform=ENGINE -inkey x",
	"pandoc -t ./x.lua a.md", "pandoc -f x.lua a", "pandoc --to=./x.lua a.md", "pandoc -wx.lua a.md", "pandoc --read x.lua a", "pandoc -L x.lua a.md", "pandoc --lua-f x.lua a.md", "pandoc --template /x a.md", "pandoc --data-dir x a.md",
	"mypy @x", "dmypy @x", "pytest @x", "pytest -p ./x", "pytest --ds=../x", "pylint --rcfile=./x src", "pylint --load-plugins x src", "flake8 --config x", "coverage run --rcfile=x -m pytest", "mypy --config-file x src",
	"npx jest --testResultsProcessor=./x", "jest --test-results-processor ./x", "jest --dependencyExtractor=./x", "jest --filter ./x", "jest --snapshotResolver=./x", "jest --haste '{}'", "vitest run --pool ./x", "vitest --coverage.customProviderModule ./x", "vitest --runner=./x", "mocha --file ../x", "cypress run -b /x",
	"dotnet test -s x.runsettings", "dotnet test --settings:x", "dotnet test -a ./x", "dotnet build @x.rsp", "dotnet test -d ../x", "dotnet foo.dll", "dotnet test -- RunConfiguration.TestAdaptersPaths=x", "dotnet ef database drop",
	"mvn test -Djvm=./x", "mvn test -Dmaven.repo.local=./x", "mvn compile -Dmaven.compiler.executable=x", "mvn -is ../x test", "mvn test -DadditionalClasspathElements=x", "mvn -Dmaven.home=x test", "gradle test -g ./x", "gradle test -g./x", "gradle -I x test", "gradle test -Dgradle.user.home=x", "gradle test --gradle-user-home=x", "gradle test -Dorg.gradle.java.home=x",
	"npm test -script-shell=./evil", "npm test --script-sh=./evil", "npm test ---script-shell ./evil", "npm test -node-options=x", "npm run build -userconfig x", "pnpm -script-shell ./x build", "npm -regis x test",
}

// spareCommands are ordinary uses of the same programs.
var spareCommands = []string{
	"sed -n '/x/ Ip' f", "sed -l 5 -n p f", "sed --expression=s/a/b/ f", "sqlite3 a.db 'select * from attachments'", "sqlite3 a.db \"select 'a--b' from t -- c\"", "psql -c 'select 1'", "mysql -e 'show tables'",
	"export FOO=bar", "declare -f \"$f\"", "read -r line", "printf -v out %s x", "mapfile lines", "getopts ab opt", "xargs --process-slot-var=SLOT ls", "unset GIT_DIR", "local x=$1",
	"hg push", "hg merge --tool :local", "hg log -T x", "jj diff --tool :git", "jj log", "exiftool -p '$FileName' f", "exiftool -if '$Rating > 3' f", "exiftool f", "openssl x509 -in a.pem -noout", "openssl req -keyform PEM -key k.pem",
	"pandoc -f gfm -t html5+smart a.md", "pandoc -s a.md", "mypy src", "pytest -q tests", "pylint --rcfile=.pylintrc src", "jest --coverage", "vitest run --pool forks", "dotnet test -c Release", "dotnet build", "mvn test -Dtest=Foo", "mvn -q -DskipTests package",
	"gradle test --tests Foo", "npm test -s", "npm run build -w pkg", "pnpm build", "pnpm -r build", "npm --silent true test",
}

func TestProgramsThatRunOthersOrWrite(t *testing.T) {
	for _, command := range guardedCommands {
		if !guarded(command) {
			t.Errorf("%q is not guarded", command)
		}
	}
	for _, command := range spareCommands {
		if guarded(command) {
			t.Errorf("%q is guarded", command)
		}
	}
}

// guarded reports that a rule for the program of the command does not cover it.
func guarded(command string) bool {
	return slices.ContainsFunc(shell.Bash(command).Units, func(u shell.Unit) bool {
		return u.Opaque != "" || slices.ContainsFunc(u.Hazards, func(h shell.Hazard) bool { return !h.NamedBy(u.Program + " *") })
	})
}
