package main

import (
	"errors"
	"io"

	"github.com/pigate/pigate/internal/report"
	"github.com/pigate/pigate/internal/report/replay"
)

// replayPrinter prints what a replay finds: changes as they come, or in the end
// the result.
type replayPrinter struct {
	w      io.Writer
	format string // of replayFormats
	screen report.Screen
	sides  sides
}

// print prints the replay that run makes; run hands each change to the function
// that it gets, unless that is nil.
func (p replayPrinter) print(run func(changed func(replay.Change) error) (*replay.Result, error)) (*replay.Result, error) {
	switch p.format {
	case "jsonl":
		return run(func(c replay.Change) error { return replay.WriteJSON(p.w, c) })
	case "csv":
		return p.sheet(run)
	}
	result, err := run(nil)
	if err != nil {
		return nil, err
	}
	result.Old, result.New = p.sides.oldName, p.sides.newName
	if p.format == "json" {
		return result, replay.WriteJSON(p.w, result)
	}
	return result, result.Write(p.w, p.format == "md", p.screen)
}

// sheet prints changes as rows.
func (p replayPrinter) sheet(run func(changed func(replay.Change) error) (*replay.Result, error)) (result *replay.Result, err error) {
	ended := errors.New("nobody takes more rows")
	rows := func(yield func([]any, error) bool) {
		var runErr error
		result, runErr = run(func(c replay.Change) error {
			if !yield(c.Cells(), nil) {
				return ended
			}
			return nil
		})
		if runErr != nil && !errors.Is(runErr, ended) {
			yield(nil, runErr)
		}
	}
	_, err = report.WriteSheet(p.w, p.format, replay.Columns, rows, p.screen)
	return result, err
}
