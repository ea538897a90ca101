package audit

import (
	"errors"
	"slices"
	"strings"

	"modernc.org/sqlite"
)

// duty is what a connection of ours is for; it may do nothing else.
type duty int

const (
	appending duty = iota
	reading
	erasing // and packing the file afterwards
	asking  // what a person wants to know, in their own words
	indexing
)

// authorizer refuses what a connection has no business with, as a second line
// behind the triggers of the file: those can be dropped, which this refuses.
func (d duty) authorizer() sqlite.AuthorizerFn {
	return func(action sqlite.AuthorizerActionCode, arg1, arg2, _, _ string) sqlite.AuthorizerReturnCode {
		if d.refuses(action, arg1, arg2) {
			return sqlite.AuthorizerDeny
		}
		return sqlite.AuthorizerOK
	}
}

func (d duty) refuses(action sqlite.AuthorizerActionCode, arg1, arg2 string) bool {
	if d == asking {
		return !harmless(action, arg1, arg2)
	}
	switch action {
	case sqlite.AuthAttach, sqlite.AuthDetach:
		return d != erasing || arg1 != "" && !strings.HasPrefix(arg1, "vacuum_") // VACUUM attaches a nameless file
	case sqlite.AuthDropIndex, sqlite.AuthDropTable, sqlite.AuthDropTrigger, sqlite.AuthDropView, sqlite.AuthAlterTable,
		sqlite.AuthDropTempIndex, sqlite.AuthDropTempTable, sqlite.AuthDropTempTrigger, sqlite.AuthDropTempView,
		sqlite.AuthCreateTempTrigger, sqlite.AuthCreateTempTable, sqlite.AuthCreateTempView, sqlite.AuthCreateTempIndex,
		sqlite.AuthCreateVTable, sqlite.AuthDropVTable:
		return true
	case sqlite.AuthUpdate:
		// SQLite's own tables change while a schema is made or a file packed.
		ours := arg1 == "entry"
		return ours && !(d == erasing && (arg2 == "salt" || arg2 == "body"))
	case sqlite.AuthDelete:
		return arg1 == "entry"
	case sqlite.AuthInsert:
		return d == reading
	case sqlite.AuthPragma:
		return strings.EqualFold(arg1, "writable_schema") && arg2 != ""
	default:
		return false
	}
}

// harmless reports that an action reads the journal and does nothing else, so
// that anybody's text may ask for it.
func harmless(action sqlite.AuthorizerActionCode, arg1, arg2 string) bool {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRecursive, sqlite.AuthRead:
		return true
	case sqlite.AuthFunction:
		return !strings.EqualFold(arg2, "load_extension")
	case sqlite.AuthPragma:
		return slices.Contains([]string{"table_info", "table_xinfo", "table_list"}, strings.ToLower(arg1))
	default:
		return false
	}
}

// restrict puts the authorizer on a connection.
func restrict(driverConn any, d duty) error {
	registerer, ok := driverConn.(sqlite.AuthorizerRegisterer)
	if !ok {
		return errors.New("the driver knows no authorizer")
	}
	return registerer.RegisterAuthorizer(d.authorizer())
}
