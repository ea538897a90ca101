package shell

import (
	"slices"
	"strings"

	"github.com/pigate/pigate/internal/gate/shell/argv"
	"github.com/pigate/pigate/internal/gate/shell/bash"
)

// parallelValues are the options of GNU parallel that take the next word.
var parallelValues = strings.Fields(`-a --arg-file --arg-sep --arg-file-sep --basefile --bf -S --sshlogin --sshloginfile --slf
	-j --jobs --max-procs -P -n --max-args -N --max-replace-args -L --max-lines -s --max-chars -I -d --delimiter --colsep -C
	--joblog --results --res --tmpdir --tempdir --timeout --delay --retries --halt --load --memfree --nice --block --recstart
	--recend --return --trc --transferfile --tf --workdir --wd --env --tagstring --profile -J --rpl --shellquote --semaphorename
	--id --limit --compress-program --template --tmpl --header -E --eof`)

// parallel reads `parallel [options] [command] [::: arguments]`: the command's
// words are joined to shell text; without a command the arguments are it.
func (r *running) parallel() {
	for r.rest < len(r.args) {
		t := r.args[r.rest].Text
		if len(t) < 2 || t[0] != '-' {
			break
		}
		r.rest++
		if t == "--" {
			break
		}
		if t == "--version" || t == "--help" {
			return
		}
		if slices.Contains(parallelValues, t) {
			r.rest++
		}
	}
	start := min(r.rest, len(r.args))
	end := start
	for end < len(r.args) && !strings.HasPrefix(r.args[end].Text, ":::") {
		end++
	}
	switch {
	case end > start:
		r.parallelText(bash.JoinArgs(r.args[start:end]), r.args[end:])
	case end < len(r.args):
		for _, a := range r.args[end+1:] {
			if !strings.HasPrefix(a.Text, ":::") {
				r.text(a, r.step)
			}
		}
		if r.args[end].Text != ":::" {
			r.unsure = true
		}
	default:
		r.stdinText()
	}
}

// parallelText reads the command of parallel with its arguments, which are
// read from the input when there are none.
func (r *running) parallelText(command argv.Arg, args []argv.Arg) {
	y := supply{}
	for _, holder := range []string{"{}", "{1}", "{.}", "{/}", "{//}"} {
		if strings.Contains(command.Text, holder) {
			y.holder = holder
			break
		}
	}
	r.holder = y.holder // whole lines are meant then
	var list []string
	for _, a := range args {
		if !strings.HasPrefix(a.Text, ":::") {
			y.option = y.option || !a.Literal
			list = append(list, a.Text)
		}
	}
	known := len(args) > 0 && !y.option && !strings.HasPrefix(args[0].Text, "::::")
	if len(args) == 0 {
		if list, known = r.inputWords(); !known {
			y.option = !(r.in.pipe != nil && bash.WritesPaths(r.source.b.known, r.in.pipe))
		}
	} else if !known {
		y.option = true
	}
	if !known || y.holder != "" {
		r.supply = &y
	}
	r.text(command, r.step)
	r.supply = nil
	if !known {
		return
	}
	for k, w := range list {
		if k >= argv.MaxGuesses {
			break
		}
		filled := command
		quoted := argv.QuoteWords([]argv.Arg{{Text: w, Literal: true}})
		if y.holder != "" {
			filled.Text = strings.ReplaceAll(command.Text, y.holder, quoted)
		} else {
			filled.Text += " " + quoted
		}
		r.text(filled, r.step)
	}
}
