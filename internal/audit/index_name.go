package audit

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jmoiron/sqlx"
)

// nameKind is what a name is the name of.
type nameKind int

const (
	nameSession nameKind = iota
	nameProject
	nameTool
	namePolicy
	nameRules    // a JSON list
	namePrograms // a JSON list
	nameKinds
)

// nameColumns are the columns whose values are numbers of names.
var nameColumns = map[column]nameKind{colSession: nameSession, colProject: nameProject, colTool: nameTool, colPolicy: namePolicy, colRules: nameRules, colPrograms: namePrograms}

// namesOf reads the names of one kind: the text of each by its number. Number 0
// is "".
func namesOf(ctx context.Context, q sqlx.QueryerContext, kind nameKind) ([]string, error) {
	var list []struct {
		ID   int64
		Text string
	}
	if err := sqlx.SelectContext(ctx, q, &list, `SELECT id, text FROM name WHERE kind = ? ORDER BY id`, int(kind)); err != nil {
		return nil, err
	}
	texts := make([]string, 1, len(list)+1)
	for _, n := range list {
		if n.ID != int64(len(texts)) {
			return nil, fmt.Errorf("%w: name %d is missing", errNoIndex, len(texts))
		}
		texts = append(texts, n.Text)
	}
	return texts, nil
}

// name is the text of a number, "" for one that nothing has.
func name(texts []string, n int64) string {
	if n < 0 || n >= int64(len(texts)) {
		return ""
	}
	return texts[n]
}

// listName is the name of a list of texts.
func listName(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return string(object(list))
}

// lists reads names back into lists.
func lists(texts []string) ([][]string, error) {
	all := make([][]string, len(texts))
	for i, text := range texts {
		if text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(text), &all[i]); err != nil {
			return nil, fmt.Errorf("%w: %w", errNoIndex, err)
		}
	}
	return all, nil
}
