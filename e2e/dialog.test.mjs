// Each answer a person can give in the gate's dialog.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { bash, call, calls, say } from "./lib/model.mjs";
import { DENY, DENY_ALL, DENY_WHY, DISMISS, ONCE, Rpc, SAVE, SESSION, WAIT, WHOLE, value } from "./lib/rpc.mjs";
import { e2eFile } from "./lib/places.mjs";
import { Sandbox } from "./lib/sandbox.mjs";
import { scene } from "./lib/scene.mjs";

const touch = (name) => bash(`touch ${name}`);

test("Allow once runs the call, and the same call asks again", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answer(value(ONCE), value(DENY));

  const [first] = await pi.play(calls(touch("one.txt")));
  assert.equal(first.isError, false);
  assert.equal(sandbox.read("one.txt"), "");
  assert.deepEqual(pi.dialogs[0].options, [ONCE, SESSION, SAVE, DENY, DENY_WHY]);
  assert.match(pi.dialogs[0].title, /touch one\.txt/);

  const [second] = await pi.play(calls(touch("one.txt")));
  assert.equal(second.isError, true);
  assert.equal(pi.dialogs.length, 2);
  assert.deepEqual(await sandbox.story(), ["bash ask once run user", "bash ask deny block user"]);
});

test("Allow for session runs the same call from then on, and no other", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answer(value(SESSION), value(DENY));

  const results = await pi.play(calls(bash("rm -f a.txt && touch a.txt")), calls(bash("rm -f a.txt && touch a.txt")), calls(touch("b.txt")));
  assert.deepEqual(results.map(({ isError }) => isError), [false, false, true]);
  assert.equal(pi.dialogs.length, 2);
  assert.equal(sandbox.read("b.txt"), undefined);
  assert.deepEqual(await sandbox.story(), ["bash ask session run user", "bash ask - run grant", "bash ask deny block user"]);
});

/** The approvals that /allowlist lists. */
async function approvals(pi) {
  await pi.type("/allowlist");
  const lines = pi.notices.at(-1).split("\n");
  const first = lines.findIndex((line) => line.startsWith("Session approvals: "));
  const count = Number(lines[first].split(": ")[1]);
  return lines.slice(first + 1, first + 1 + count).map((line) => line.trim());
}

const remove = (id) => call("mcp__toy_records__delete_record", { id });
const write = (content) => call("write", { path: "a.txt", content });

test("what an approval for the session covers is said, in the dialog and by /allowlist", async (t) => {
  const { sandbox, pi } = await scene(t, { mcp: true });
  pi.answer(value(SESSION), value(SESSION), value(SESSION));

  const results = await pi.play(calls(remove("7")), calls(remove("8")), calls(write("one")), calls(write("two")),
    calls(bash("touch b.txt")), calls(bash("touch b.txt", { timeout: 9 })));
  assert.deepEqual(results.map(({ isError }) => isError), [false, false, false, false, false, false]);
  assert.deepEqual(pi.dialogs.map(({ title }) => title.split("\n")[1].split(" · ")[0]), [
    "for session: this tool, any arguments",
    "for session: this file, any content",
    "for session: this command, any timeout or other field",
  ]);
  for (const { options } of pi.dialogs) assert.ok(options.includes("Allow for session"));
  assert.equal(sandbox.read("../deleted-8"), "");
  assert.equal(sandbox.read("a.txt"), "two");
  assert.deepEqual(await approvals(pi), [
    "this tool, any arguments: mcp__toy_records__delete_record toy_records:delete_record",
    "this file, any content: write a.txt",
    "this command, any timeout or other field: bash touch b.txt",
  ]);
  for (const { answer, basis, detail } of await sandbox.decisions()) {
    if (answer === "session" || basis === "grant") assert.equal(detail.covers, "target");
  }
});

test("with exact session approvals the same tool with other input asks", async (t) => {
  const { sandbox, pi } = await scene(t, { mcp: true, config: { sessionApprovals: "exact" } });
  pi.answer(value(SESSION), value(DENY), value(SESSION), value(DENY));

  const results = await pi.play(calls(remove("7")), calls(remove("7")), calls(remove("8")), calls(write("one")), calls(write("one")), calls(write("two")));
  assert.deepEqual(results.map(({ isError }) => isError), [false, false, true, false, false, true]);
  for (const { title } of pi.dialogs) assert.match(title.split("\n")[1], /^for session: exactly this input( · |$)/);
  assert.equal(sandbox.read("../deleted-8"), undefined);
  assert.equal(sandbox.read("a.txt"), "one");
  assert.deepEqual(await approvals(pi), [
    'exactly this input: mcp__toy_records__delete_record toy_records:delete_record {"id":"7"}',
    "exactly this input: write a.txt (3 bytes)",
  ]);
  assert.deepEqual((await sandbox.story()).map((line) => line.replace(/^\S+ /, "")), [
    "ask session run user", "ask - run grant", "ask deny block user",
    "ask session run user", "ask - run grant", "ask deny block user",
  ]);
});

test("Allow & save rule writes what the editor returns, and the rule holds at once", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:pwd"], deny: ["shell:rm *"] });
  const before = sandbox.read(sandbox.globalConfig);
  pi.answer(value(SAVE), value("touch *\n"));

  const results = await pi.play(calls(touch("saved.txt")), calls(touch("next.txt")));
  assert.deepEqual(results.map(({ isError }) => isError), [false, false]);
  assert.equal(pi.dialogs.length, 2);
  assert.deepEqual([pi.dialogs[1].method, pi.dialogs[1].prefill.trim()], ["editor", "shell:touch saved.txt\n# shell:touch *"]);
  assert.match(pi.notices.join("\n"), /saved in .*allowlist-gate\.json:\n {2}shell:touch \*/);
  assert.equal(sandbox.read("next.txt"), "");

  const saved = sandbox.readJson(sandbox.projectConfig);
  assert.deepEqual(saved.allow, ["shell:pwd", "shell:touch *"]);
  assert.deepEqual(saved.deny, ["shell:rm *"]);
  assert.equal(sandbox.read(sandbox.globalConfig), before);
  assert.deepEqual(await sandbox.story(), ["bash ask save run user", "bash allow - run rule"]);
});

test("a compound command is proposed as one rule for each part; Escape in the editor goes back to the question", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answer(value(SAVE), DISMISS, value(DENY));

  const [result] = await pi.play(calls(bash("touch x.txt && mkdir 'a b'")));
  assert.equal(result.isError, true);
  const [first, editor, again] = pi.dialogs;
  assert.deepEqual(editor.prefill.trim().split("\n").filter((line) => !line.startsWith("#")), ["shell:touch x.txt", "shell:mkdir 'a b'"]);
  assert.deepEqual([again.method, again.title, again.options], [first.method, first.title, first.options]);
  assert.equal(sandbox.read("x.txt"), undefined);
  assert.equal(sandbox.read(sandbox.projectConfig), undefined);
  const [told] = await sandbox.decisions();
  assert.equal(told.decision, "block");
});

test("the save editor holds wider rules as comments, as docs/tour.md shows", async (t) => {
  const { pi } = await scene(t);
  pi.answer(value(SAVE), DISMISS, value(DENY));
  await pi.play(calls(bash("git push origin main")));
  const tour = fs.readFileSync(new URL("../docs/tour.md", import.meta.url), "utf8");
  assert.ok(tour.includes(`\`\`\`text\n${pi.dialogs[1].prefill}\n\`\`\`\n`), pi.dialogs[1].prefill);
});

test("other extensions hear of the question and of the decision on Pi's bus", async (t) => {
  const sandbox = await Sandbox.for(t, { allow: ["shell:true"] });
  const log = path.join(sandbox.root, "companion.jsonl");
  const pi = Rpc.for(t, sandbox, ["-e", e2eFile("fixtures", "companion.ts")], { COMPANION_LOG: log });
  pi.answer(value(ONCE));
  await pi.play(calls(bash("true")), calls(touch("a.txt")));
  const told = fs.readFileSync(log, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line)).filter(({ event }) => event.startsWith("permissions:"));
  assert.deepEqual(told.map(({ event, data }) => [event, data.surface, data.value, data.result, data.resolution]), [
    ["permissions:decision", "bash", "true", "allow", "policy_allow"],
    ["permissions:ui_prompt", "bash", "touch a.txt", undefined, undefined],
    ["permissions:decision", "bash", "touch a.txt", "allow", "user_approved"],
  ]);
  assert.equal(told[1].data.requestId, told[2].data.requestId);
});

test("an unreadable project file is never overwritten: the call runs once, and the person is told", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: [], trusted: true });
  sandbox.write(sandbox.projectConfig, "{ not json");
  pi.answer(value(SAVE), value("shell:touch *"));

  const [result] = await pi.play(calls(touch("once.txt")));
  assert.equal(result.isError, false);
  assert.equal(sandbox.read("once.txt"), "");
  assert.equal(sandbox.read(sandbox.projectConfig), "{ not json");
  assert.ok(pi.records.some((record) => record.method === "notify" && record.notifyType === "error"), pi.notices.join("\n"));
});

test("Deny blocks, and the model learns that the person refused", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answer(value(DENY));

  const [result] = await pi.play(calls(touch("no.txt")));
  assert.equal(result.isError, true);
  assert.match(result.text, /pigate/);
  assert.match(result.text, /den(y|ied)/i);
  assert.equal(sandbox.read("no.txt"), undefined);
  assert.deepEqual(await sandbox.story(), ["bash ask deny block user"]);
});

test("a dismissed dialog counts as a refusal", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answer(DISMISS);

  const [result] = await pi.play(calls(touch("no.txt")));
  assert.equal(result.isError, true);
  assert.equal(sandbox.read("no.txt"), undefined);
  assert.deepEqual(await sandbox.story(), ["bash ask dismissed block user"]);
});

test("an answer that was never offered does not allow", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answer(value("allow once"), value("Allow everything"), value(""));

  const results = await pi.play(calls(touch("a.txt")), calls(touch("b.txt")), calls(touch("c.txt")));
  assert.deepEqual(results.map(({ isError }) => isError), [true, true, true]);
  for (const name of ["a.txt", "b.txt", "c.txt"]) assert.equal(sandbox.read(name), undefined);
  for (const entry of await sandbox.decisions()) assert.equal(entry.decision, "block");
});

test("Deny, and say why tells the model what the person wrote", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answer(value(DENY_WHY), value("use pnpm"));

  const [denied] = await pi.play(calls(touch("one.txt")));
  assert.equal(denied.isError, true);
  assert.match(denied.text, /the user denied this call, who says: use pnpm/);
  assert.equal(sandbox.read("one.txt"), undefined);
});

test("saving is not offered where a rule could not change the outcome", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answer(value(ONCE));

  await pi.play(calls(bash("echo written > out.txt")));
  assert.deepEqual(pi.dialogs[0].options, [ONCE, SESSION, DENY, DENY_WHY]);
  assert.match(pi.dialogs[0].title, /(?:\n| · )writes `out\.txt`(?:\n| · )no rule to save is offered: it would ask all the same$/);
  assert.equal(sandbox.read("out.txt"), "written\n");
  const [{ reasons }] = await sandbox.decisions();
  assert.match(JSON.stringify(reasons), /redirection/);
});

test("a long command keeps the dialog short, with its end in sight", async (t) => {
  const { pi } = await scene(t);
  const lines = Array.from({ length: 60 }, (_, i) => `touch file-${i}.txt`);
  await pi.play(calls(bash(lines.join("\n"))));

  const [{ title }] = pi.dialogs;
  assert.ok(title.split("\n").length <= 12, title);
  assert.match(title, /touch file-0\.txt/);
  assert.match(title, /\n… \d+ more pieces need approval; the whole call has 60 lines$/);
});

test("Show the whole call opens all of it, and comes back to the question", async (t) => {
  const { sandbox, pi } = await scene(t);
  const command = [...Array.from({ length: 40 }, (_, i) => `true ${i}`), "touch made.txt"].join("\n");
  pi.answer(value(WHOLE), value("true"), value(ONCE));

  const [result] = await pi.play(calls(bash(command)));
  assert.equal(result.isError, false);
  assert.deepEqual(pi.dialogs.map(({ method }) => method), ["select", "editor", "select"]);
  assert.equal(pi.dialogs[0].options.at(-1), WHOLE);
  assert.equal(pi.dialogs[1].prefill, command);
  assert.equal(sandbox.read("made.txt"), "", "what was changed in the editor counts for nothing");
});

test("an edit shows what it changes, and an MCP tool its name once", async (t) => {
  const { sandbox, pi } = await scene(t, { mcp: true });
  sandbox.write("a.txt", "same\nold\n");
  pi.answer(value(ONCE), value(DENY));
  const edit = call("edit", { path: "a.txt", edits: [{ oldText: "same\nold", newText: "same\nnew" }] });
  await pi.play(calls(edit), calls(remove("7")));
  assert.match(pi.dialogs[0].title, /^edit: a\.txt \(1 replacement\)\nfor session: this file, any edits · no rule allows it\n  - old\n  \+ new$/);
  assert.match(pi.dialogs[1].title, /^mcp__toy_records__delete_record: \{"id":"7"\}\nfor session: this tool, any arguments · no rule allows it$/);
  assert.equal(sandbox.read("a.txt"), "same\nnew\n");
});

test("calls of a script that wait are counted, and can be denied together", async (t) => {
  const { sandbox, pi } = await scene(t, { config: { allow: ["codemode"] }, args: ["--tools", "+codemode"] });
  let asked = 0;
  pi.answerBy(() => (asked++ === 0 ? value(ONCE) : value(DENY_ALL)));
  const code = `await Promise.allSettled([1, 2, 3, 4].map((n) => tools.bash({ command: "touch " + n + ".txt" })));`;
  await pi.play(calls(call("codemode", { code })));
  const titles = pi.dialogs.map(({ title }) => title.split("\n")[0]);
  assert.equal(titles.length, 2, titles.join("\n"));
  assert.match(titles[1], /^bash \(from a script\) \(2 of 4\): touch/);
  assert.ok(pi.dialogs[1].options.includes(DENY_ALL));
  assert.equal([1, 2, 3, 4].filter((n) => sandbox.read(`${n}.txt`) !== undefined).length, 1);
  const story = (await sandbox.story()).filter((line) => line.startsWith("bash "));
  assert.deepEqual(story.sort(), ["bash ask deny block user", "bash ask deny block user", "bash ask deny block user", "bash ask once run user"]);
});

test("the same call three times at once opens one dialog when it is allowed for the session", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answer(value(SESSION));

  const same = touch("same.txt");
  const results = await pi.play(calls(same, same, same));
  assert.deepEqual(results.map(({ isError }) => isError), [false, false, false]);
  assert.equal(pi.dialogs.length, 1);
  assert.deepEqual(await sandbox.story(), ["bash ask session run user", "bash ask - run grant", "bash ask - run grant"]);
});

test("a rule saved for one call holds for those that wait behind it", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answer(value(SAVE), value("shell:touch *"));

  const results = await pi.play(calls(touch("first.txt"), touch("second.txt")));
  assert.deepEqual(results.map(({ isError }) => isError), [false, false]);
  assert.deepEqual(pi.dialogs.map(({ method }) => method), ["select", "editor"]);
  assert.equal(sandbox.read("second.txt"), "");
});

test("an abort closes the dialog and blocks the call; a late answer changes nothing", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answerBy(() => WAIT);

  const run = await pi.begin([calls(touch("no.txt"), touch("neither.txt"))]);
  const dialog = await pi.dialog();
  await pi.command("abort");
  await run.settled;
  pi.reply(dialog, value(ONCE));

  pi.answerBy(() => value(ONCE));
  const [after] = await pi.play(calls(touch("after.txt")), say("Done."));
  assert.equal(after.isError, false);
  assert.equal(sandbox.read("no.txt"), undefined);
  assert.equal(sandbox.read("neither.txt"), undefined);
  const story = await sandbox.story();
  assert.equal(story[0], "bash ask aborted block user");
  assert.equal(story.at(-1), "bash ask once run user");
});
