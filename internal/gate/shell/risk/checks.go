package risk

import (
	"github.com/pigate/pigate/internal/gate/catalog"
	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// checkOf returns the code behind a name of catalog.Checks, nil for "": it reads
// what options alone do not tell, runs after all words of a command are read, and
// may add and drop.
func checkOf(name string) func(*call) {
	switch name {
	case "any-operand":
		return checkAnyOperand
	case "assignment-operand":
		return checkAssignOperand
	case "awk":
		return checkAwk
	case "aws":
		return checkAWS
	case "brew-tap":
		return checkTap
	case "cargo-compiler":
		return checkCompilerWords
	case "cargo-owner":
		return checkOwnerListing
	case "cargo-script":
		return checkCargoScript
	case "cargo-test":
		return checkTestWords
	case "chmod":
		return checkChmod
	case "clickhouse":
		return checkClickHouse
	case "cloud-verbs":
		return checkVerbs
	case "crontab":
		return checkCrontab
	case "curl":
		return checkCurl
	case "date":
		return checkDate
	case "dc":
		return checkDC
	case "declaration":
		return checkDeclaration
	case "dotnet":
		return checkDotnet
	case "dry-run":
		return checkDryRun
	case "ed":
		return checkEd
	case "exif":
		return checkExif
	case "forge-api":
		return checkForgeAPI
	case "forge-clone":
		return checkForgeClone
	case "further-operands":
		return checkMany
	case "git-alias":
		return checkGitAlias
	case "git-checkout":
		return checkCheckout
	case "git-config":
		return checkGitConfig
	case "git-mailinfo":
		return checkMailinfo
	case "git-pack-objects":
		return checkPackObjects
	case "git-push":
		return checkPush
	case "git-rehearsal":
		return checkRehearsal
	case "git-restore":
		return checkRestore
	case "go-install":
		return checkGoInstall
	case "go-test2json":
		return checkTest2JSON
	case "go-tool":
		return checkGoTool
	case "httpie":
		return checkHTTPie
	case "ip":
		return checkIP
	case "kubectl-plugin":
		return checkKubectlPlugin
	case "listing":
		return checkListing
	case "make":
		return checkMake
	case "miller":
		return checkMiller
	case "mongo":
		return checkMongo
	case "mysql":
		return checkMySQL
	case "npm-install-rehearsal":
		return checkInstallRehearsal
	case "npm-rehearsal":
		return checkNodeRehearsal
	case "operands-inside":
		return checkVendor
	case "pacman":
		return checkPacman
	case "pmset":
		return checkPmset
	case "prints-plan":
		return checkPrintsPlan
	case "psql":
		return checkPsql
	case "python-module":
		return checkPythonModule
	case "redis":
		return checkRedis
	case "rpm":
		return checkRPM
	case "rsync":
		return checkRsync
	case "ruff-diff":
		return checkRuffDiff
	case "second-file":
		return checkSecondFile
	case "second-operand-writes":
		return secondOperandWrites
	case "sed":
		return checkSed
	case "socat":
		return checkSocat
	case "split":
		return checkSplit
	case "sqlcmd":
		return checkSQLCmd
	case "sqlite":
		return checkSQLite
	case "subscripts":
		return checkSubscripts
	case "tar":
		return checkTar
	case "tee":
		return checkTee
	case "terraform-plan":
		return checkPlanFile
	case "tex":
		return checkTeX
	case "tmux":
		return checkTmux
	case "two-operands":
		return checkTwoOperands
	case "two-words":
		return checkTwoWords
	case "variable-names":
		return checkVariableNames
	case "zip":
		return checkZip
	}
	return nil
}

// tests is the code behind catalog.Tests: whether a value is harmless.
var tests = map[string]func(value string) bool{
	"bare-name": bareName, "build-output": buildOutput, "cmake-variable": cmakeVariable, "empty": isEmpty, "exif-format": exifFormat, "hg-tool": mercurialTool, "format-alone": formatAlone,
	"git-dir": ordinaryGitDir, "git-remote": plainRemote, "git-setting": inertSetting, "input-or-build-file": inputOrBuildFile,
	"inside": insideFile, "inside-build-file": makefileInside, "inside-report": reportInside, "less-move": lessMove,
	"local-address": localAddress, "mawk-option": plainMawkOption, "no-file": namesNoFile, "nowhere": argv.HarmlessFile, "number": isNumber,
	"perl-module": perlModule, "plain-inventory": plainInventory, "plain-ssh": plainSSH, "project-mount": projectMount,
	"pytest-plugin": pytestPlugin, "python-module": plainModule, "python-setting": plainPythonSetting, "python-warning": plainWarning,
	"ssh-setting": sshSetting, "vim-reads": vimReads, "written-cookie": writtenCookie, "written-variable": writtenVariable,
}

// knowingTests are those that ask what is known of variables.
var knowingTests = map[string]func(known *catalog.Catalog, value string) bool{"plain-variable": plainVariable}

// testOf returns the code behind a name of catalog.Tests, nil for others.
func testOf(known *catalog.Catalog, name string) func(value string) bool {
	if test := knowingTests[name]; test != nil {
		return func(value string) bool { return test(known, value) }
	}
	return tests[name]
}

// isEmpty reports whether the option was given an empty value.
func isEmpty(value string) bool { return value == "" }
