// Package ruletest reads tables of calls with the verdicts that the rules of a
// project should give, as a person writes them by hand.
//
// A line is a verdict, blanks, and a command; @TOOL in front of the rest makes
// it a call of another tool, whose rest is the path of an edit. A # at the
// beginning of a line makes a comment. Lines that begin with a blank continue
// the command above with a line of its own, without the blanks that the first of
// them begins with:
//
//	# nobody pushes from here
//	allow  git status
//	deny   git push origin main
//	ask    @edit ../elsewhere/x
//	pass   @read
//	ask    cat > notes <<END
//	  a here-document
//	  END
package ruletest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/policy"
)

// Case is one call and what should be made of it.
type Case struct {
	// Line is where it stands, from 1.
	Line int
	// Want is the verdict that it should get.
	Want policy.Effect
	// Tool is the exact name of the tool; Text the command of a shell, the path of
	// an edit, and "" for any other.
	Tool, Text string
}

// maxLine is the longest line, in bytes. The gate parses no longer command.
const maxLine = 64 << 10

var verdicts = []policy.Effect{policy.Allow, policy.Deny, policy.Ask, policy.Pass}

// Parse reads a table. The error of a line that is neither a case nor a comment
// names its number.
func Parse(r io.Reader) ([]Case, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	var list []Case
	indent, number := "", 0
	for lines.Scan() {
		number++
		text := strings.TrimRight(lines.Text(), "\r")
		if number == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		if rest := strings.TrimLeft(text, " \t"); rest != text && rest != "" && len(list) > 0 {
			c := &list[len(list)-1]
			if !c.isShell() {
				return nil, fmt.Errorf("line %d: only a command goes on for several lines", number)
			}
			if indent == "" {
				indent = text[:len(text)-len(rest)]
			}
			c.Text += "\n" + strings.TrimPrefix(text, indent)
			continue
		}
		if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
			continue
		}
		c, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		c.Line, indent = number, ""
		list = append(list, c)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	}
	return list, nil
}

func parse(text string) (Case, error) {
	end := strings.IndexAny(text, " \t")
	if end < 0 {
		end = len(text)
	}
	c := Case{Want: policy.Effect(text[:end]), Tool: "bash", Text: strings.TrimSpace(text[end:])}
	if !slices.Contains(verdicts, c.Want) {
		return c, fmt.Errorf("it begins with %q, must begin with allow, deny, ask or pass", text[:end])
	}
	if rest, is := strings.CutPrefix(c.Text, "@"); is {
		c.Tool, c.Text, _ = strings.Cut(rest, " ")
		c.Text = strings.TrimSpace(c.Text)
	}
	switch {
	case c.Tool == "":
		return c, fmt.Errorf("no tool after @")
	case c.Text == "" && (c.isShell() || c.isEdit()):
		return c, fmt.Errorf("no command or path after %q", c.Want)
	case c.Text != "" && !c.isShell() && !c.isEdit():
		return c, fmt.Errorf("the tool %q takes no text", c.Tool)
	}
	return c, nil
}

func (c *Case) isShell() bool { return c.Tool == "bash" || c.Tool == "powershell" }
func (c *Case) isEdit() bool  { return c.Tool == "edit" || c.Tool == "write" }

// Request is the call in a place: a request whose folders, system and
// installation are those of the project.
func (c *Case) Request(place policy.Request) policy.Request {
	input := map[string]string{}
	switch {
	case c.isShell():
		input["command"] = c.Text
	case c.isEdit():
		input["path"] = c.Text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(input) != nil { // a map of strings always encodes
		b.Reset()
	}
	place.Tool, place.Input = c.Tool, b.Bytes()
	return place
}
