// What /allowlist tells of the journal, and what the dialog remembers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bash, calls } from "./lib/model.mjs";
import { DENY, ONCE, value } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

const touch = (name) => calls(bash(`touch ${name}`));

/** Types a line, and resolves to the notice that it leads to. */
async function told(pi, line) {
  const before = pi.notices.length;
  await pi.type(line);
  assert.equal(pi.notices.length, before + 1, pi.notices.slice(before).join("\n"));
  return pi.notices.at(-1);
}

test("/allowlist log shows the last decisions, newest last", async (t) => {
  const { pi } = await scene(t, { allow: ["shell:pwd"], deny: ["shell:rm *"] });
  assert.match(await told(pi, "/allowlist log"), /^Nothing was decided/);
  pi.answer(value(ONCE), value(DENY));
  await pi.play(touch("a.txt"), calls(bash("pwd")), touch("b.txt"), calls(bash("rm a.txt")));

  const lines = (await told(pi, "/allowlist log")).split("\n").slice(1, -1);
  assert.equal(lines.length, 4);
  for (const [i, part] of [/ran +you: allowed once +bash: touch a\.txt$/, /ran +shell:pwd +bash: pwd$/, /blocked +you: denied +bash: touch b\.txt$/, /blocked +shell:rm \* +bash: rm a\.txt$/].entries()) {
    assert.match(lines[i], part);
  }
  assert.match(await told(pi, "/allowlist log 1"), /rm a\.txt/);
  assert.doesNotMatch(pi.notices.at(-1), /touch/);
  assert.match(await told(pi, "/allowlist log all"), /usage: \/allowlist/);
});

test("/allowlist why explains the last question or block", async (t) => {
  const { pi } = await scene(t, { allow: ["shell:pwd", "shell:touch a.txt"], deny: ["shell:rm *"] });
  assert.match(await told(pi, "/allowlist why"), /^Nothing was asked or blocked/);
  pi.answer(value(ONCE));
  await pi.play(calls(bash("touch a.txt && touch b.txt")), calls(bash("pwd")));
  const asked = await told(pi, "/allowlist why");
  assert.match(asked, /^bash: touch a\.txt && touch b\.txt\nAsked at .*; allowed once after .*: ran\.\nWhy:\n {2}no rule allows it: touch b\.txt\n/);
  assert.match(asked, /so far: allowed once, just now/);

  await pi.play(calls(bash("pwd; rm a.txt")));
  const blocked = await told(pi, "/allowlist why");
  assert.match(blocked, /^bash: pwd; rm a\.txt\nBlocked at .* by a deny rule\.\nWhy:\n {2}rule "shell:rm \*" \(.*allowlist-gate\.json:\d+\): rm a\.txt\n/);
});

test("the dialog tells what became of the same call before", async (t) => {
  const { pi } = await scene(t);
  pi.answerBy(() => value(ONCE));
  await pi.play(touch("other.txt"));
  const lineOf = async (command) => {
    await pi.play(calls(bash(command)));
    const covers = "for session: this command, any timeout or other field";
    const [, notes] = pi.dialogs.at(-1).title.split(covers);
    return notes.replace(/^( · |\n)/, "");
  };
  assert.equal(await lineOf("touch a.txt"), "writes `a.txt` · no rule allows it");
  // A history that is not there in time is left out: on a busy machine the second run may have to be a later one.
  for (let allowed = 1, line = ""; !line.startsWith("allowed"); allowed++) {
    assert.ok(allowed < 20, "no dialog told the history");
    line = await lineOf("touch a.txt");
    const times = ["", "once,", "twice, last", `${allowed} times, last`][Math.min(allowed, 3)];
    const told = [`allowed ${times} just now · writes \`a.txt\` · no rule allows it`, "writes `a.txt` · no rule allows it"];
    assert.ok(told.includes(line), line);
  }

  pi.answerBy(() => value(DENY));
  await pi.play(touch("no.txt"));
  assert.match(await told(pi, "/allowlist why"), /so far: denied once, just now$/m);
});

/** Makes the agent touch five files, each of which the person allows once. */
async function habit(pi) {
  pi.answerBy(() => value(ONCE));
  await pi.play(...[1, 2, 3, 4, 5].map((n) => touch(`${n}.txt`)));
}

test("/allowlist suggest drafts a rule from what was approved; the one that is chosen is looked at and saved", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:pwd"] });
  assert.match(await told(pi, "/allowlist suggest"), /^No rule can be drafted/);
  await habit(pi);

  const before = pi.dialogs.length;
  pi.answerBy(({ method, options }) => value(method === "select" ? options[0] : "touch ?.txt"));
  const answer = await told(pi, "/allowlist suggest");
  assert.match(answer, /^Saved in .*allowlist-gate\.json:\n {2}shell:touch \?\.txt$/);
  const [list, editor, ...more] = pi.dialogs.slice(before);
  assert.equal(more.length, 0);
  assert.match(list.options[0], /^1\. shell:touch \* · approved 5×/);
  assert.equal(editor.method, "editor");
  assert.equal(editor.prefill, "shell:touch *");
  assert.match(editor.title, /such as:\n {2}touch 1\.txt/);

  assert.deepEqual(sandbox.readJson(sandbox.projectConfig).allow, ["shell:pwd", "shell:touch ?.txt"]);
  const kinds = (await sandbox.journal()).filter(({ kind }) => kind === "draft" || kind === "rules_saved");
  assert.deepEqual(kinds.map(({ kind }) => kind), ["draft", "rules_saved"]);
  const { rule, saved, accepted } = kinds[0].detail;
  assert.deepEqual({ rule, saved, accepted }, { rule: "shell:touch *", saved: "shell:touch ?.txt", accepted: true });

  await pi.play(touch("6.txt"));
  assert.equal(pi.dialogs.length, before + 2, "the rule holds at once");
});

test("a draft that is rejected stays away, and closing the list saves nothing", async (t) => {
  const { sandbox, pi } = await scene(t);
  await habit(pi);
  pi.answer(value("Close"));
  assert.equal(await told(pi, "/allowlist suggest"), "Nothing was saved.");

  pi.answerBy(({ options }) => value(options.find((option) => option.startsWith("Reject")) ?? options[0]));
  assert.match(await told(pi, "/allowlist suggest"), /^Rejected: shell:touch \*\n/);
  assert.equal(sandbox.read(sandbox.projectConfig), undefined);
  assert.doesNotMatch(await told(pi, "/allowlist suggest"), /shell:touch \*/);
  assert.equal((await sandbox.journal()).filter(({ kind, detail }) => kind === "draft" && !detail.accepted).length, 1);
});

test("without an interface the reports are printed, and drafts are listed", async (t) => {
  const { sandbox, pi } = await scene(t);
  await habit(pi);
  await pi.close();

  const printed = async (line) => {
    // In this mode Pi keeps its standard output for the model's last word.
    const { code, stderr } = await sandbox.pi(["-p", line]);
    assert.equal(code, 0, stderr);
    return stderr;
  };
  assert.match(await printed("/allowlist log 2"), /^The last 2 decisions[^]*touch 4\.txt\n[^]*touch 5\.txt\n/);
  assert.match(await printed("/allowlist why"), /^Nothing was asked or blocked in this session yet\.\n$/);
  assert.match(await printed("/allowlist suggest"), /^Drafted rules; [^]*\nshell:touch \*\n {2}approved 5×/);
  assert.equal(sandbox.read(sandbox.projectConfig), undefined);
});

const offers = (pi) => pi.notices.filter((notice) => notice.includes("/allowlist suggest looks for"));

test("after ten questions of one shape in a project, over two sessions, /allowlist suggest is offered once", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answerBy(() => value(ONCE));
  const more = (from, to) => Array.from({ length: to - from }, (_, i) => touch(`${from + i}.txt`));
  await pi.play(...more(0, 9));
  assert.equal(offers(pi).length, 0);

  await pi.command("new_session");
  // The journal is counted in the background: the tenth question may be early.
  for (let n = 9; offers(pi).length === 0; n++) {
    assert.ok(n < 60, "no offer was made");
    await pi.play(touch(`${n}.txt`));
  }
  assert.match(offers(pi)[0], /^pigate: you were asked \d\d times in this project about calls like "touch"; /);

  await pi.play(...more(60, 72));
  await pi.command("new_session");
  await pi.play(...more(80, 92));
  assert.equal(offers(pi).length, 1);
  await pi.close();
  const warnings = (await sandbox.journal()).filter(({ kind }) => kind === "warning");
  assert.equal(warnings.length, 1);
  assert.match(warnings[0].detail.text, /\/allowlist suggest/);
});
