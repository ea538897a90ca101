// When the gate is missing, dies, or talks nonsense, the call is blocked and the next one gets a fresh gate.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { gatesOf, slay } from "./lib/children.mjs";
import { bash, calls } from "./lib/model.mjs";
import { PIGATE, WINDOWS, e2eFile } from "./lib/places.mjs";
import { ONCE, Rpc, SESSION, WAIT, value } from "./lib/rpc.mjs";
import { Sandbox } from "./lib/sandbox.mjs";
import { scene } from "./lib/scene.mjs";
import { until } from "./lib/wait.mjs";

const touch = (name) => calls(bash(`touch ${name}`));
const unixOnly = WINDOWS && "Windows starts no script as a program";

test("a gate killed between two calls is replaced, and the old one's approvals are gone", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answerBy(() => value(SESSION));
  await pi.play(touch("a.txt"));
  const [first] = gatesOf(pi);
  await slay(first);

  const [result] = await pi.play(touch("a.txt"));
  assert.equal(result.isError, false);
  assert.equal(pi.dialogs.length, 2);
  const [second] = gatesOf(pi);
  assert.notEqual(second, first);
  assert.deepEqual(await sandbox.story(), ["bash ask session run user", "bash ask session run user"]);
});

test("a gate killed while its dialog is open blocks the call; the next call works", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answerBy(() => WAIT);
  const run = await pi.begin([touch("no.txt")]);
  const dialog = await pi.dialog();
  await slay(gatesOf(pi)[0]);

  const [blocked] = await run.settled;
  assert.equal(blocked.isError, true);
  assert.match(blocked.text, /pigate/);
  pi.reply(dialog, value(ONCE));

  pi.answerBy(() => value(ONCE));
  const [result] = await pi.play(touch("yes.txt"));
  assert.equal(result.isError, false);
  assert.equal(sandbox.read("yes.txt"), "");
  assert.equal(sandbox.read("no.txt"), undefined);
});

test("a gate killed while an approved command runs does not stop it; the next call works", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:*"] });
  sandbox.write("slow.sh", "touch started.txt\nuntil test -e go-on.txt; do sleep 0.05; done\n");
  const run = await pi.begin([calls(bash("sh slow.sh")), calls(bash("pwd"))]);
  await until("the command's start", () => sandbox.read("started.txt") !== undefined);
  await slay(gatesOf(pi)[0]);
  sandbox.write("go-on.txt", "");

  const results = await run.settled;
  assert.deepEqual(results.map(({ isError }) => isError), [false, false]);
  assert.deepEqual(await sandbox.story(), ["bash allow - run rule", "bash allow - run rule"]);
});

test("without the gate's program every call is blocked, and the reason says what to do", async (t) => {
  const sandbox = await Sandbox.for(t, { path: [] });
  fs.rmSync(path.join(sandbox.agent, "pigate", "extension", path.basename(PIGATE)));
  const pi = Rpc.for(t, sandbox);

  const [first, second] = await pi.play(touch("no.txt"), calls(bash("pwd")));
  for (const { isError, text } of [first, second]) {
    assert.equal(isError, true);
    assert.match(text, /pigate/);
    assert.match(text, /PATH|PIGATE_BIN|install/);
  }
  assert.equal(sandbox.read("no.txt"), undefined);
});

test("a gate that talks nonsense blocks", { skip: unixOnly }, async (t) => {
  const { sandbox, pi } = await scene(t, { env: { PIGATE_BIN: e2eFile("fixtures", "babbling-gate.mjs") } });

  const [result] = await pi.play(touch("no.txt"));
  assert.equal(result.isError, true);
  assert.match(result.text, /pigate/);
  assert.equal(sandbox.read("no.txt"), undefined);
});

test("a gate that never answers does not hold up an abort", { skip: unixOnly }, async (t) => {
  const { sandbox, pi } = await scene(t, { env: { PIGATE_BIN: e2eFile("fixtures", "silent-gate.mjs") } });

  const run = await pi.begin([touch("no.txt")]);
  await pi.next("the call's start", (record) => record.type === "tool_execution_start");
  await pi.command("abort");
  await run.settled;
  assert.equal(sandbox.read("no.txt"), undefined);
});

test("what cannot be journaled does not run", async (t) => {
  const sandbox = await Sandbox.for(t, { allow: ["shell:touch *"] });
  sandbox.write("a-file", "");
  sandbox.env.PIGATE_JOURNAL = path.join(sandbox.project, "a-file", "journal.db");

  const { stdout } = await sandbox.pi(["--mode", "json", sandbox.model.script([touch("no.txt")])]);
  assert.equal(sandbox.read("no.txt"), undefined);
  assert.match(sandbox.model.resultsSince(0)[0].text, /journal/, stdout);
});
