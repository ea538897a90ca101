package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// request is one line of `pigate check --batch`.
type request struct {
	ID       string          `json:"id"`
	Tool     string          `json:"tool"`
	Input    json.RawMessage `json:"input"`
	Cwd      string          `json:"cwd"`
	Allow    []string        `json:"allow"`
	Deny     []string        `json:"deny"`
	Settings json.RawMessage `json:"settings,omitempty"`
	OS       string          `json:"os"`
	Home     string          `json:"home"`

	from string
}

// text is the command of the call, or its whole input.
func (r request) text() string {
	var input struct{ Command string }
	if json.Unmarshal(r.Input, &input) == nil && input.Command != "" {
		return input.Command
	}
	return string(r.Input)
}

// denied are rules that people write.
var denied = strings.Split("rm -rf *|rm -r *|git push *|git push --force *|git reset --hard *|git clean -f *|git branch -D *|git commit --no-verify *|"+
	"git checkout -f *|git stash drop *|npm publish *|npm install *|npm run deploy *|yarn add *|pnpm add *|pip install *|cargo publish *|"+
	"kubectl delete *|helm uninstall *|docker rm *|docker rmi *|docker system prune *|docker run --privileged *|terraform destroy *|terraform apply *|"+
	"aws s3 rm *|gcloud * delete *|sudo *|curl -X DELETE *|curl -d *|wget -O *|chmod -R 777 *|chown *|kill -9 *|dd *|mkfs *|systemctl stop *|"+
	"apt-get install *|brew install *|make deploy *|prisma migrate reset *|psql -c *|find * -delete|sed -i *|tar -x *|ssh *|go run *|gh pr merge *|"+
	"node -e *|python -c *|bash -c *|eval *", "|")

func scoped(patterns []string) (rules []string) {
	for _, p := range patterns {
		rules = append(rules, "shell:"+p)
	}
	return rules
}

// requests lists the calls to compare.
func requests(cases string, lines int, seed uint64) (list []request) {
	add := func(r request) {
		if r.ID = fmt.Sprint(len(list)); r.Tool == "" {
			r.Tool = "bash"
		}
		r.Cwd, r.Home = "/home/u/proj", "/home/u"
		if r.OS == "" {
			r.OS = "linux"
		}
		if r.Settings == nil {
			r.Settings = json.RawMessage(`{"redirections":"precise"}`)
		}
		list = append(list, r)
	}
	w := words{}
	seen := map[string]bool{}
	command := func(from, text string) {
		if seen[text] || text == "" {
			return
		}
		seen[text] = true
		w.learn(text)
		input, _ := json.Marshal(map[string]string{"command": text})
		program, _, _ := strings.Cut(text, " ")
		for _, policy := range []request{
			{Allow: []string{"shell:*"}, Deny: []string{}},
			{Allow: []string{"shell:" + program + " *"}, Deny: []string{}},
			{Allow: []string{"shell:*"}, Deny: scoped(denied)},
		} {
			policy.Input, policy.from = input, from
			add(policy)
		}
	}
	_ = filepath.WalkDir(cases, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return nil
		}
		name, _ := filepath.Rel(cases, path)
		each(path, func(line []byte) {
			var c struct {
				request
				Command string
			}
			if json.Unmarshal(line, &c) == nil && c.Allow != nil && (c.Command != "" || c.Input != nil) {
				if c.Input == nil {
					c.Input, _ = json.Marshal(map[string]string{"command": c.Command})
				}
				c.from = name
				if c.Deny == nil {
					c.Deny = []string{}
				}
				add(c.request)
			}
			var any any
			if json.Unmarshal(line, &any) == nil {
				for _, text := range commands(any) {
					command(name, text)
				}
			}
		})
		return nil
	})
	r := rand.New(rand.NewPCG(seed, 0))
	for range lines {
		command("made", w.line(r))
	}
	return list
}

// commands returns the texts under the key "command", wherever it stands.
func commands(v any) (list []string) {
	switch x := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(x)) {
			if text, ok := x[key].(string); ok && key == "command" {
				list = append(list, text)
			} else {
				list = append(list, commands(x[key])...)
			}
		}
	case []any:
		for _, item := range x {
			list = append(list, commands(item)...)
		}
	}
	return list
}

func each(path string, line func([]byte)) {
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		line(s.Bytes())
	}
}

// words are those seen behind each program.
type words map[string][]string

func (w words) learn(text string) {
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("\n;&|(){}", r) }) {
		fields := strings.Fields(piece)
		if len(fields) < 2 || strings.ContainsAny(fields[0], `"'$=<>\`) {
			continue
		}
		for _, f := range fields[1:] {
			if !strings.ContainsAny(f, `"'<>`+"`") {
				w[fields[0]] = append(w[fields[0]], f)
			}
		}
	}
}

// line makes a command of a program and words that were seen behind it.
func (w words) line(r *rand.Rand) string {
	programs := slices.Sorted(maps.Keys(w))
	if len(programs) == 0 {
		return ""
	}
	program := programs[r.IntN(len(programs))]
	line := []string{program}
	if r.IntN(4) == 0 {
		wrappers := []string{"sudo", "timeout 5", "xargs", "env A=1", "nice -n 5", "docker exec web", "npx", "ssh host", "find . -exec", "uv run", "kubectl exec pod --"}
		line = []string{wrappers[r.IntN(len(wrappers))], program}
	}
	for range 1 + r.IntN(5) {
		word := w[program][r.IntN(len(w[program]))]
		if r.IntN(12) == 0 {
			word = word[:1+r.IntN(len(word))] // an abbreviation
		}
		line = append(line, word)
	}
	return strings.Join(line, " ")
}
