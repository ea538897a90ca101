// Whose word makes the rules count that a project brings along.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { bash, call, calls } from "./lib/model.mjs";
import { WINDOWS } from "./lib/places.mjs";
import { DENY, DENY_WHY, DISMISS, ONCE, Rpc, SAVE, SESSION, value } from "./lib/rpc.mjs";
import { Sandbox } from "./lib/sandbox.mjs";
import { scene } from "./lib/scene.mjs";
import { Terminal } from "./lib/tui.mjs";
import { until } from "./lib/wait.mjs";

const UNASKED =
  "pigate: .pi/allowlist-gate.json: only its deny and ask rules count, because nobody was asked whether this project is trusted; " +
  'use /trust in Pi, or "projectTrust": "pi" in the global file';

/** A cloned repository that holds nothing Pi asks about, and would allow itself everything. */
const GREEDY = { allow: ["shell", "edit"], deny: ["shell:mkdir *"], enabled: false, redirections: "precise" };

const trust = (sandbox) => sandbox.writeJson(path.join(sandbox.agent, "trust.json"), { [sandbox.project]: true });

test("a project that nobody was asked about cannot allow itself anything; its deny rules count", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:pwd"], deny: ["shell:rmdir *"], project: GREEDY });
  pi.answer(value(DENY));

  const [asked, allowed, denied, deniedToo] = await pi.play(
    calls(bash("touch no.txt")),
    calls(bash("pwd")),
    calls(bash("mkdir made")),
    calls(bash("rmdir made")),
  );
  assert.equal(sandbox.read("no.txt"), undefined);
  assert.deepEqual([asked, allowed, denied, deniedToo].map(({ isError }) => isError), [true, false, true, true]);
  assert.deepEqual(pi.dialogs.map(({ options }) => options), [[ONCE, SESSION, DENY, DENY_WHY]], "a rule that would not count cannot be saved");
  assert.deepEqual(pi.notices, [UNASKED]);
  assert.match(denied.text, /shell:mkdir \*/);
  assert.match(deniedToo.text, /shell:rmdir \*/);
  assert.deepEqual(await sandbox.story(), [
    "bash ask deny block user",
    "bash allow - run rule",
    "bash deny - block rule",
    "bash deny - block rule",
  ]);

  await pi.type("/allowlist");
  const report = pi.notices.at(-1);
  assert.match(report, /^Project trust: Trusted by Pi, but nobody was asked: only deny and ask rules of \.pi\/allowlist-gate\.json count$/m);
  assert.match(report, /^Allow rules: 1\n {2}shell:pwd /m);
});

test("the person's decision in Pi counts at the next call", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: [], project: { allow: ["shell:touch *"] } });
  pi.answer(value(DENY));
  await pi.play(calls(bash("touch early.txt")));
  trust(sandbox);

  await pi.play(calls(bash("touch later.txt")));
  assert.equal(sandbox.read("early.txt"), undefined);
  assert.equal(sandbox.read("later.txt"), "");
  assert.deepEqual(await sandbox.story(), ["bash ask deny block user", "bash allow - run rule"]);
  assert.equal(pi.notices.length, 1);
});

test("/trust in the terminal does what the warning says", { skip: WINDOWS && "there is no tmux for Windows" }, async (t) => {
  const sandbox = await Sandbox.for(t, { allow: [], project: { allow: ["shell:touch *"] } });
  const terminal = Terminal.for(t, sandbox);
  await terminal.shows(/scripted/);
  await terminal.enter(sandbox.model.script([calls(bash("touch early.txt"))]));
  await terminal.shows(/Allow once/);
  await terminal.shows(/nobody was asked\s+whether this\s+project is trusted; use \/trust in Pi/);
  terminal.press("Escape");
  await terminal.shows(/did not approve/);

  await terminal.enter("/trust");
  await terminal.shows(/Trust parent folder/);
  terminal.press("Enter"); // "Trust" is what the cursor is on
  await terminal.shows(/Saved trust decision: trusted/);
  assert.deepEqual(sandbox.readJson(path.join(sandbox.agent, "trust.json")), { [sandbox.project]: true });

  await terminal.enter(sandbox.model.script([calls(bash("touch later.txt"))]));
  await terminal.shows(/touch later\.txt/);
  await until("the file", () => sandbox.read("later.txt") !== undefined);
  assert.equal(sandbox.read("early.txt"), undefined);
});

test("what the agent writes in mid-session is no decision of the person's", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["edit"], project: { allow: ["shell"] } });
  const results = await pi.play(
    calls(call("write", { path: ".agents/skills/mine/SKILL.md", content: "Pi would have asked about this" })),
    calls(bash("touch no.txt")),
  );
  assert.deepEqual(results.map(({ isError }) => isError), [false, true]);
  assert.equal(sandbox.read("no.txt"), undefined);
  assert.equal(pi.dialogs.length, 1);
});

test("a file that saving made counts in the next session, and for the next rule", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: [] });
  pi.answer(value(SAVE), value("shell:touch *"));
  await pi.play(calls(bash("touch first.txt")));
  assert.deepEqual(sandbox.readJson(sandbox.projectConfig), { allow: ["shell:touch *"] });
  await pi.close();

  const next = Rpc.for(t, sandbox);
  next.answer(value(SAVE), value("shell:mkdir *"));
  await next.play(calls(bash("touch second.txt")), calls(bash("mkdir made")), calls(bash("mkdir more")));
  assert.equal(sandbox.read("second.txt"), "");
  assert.deepEqual(sandbox.readJson(sandbox.projectConfig), { allow: ["shell:touch *", "shell:mkdir *"] });
  assert.deepEqual(await sandbox.story(), [
    "bash ask save run user",
    "bash allow - run rule",
    "bash ask save run user",
    "bash allow - run rule",
  ]);
  assert.deepEqual([...pi.notices, ...next.notices].filter((notice) => !notice.startsWith("pigate: saved in ")), []);
});

test("with pi -a it counts for this run, and only for this one", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: [], project: { allow: ["shell:touch *"] }, args: ["-a"] });
  await pi.play(calls(bash("touch approved.txt")));
  assert.equal(sandbox.read("approved.txt"), "");
  await pi.type("/allowlist");
  assert.match(pi.notices.at(-1), /^Project trust: Trusted$/m);
  await pi.close();

  const next = Rpc.for(t, sandbox);
  await next.answerBy(() => DISMISS).play(calls(bash("touch not-approved.txt")));
  assert.equal(sandbox.read("not-approved.txt"), undefined);
  assert.deepEqual(next.notices, [UNASKED]);
});

test("in print mode it counts with -a, and allows nothing without", async (t) => {
  const sandbox = await Sandbox.for(t, { allow: [], project: { allow: ["shell:touch *"] } });
  const without = await sandbox.pi(["-p", sandbox.model.script([calls(bash("touch no.txt"))])]);
  assert.equal(sandbox.read("no.txt"), undefined, without.stderr);
  assert.ok(without.stderr.includes(UNASKED), without.stderr);
  const approved = await sandbox.pi(["-p", "-a", sandbox.model.script([calls(bash("touch yes.txt"))])]);
  assert.equal(sandbox.read("yes.txt"), "", approved.stderr);
  assert.deepEqual(await sandbox.story(), ["bash ask no-ui block no-ui", "bash allow - run rule"]);
});

test('with "projectTrust": "pi" Pi\'s word is enough', async (t) => {
  const { sandbox, pi } = await scene(t, { config: { projectTrust: "pi" }, project: { allow: ["shell:touch *"] } });
  await pi.play(calls(bash("touch yes.txt")));
  assert.equal(sandbox.read("yes.txt"), "");
  assert.deepEqual([pi.dialogs, pi.notices], [[], []]);
});
