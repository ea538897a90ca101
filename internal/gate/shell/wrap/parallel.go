package wrap

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
func (r *Call) parallel() {
	for r.Rest < len(r.Args) {
		t := r.Args[r.Rest].Text
		if len(t) < 2 || t[0] != '-' {
			break
		}
		r.Rest++
		if t == "--" {
			break
		}
		if t == "--version" || t == "--help" {
			return
		}
		if slices.Contains(parallelValues, t) {
			r.Rest++
		}
	}
	start := min(r.Rest, len(r.Args))
	end := start
	for end < len(r.Args) && !strings.HasPrefix(r.Args[end].Text, ":::") {
		end++
	}
	switch {
	case end > start:
		r.parallelText(bash.JoinArgs(r.Args[start:end]), r.Args[end:])
	case end < len(r.Args):
		for _, a := range r.Args[end+1:] {
			if !strings.HasPrefix(a.Text, ":::") {
				r.text(a, r.Step)
			}
		}
		if r.Args[end].Text != ":::" {
			r.unsure = true
		}
	default:
		r.stdinText()
	}
}

// parallelText reads the command of parallel with its arguments, which are
// read from the input when there are none.
func (r *Call) parallelText(command argv.Arg, args []argv.Arg) {
	y := Supply{}
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
			y.option = !(r.pipe != nil && bash.WritesPaths(r.catalogue, r.pipe))
		}
	} else if !known {
		y.option = true
	}
	if !known || y.holder != "" {
		r.Supply = &y
	}
	r.text(command, r.Step)
	r.Supply = nil
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
		r.text(filled, r.Step)
	}
}
