package gate

import (
	"fmt"
	"strings"

	"github.com/pigate/pigate/internal/gate/dialog"
	"github.com/pigate/pigate/internal/gate/policy"
)

// maxOpenings bounds how often one question comes back, so that a program that
// answers in a person's place cannot keep it open for ever.
const maxOpenings = 100

// question opens the dialog, and opens it again after what only looks, and takes
// the answer.
func (d *pendingCall) question(prompt Prompt) {
	for range maxOpenings {
		if done := d.asked(prompt); done {
			return
		}
	}
	d.answer = AnswerDismissed
}

// asked opens the dialog once. It reports whether the question is settled.
func (d *pendingCall) asked(prompt Prompt) (done bool) {
	choice, err := d.sel(prompt)
	if err != nil {
		d.unreachable(err)
		return true
	}
	d.action, d.basis = policy.Block, policy.BasisUser
	if choice.Aborted || d.ctx.Err() != nil {
		d.aborted()
		return true
	}
	switch offered := prompt.offers(choice.Text); {
	case choice.Text == OptionOnce:
		d.action, d.answer = policy.Run, AnswerOnce
	case choice.Text == OptionSession && !d.verdict.Beyond:
		d.action, d.answer, d.covers = policy.Run, AnswerSession, d.policy.Coverage(d.call)
	case choice.Text == OptionSubAgents && offered && !d.verdict.Beyond:
		d.action, d.answer, d.covers, d.subAgents = policy.Run, AnswerSession, d.policy.Coverage(d.call), true
	case choice.Text == OptionSave && offered:
		return d.editRules(prompt)
	case choice.Text == OptionDeny:
		d.answer = AnswerDeny
	case choice.Text == OptionDenyWhy:
		d.editWhy()
	case choice.Text == OptionDenyAll && offered:
		d.answer = AnswerDeny
		d.guard.waiting.denyAll()
	case choice.Text == OptionWhole && offered:
		return d.showWhole()
	default: // dismissed, or a text that was never offered
		d.answer = AnswerDismissed
	}
	return true
}

// approves reports that an option lets the call run, or leads there.
func approves(option string) bool {
	return option == OptionOnce || option == OptionSession || option == OptionSave || option == OptionSubAgents
}

func (d *pendingCall) sel(prompt Prompt) (choice Choice, err error) {
	for range reopenings + 1 {
		opened := d.guard.Now()
		choice, err = d.guard.Asker.Select(d.ctx, d.call.Request.Call, prompt.Title, prompt.Options)
		if err != nil || !approves(choice.Text) || d.call.Request.Mode != "tui" || !tooSoon(d.guard.Now().Sub(opened), choice.Keys) {
			return choice, err
		}
		prompt = prompt.again()
	}
	return Choice{}, nil
}

// showWhole opens the whole call for reading; what is changed there does nothing.
// It reports whether the question is settled.
func (d *pendingCall) showWhole() (done bool) {
	const title = "The whole call, to read. What is changed here does nothing; leave it to go back."
	left, _, err := d.guard.Asker.Edit(d.ctx, d.call.Request.Call, title, dialog.Whole(d.call))
	return d.left(left, err)
}

// left settles the question when an editor was left because the call ended or
// nobody can be asked any more, and reports whether it did.
func (d *pendingCall) left(c Choice, err error) (done bool) {
	switch {
	case err != nil:
		d.unreachable(err)
	case c.Aborted || d.ctx.Err() != nil:
		d.aborted()
	default:
		return false
	}
	return true
}

// editRules lets the person edit the proposed rules. An empty editor blocks; one
// that is left by Escape goes back to the question. It reports whether the
// question is settled.
func (d *pendingCall) editRules(prompt Prompt) (done bool) {
	text, ok, err := d.guard.Asker.Edit(d.ctx, d.call.Request.Call,
		"Rules to save for this project, one a line (empty: cancel and block)", d.prefilled(prompt.Proposals))
	switch done = d.left(text, err); {
	case done:
		return true
	case !ok:
		return false
	}
	if d.rules = NormaliseRules(text.Text, d.call); len(d.rules) == 0 {
		d.answer = AnswerDismissed
		return true
	}
	d.action, d.answer = policy.Run, AnswerSave
	return true
}

// editWhy lets the person write why the call is denied. It is denied however the
// editor is left.
func (d *pendingCall) editWhy() {
	why, ok, err := d.guard.Asker.Edit(d.ctx, d.call.Request.Call, "Why, for the model (empty: deny without a reason)", "")
	switch {
	case why.Aborted || d.ctx.Err() != nil:
		d.aborted()
		return
	case err == nil && ok:
		d.said = strings.TrimSpace(why.Text)
	}
	d.answer = AnswerDeny
}

// unreachable blocks because the question got no answer at all.
func (d *pendingCall) unreachable(err error) {
	if d.ctx.Err() != nil {
		d.aborted()
		return
	}
	d.action, d.basis, d.note = policy.Block, policy.BasisError, fmt.Sprintf("ask: %v", err)
}
