package shell

import "testing"

func TestGuardedLint(t *testing.T) {
	checkGuards(t, []guardCase{
		{"jest *", "jest --global-setup=./evil.js", "--globalSetup"},
		{"jest *", "jest --coverage-directory ../x", "--coverageDirectory"},
		{"vitest *", "vitest run --output-file=../x", "--outputFile"},
		{"tsc *", "tsc --OUTDIR ../x", "-outDir"},
		{"pylint *", "pylint --load-plug=evil a.py", "--load-plugins"},
		{"eslint *", "eslint -c ./evil.js .", "-c"},
		{"eslint *", "eslint --fix .", "--fix"},
		{"eslint *", "eslint --output-file=PWNED .", "--output-file"},
		{"eslint *", "eslint --resolve-plugins-relative-to ./evil .", "--resolve-plugins-relative-to"},
		{"eslint *", "eslint -f ./evil.js .", "-f"},
		{"npx eslint *", "npx eslint --rulesdir ./evil .", "--rulesdir"},
		{"prettier *", "prettier --write .", "--write"},
		{"prettier *", "prettier --plugin=./evil.js .", "--plugin"},
		{"pytest *", "pytest -p evil", "-p"},
		{"pytest *", "pytest -c ../evil.ini", "-c"},
		{"pytest *", `pytest -o addopts="-p evil"`, "-o"},
		{"pytest *", "pytest --basetemp=x", "--basetemp"},
		{"ruff *", "ruff check --fix .", "--fix"},
		{"ruff check *", "ruff check -o PWNED .", "-o"},
		{"rubocop *", "rubocop -r ./evil.rb", "-r"},
		{"rubocop *", "rubocop -A", "-A"},
		{"mypy *", "mypy --config-file=../x a", "--config-file"},
		{"tsc *", "tsc --outDir /etc", "-outDir"},
		{"jest *", "jest --globalSetup=./evil.js", "--globalSetup"},
		{"vitest *", "vitest run --config ./evil.ts", "--config"},
		{"pytest *", "pytest -x -q tests/test_a.py::test_b -k 'a and b'", ""},
		{"pytest *", "pytest --junitxml=out.xml -o log_cli=true -p no:cacheprovider", ""},
		{"eslint *", "eslint --ext .ts,.tsx src", ""},
		{"eslint *", "eslint -f json .", ""},
		{"prettier *", "prettier --check .", ""},
		{"ruff *", "ruff check . --output-format json", ""},
		{"tsc *", "tsc --noEmit -p tsconfig.json", ""},
		{"tsc *", "tsc --outDir dist", ""},
		{"vitest *", "vitest run --reporter verbose -t x", ""},
	})
}
