// Package tools keeps modules in go.mod of which `make` needs the files and not
// the code: the rules of gitleaks.
package tools

import _ "github.com/zricethezav/gitleaks/v8/version" // of its packages the one that imports nothing
