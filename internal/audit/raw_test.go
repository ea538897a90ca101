package audit_test

import (
	"database/sql"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // opens journals without this package's care
)

// raw opens a file as any program would.
func raw(t testing.TB, path string) *sql.Conn {
	t.Helper()
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: slashed}).EscapedPath()+"?_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		_ = db.Close()
	})
	return conn
}

func mustExec(t testing.TB, conn *sql.Conn, query string) {
	t.Helper()
	if _, err := conn.ExecContext(t.Context(), query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// query returns the one value that a query of a fresh connection finds.
func query(t testing.TB, path, text string) (value string) {
	t.Helper()
	if err := raw(t, path).QueryRowContext(t.Context(), text).Scan(&value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}
