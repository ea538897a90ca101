package risk

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
)

// insideFile reports whether a build product is written where builds write: a
// relative path without "..", outside the folders whose files run by
// themselves, or a temporary folder. A name that cannot be read counts as such.
func insideFile(name string) bool {
	if argv.HarmlessFile(name) || name == "" || name[0] == 0 {
		return true
	}
	if len(name) > 1 && name[1] == ':' || name[0] == '~' || name[0] == '\\' {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "..", ".git", ".pi", ".github", ".husky", ".vscode", ".ssh":
			return false
		}
	}
	return name[0] != '/' || name == "/tmp" || strings.HasPrefix(name, "/tmp/") || strings.HasPrefix(name, "/private/tmp/")
}

// oneOf returns a spare function for the listed values, upper and lower case alike.
func oneOf(list ...string) func(string) bool {
	return func(value string) bool {
		return slices.ContainsFunc(list, func(v string) bool { return strings.EqualFold(v, value) })
	}
}

// keyOneOf is oneOf for the name in "name=value" or "name value".
func keyOneOf(names ...string) func(string) bool {
	known := oneOf(names...)
	return func(setting string) bool {
		if at := strings.IndexAny(setting, "= \t"); at >= 0 {
			setting = setting[:at]
		}
		return known(setting)
	}
}

// notAny returns a spare function for values that hold none of the listed texts,
// whatever their case.
func notAny(texts ...string) func(string) bool {
	return func(value string) bool {
		lower := strings.ToLower(value)
		return !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(lower, t) })
	}
}

// bareName reports whether a value is a name and not the path of a file to load.
func bareName(value string) bool { return !strings.ContainsAny(value, "./\\"+argv.Hole) }

// pytestPlugin reports whether -p leaves a plug-in out or names one of pytest's own.
func pytestPlugin(value string) bool {
	return len(value) > 3 && value[:3] == "no:" || oneOf(strings.Fields("xdist pytester cacheprovider randomly timeout asyncio cov")...)(value)
}

// reportInside is insideFile for values such as "html:folder".
func reportInside(value string) bool {
	if _, name, ok := strings.Cut(value, ":"); ok {
		return insideFile(name)
	}
	return insideFile(value)
}

// formatAlone reports whether "format=file" names no file.
func formatAlone(value string) bool {
	_, name, ok := strings.Cut(value, "=")
	return !ok || argv.HarmlessFile(name)
}

// plainInventory reports whether an inventory is a list of hosts, or a file of
// the project that by its name is no script.
func plainInventory(value string) bool {
	if strings.Contains(value, ",") {
		return true
	}
	return insideFile(value) && slices.ContainsFunc([]string{".yml", ".yaml", ".ini", ".toml", ".json"}, func(end string) bool {
		return strings.HasSuffix(value, end)
	})
}
