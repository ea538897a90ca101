package shelltest

import (
	"regexp"
	"strings"
)

var (
	// unfit is what a real shell must not be given even where it finds no
	// program: it could leave the folder, end other processes, find programs
	// outside of the folder of stubs, leave its process group or never end. So
	// could any slash and tilde that is not harmless.
	unfit = regexp.MustCompile(`(?i)\.\.|kill|suspend|PATH|command -p|ulimit|while|until|\(\(\s*;|:\s*\|\s*:|BASH|SHELLOPTS|FUNCNEST|JUDGE|\$\{?!?_\b|monitor|set\s+(-\w+\s+)*-\w*m|disown|times\b|\\x0*2[ef]|\\0?5[67]|\\u0*2[ef]|enable|umask`)
	// harmless are the slashes of the null device and those that begin or part a
	// replacement, whose patterns the generator draws one letter long, and the
	// tilde of a test.
	harmless = regexp.MustCompile(`/dev/null\b|\$\{[\w@*#!]+(\[[\w@*]\])?//?[#%]?(a/)?|=~[ \n]`)

	function = regexp.MustCompile(`(\w*)[ \t\\\n]*\(\s*\)|function`)
)

// Fit reports whether the text can be given to a real shell in an empty folder
// whose PATH holds stubs only.
func Fit(text string) bool {
	return !unfit.MatchString(text) && !strings.ContainsAny(harmless.ReplaceAllString(text, ""), "/~\x00")
}

// FitForSh is Fit for shells that set no limit to how deep functions call each
// other: no function may be named so often that it could call itself twice and
// be called.
func FitForSh(text string) bool {
	for _, f := range function.FindAllStringSubmatch(text, -1) {
		if f[1] == "" || strings.Count(text, f[1]) > 3 {
			return false
		}
	}
	return Fit(text)
}

// Tamed returns those of the commands that a generator can start from. What is
// not fit is replaced by names where that is easy, long ones are left out.
func Tamed(commands []string) (list []string) {
	replacer := strings.NewReplacer("/dev/null", "/dev/null", "=~", "=~", "/", "_", "~", "_", "..", "._")
	for _, c := range commands {
		if len(c) > 400 || strings.Contains(strings.ToLower(c), Marker) {
			continue
		}
		if c = replacer.Replace(c); Fit(c) {
			list = append(list, c)
		}
	}
	return list
}
