// What lasts as long as a session, and what ends with it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, gatesOf } from "./lib/children.mjs";
import { bash, calls } from "./lib/model.mjs";
import { e2eFile } from "./lib/places.mjs";
import { SESSION, value } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

const touch = calls(bash("touch granted.txt"));

test("a new session drops the approvals of the old one, and so does going back to it", async (t) => {
  const { sandbox, pi } = await scene(t);
  pi.answerBy(() => value(SESSION));
  await pi.play(touch);
  await pi.play(touch);
  assert.equal(pi.dialogs.length, 1);
  const { sessionFile } = await pi.command("get_state");

  await pi.command("new_session");
  await pi.play(touch);
  assert.equal(pi.dialogs.length, 2);

  await pi.command("switch_session", { sessionPath: sessionFile });
  await pi.play(touch);
  assert.equal(pi.dialogs.length, 3);

  const entries = await sandbox.decisions();
  assert.deepEqual(entries.map(({ basis }) => basis), ["user", "grant", "user", "user"]);
  const sessions = entries.map(({ session }) => session);
  assert.equal(sessions[0], sessions[1]);
  assert.notEqual(sessions[1], sessions[2]);
  assert.equal(sessions[3], sessions[0]);
});

test("/reload keeps the gate and drops the approvals", async (t) => {
  const { sandbox, pi } = await scene(t, { args: ["-e", e2eFile("fixtures", "companion.ts")] });
  pi.answerBy(() => value(SESSION));
  await pi.play(touch);

  await pi.type("/companion-reload");
  await pi.play(touch);
  assert.equal(pi.dialogs.length, 2);
  assert.deepEqual(await sandbox.story(), ["bash ask session run user", "bash ask session run user"]);
  assert.equal(gatesOf(pi).length, 1, "one gate runs, not one for each load");
});

test("the gate ends with Pi, also when Pi is killed", async (t) => {
  for (const end of ["close", "kill"]) {
    const { pi } = await scene(t, { allow: ["shell:pwd"] });
    await pi.play(calls(bash("pwd")));
    const [gate] = gatesOf(pi);
    assert.ok(gate, "a gate runs while Pi does");
    await pi[end]();
    await ended(gate);
  }
});

test("the journal tells how each call ended", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:*"], deny: ["shell:mkdir *"] });
  await pi.play(calls(bash("true")), calls(bash("exit 3")), calls(bash("mkdir no")));
  const gates = gatesOf(pi);
  await pi.close();
  for (const gate of gates) await ended(gate);

  const [fine, failed, blocked] = await sandbox.decisions();
  assert.deepEqual([fine.outcome, fine.exit_code], ["ok", 0]);
  assert.deepEqual([failed.outcome, failed.exit_code], ["error", 3]);
  assert.deepEqual([blocked.outcome, blocked.exit_code], ["", null]);
});

test("/allowlist shows the rules, the approvals and the files", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:pwd"], deny: ["shell:rm *"] });
  pi.answerBy(() => value(SESSION));
  await pi.play(touch);

  await pi.type("/allowlist");
  const report = pi.notices.at(-1) ?? "";
  for (const part of ["ENABLED", "shell:pwd", "shell:rm *", "touch granted.txt", sandbox.globalConfig]) {
    assert.ok(report.includes(part), `${part} is missing in:\n${report}`);
  }
});
