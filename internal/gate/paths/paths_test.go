package paths

import (
	"strings"
	"testing"
)

var (
	linux   = Place{OS: "linux", Cwd: "/home/u/proj", Home: "/home/u"}
	windows = Place{OS: "windows", Cwd: `C:\Users\u\proj`, Home: `C:\Users\u`}
)

func TestAbsolute(t *testing.T) {
	tests := []struct {
		arg  string
		at   Place
		want string // "" when it names no file
	}{
		{"docs/a.md", linux, "/home/u/proj/docs/a.md"},
		{"./docs/a.md", linux, "/home/u/proj/docs/a.md"},
		{"@docs/a.md", linux, "/home/u/proj/docs/a.md"},
		{"@@a", linux, "/home/u/proj/@a"},
		{"docs/../src/a", linux, "/home/u/proj/src/a"},
		{"../x", linux, "/home/u/x"},
		{"/etc/hosts", linux, "/etc/hosts"},
		{"~", linux, "/home/u"},
		{"~/x", linux, "/home/u/x"},
		{"@~/x", linux, "/home/u/x"},
		{"~other/x", linux, "/home/u/proj/~other/x"},
		{"a\u00a0b", linux, "/home/u/proj/a b"},
		{"a\u3000b", linux, "/home/u/proj/a b"},
		{"file:///etc/hosts", linux, "/etc/hosts"},
		{"@file:///etc/hosts", linux, "/etc/hosts"},
		{"file:///home/u/proj/a%20b", linux, "/home/u/proj/a b"},
		{"file://localhost/etc/hosts", linux, "/etc/hosts"},
		{"file:///home/u/proj/%2e%2e/x", linux, "/home/u/x"},
		{`file:///home/u/proj/docs\..\..\x`, linux, "/home/u/x"},
		{"file:///a#b", linux, "/a"},
		{"file:///a?b", linux, "/a"},
		{"file://host/x", linux, ""},
		{"file:///a%2fb", linux, ""},
		{"file:///a%zz", linux, ""},
		{"file:///a ", linux, ""},
		{"file:///C:/../etc/passwd", linux, ""},
		{"file:///a\tb", linux, ""},
		{"file:///C|/x", linux, ""},
		{"", linux, ""},
		{"@", linux, ""},
		{"a\x00b", linux, ""},
		{"a\nb", linux, "/home/u/proj/a\nb"},
		{`a\b`, linux, `/home/u/proj/a\b`},
		{"/c/x", linux, "/c/x"},

		{`docs\a.md`, windows, "C:/Users/u/proj/docs/a.md"},
		{"docs/a.md", windows, "C:/Users/u/proj/docs/a.md"},
		{`..\..\x`, windows, "C:/Users/x"},
		{"/c/Windows/x", windows, "C:/Windows/x"},
		{"/mnt/d/x", windows, "D:/x"},
		{"/cygdrive/c/x", windows, "C:/x"},
		{"/c", windows, "C:/"},
		{"/code/x", windows, "C:/code/x"},
		{`c:\x\..\y`, windows, "C:/y"},
		{"c:x", windows, "C:/Users/u/proj/x"},
		{"D:x", windows, "D:/x"},
		{`\\?\C:\x`, windows, "C:/x"},
		{`\\?\UNC\host\share\x`, windows, "//host/share/x"},
		{`\\host\share\x`, windows, "//host/share/x"},
		{`~\x`, windows, "C:/Users/u/x"},
		{".env.", windows, "C:/Users/u/proj/.env"},
		{".env ", windows, "C:/Users/u/proj/.env"},
		{".env::$DATA", windows, "C:/Users/u/proj/.env"},
		{"file:///C:/x%20y", windows, "C:/x y"},
		{"file:///x", windows, ""},
	}
	for _, tt := range tests {
		got, ok := Absolute(tt.arg, tt.at)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("Absolute(%q) on %s = %q, %v, want %q", tt.arg, tt.at.OS, got, ok, tt.want)
		}
	}
}

func TestShellTarget(t *testing.T) {
	tests := []struct {
		target string
		at     Place
		want   string
	}{
		{"a", linux, "/home/u/proj/a"},
		{"@a", linux, "/home/u/proj/@a"},
		{"~/a", linux, "/home/u/a"},
		{"~u/a", linux, ""},
		{"~-", linux, ""},
		{"file:///etc/x", linux, "/home/u/proj/file:/etc/x"},
		{"a\u00a0b", linux, "/home/u/proj/a\u00a0b"},
		{"/c/x", windows, "C:/x"},
		{"", linux, ""},
	}
	for _, tt := range tests {
		got, ok := ShellTarget(tt.target, tt.at)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("ShellTarget(%q) on %s = %q, %v, want %q", tt.target, tt.at.OS, got, ok, tt.want)
		}
	}
}

func TestInside(t *testing.T) {
	tests := []struct {
		abs, root string
		fold      bool
		rel       string
		inside    bool
	}{
		{"/home/u/proj/a/b", "/home/u/proj", false, "a/b", true},
		{"/home/u/proj", "/home/u/proj", false, ".", true},
		{"/home/u/project/a", "/home/u/proj", false, "", false},
		{"/home/u", "/home/u/proj", false, "", false},
		{"/x", "/", false, "x", true},
		{"C:/Users/U/Proj/A", "C:/Users/u/proj", true, "A", true},
		{"C:/Users/U/Proj/A", "C:/Users/u/proj", false, "", false},
	}
	for _, tt := range tests {
		rel, inside := Inside(tt.abs, tt.root, tt.fold)
		if rel != tt.rel || inside != tt.inside {
			t.Errorf("Inside(%q, %q, fold=%v) = %q, %v, want %q, %v", tt.abs, tt.root, tt.fold, rel, inside, tt.rel, tt.inside)
		}
	}
}

func FuzzAbsolute(f *testing.F) {
	for _, seed := range []string{"a", "../x", "@~/x", "file:///a%20b", `C:\x`, "/c/x", "a\u00a0b", "~", `\\?\C:\..`, "file:///..%5c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		for _, at := range []Place{linux, windows} {
			abs, ok := Absolute(arg, at)
			if !ok {
				continue
			}
			if again := Slash(abs, at); again != abs {
				t.Errorf("Absolute(%q) on %s = %q is not clean: %q", arg, at.OS, abs, again)
			}
			rel, inside := Inside(abs, Slash(at.Cwd, at), at.Windows())
			if inside && (rel == ".." || strings.HasPrefix(rel, "../") || strings.Contains(rel, "/../")) {
				t.Errorf("Absolute(%q) on %s = %q counts as inside but climbs: %q", arg, at.OS, abs, rel)
			}
		}
	})
}
