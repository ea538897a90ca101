// Pi's own session files against the journal: what ran past the gate is found.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { bash, calls } from "./lib/model.mjs";
import { PIGATE } from "./lib/places.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

/** Runs `pigate audit coverage --json` in the project: its exit code and what it found. */
function coverage(sandbox, ...args) {
  const options = { cwd: sandbox.project, env: { ...process.env, ...sandbox.env }, encoding: "utf8" };
  try {
    return { code: 0, ...JSON.parse(execFileSync(PIGATE, ["audit", "coverage", "--json", ...args], options)) };
  } catch (error) {
    assert.equal(error.status, 3, error.stderr);
    return { code: 3, ...JSON.parse(error.stdout) };
  }
}

const commands = ({ findings }) => findings.map(({ reason, input }) => `${reason}: ${input.command}`);

test("a session that passes the gate has no gap, and one with --no-extensions is one", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:echo *"], deny: ["shell:rmdir *"] });
  await pi.play(calls(bash("echo one"), bash("echo two")), calls(bash("rmdir x")));
  await pi.command("bash", { command: "echo mine" });
  const { sessionFile } = await pi.command("get_state");
  await pi.close();

  const clean = coverage(sandbox);
  assert.equal(clean.code, 0);
  assert.deepEqual([clean.ran, clean.covered, clean.not_run, clean.gaps], [2, 2, 1, 0]);
  assert.deepEqual(commands(clean), ["own-command: echo mine"]);

  // The same session goes on without the gate, and another one begins so.
  const resumed = Rpc.for(t, sandbox, ["--no-extensions", "--session", sessionFile]);
  await resumed.play(calls(bash("echo resumed")));
  await resumed.close();
  const bare = Rpc.for(t, sandbox, ["--no-extensions"]);
  await bare.play(calls(bash("echo bare")), calls(bash("rmdir x")));
  await bare.close();

  const found = coverage(sandbox);
  assert.equal(found.code, 3);
  const gaps = found.findings.filter(({ gap }) => gap);
  assert.deepEqual(commands({ findings: gaps }).sort(), ["gate-not-loaded: echo bare", "gate-not-loaded: echo resumed", "gate-not-loaded: rmdir x"]);
  assert.equal(found.gaps, 3);
  assert.equal(found.covered, 2);
  assert.equal(new Set(gaps.map(({ session }) => session)).size, 2);
  assert.equal(coverage(sandbox, "--until", "yesterday").code, 0);
});
