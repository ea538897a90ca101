// Pi's own session files become entries, but for the calls that the gate decided.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { bash, call, calls } from "./lib/model.mjs";
import { PIGATE } from "./lib/places.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

function pigate(sandbox, ...args) {
  return execFileSync(PIGATE, args, { cwd: sandbox.project, env: { ...process.env, ...sandbox.env }, encoding: "utf8" });
}

const imported = (sandbox) =>
  pigate(sandbox, "audit", "list", "--kind", "import", "--json")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ tool, input, outcome, detail }) => `${tool} ${input.command ?? input.path ?? ""} ${outcome || detail.result || "untold"}`.replace("  ", " "));

test("what the gate decided is there already, what ran without it is imported once", async (t) => {
  const args = ["--tools", "+codemode"];
  const { sandbox, pi } = await scene(t, { args, allow: ["shell:echo *"], deny: ["shell:rmdir *"] });
  await pi.play(calls(bash("echo one"), bash("rmdir x")));
  await pi.play(calls(call("codemode", { code: 'await tools.bash({ command: "echo nested" });' })));
  await pi.command("bash", { command: "echo mine" });
  const { sessionFile } = await pi.command("get_state");
  await pi.close();

  const before = JSON.parse(pigate(sandbox, "import", "--json"));
  assert.deepEqual([before.calls, before.decided, before.added, before.own_commands, before.broken_lines], [4, 4, 0, 1, 0]);
  assert.deepEqual([before.ok, before.refused], [3, 1]);

  // A fork repeats all that, and goes on without the gate.
  const fork = Rpc.for(t, sandbox, [...args, "--no-extensions", "--fork", sessionFile]);
  await fork.play(calls(bash("echo forked"), bash("exit 3"), call("Bash", { command: "x" })));
  await fork.play(calls(call("write", { path: "made.txt", content: "y".repeat(100) })));
  const { sessionFile: forkFile } = await fork.command("get_state");
  await fork.close();

  const after = JSON.parse(pigate(sandbox, "import", "--json"));
  assert.deepEqual([after.files, after.decided, after.added], [2, 8, 4]);
  assert.deepEqual(imported(sandbox).sort(), [
    "Bash x refused",
    "bash echo forked ok",
    "bash exit 3 error",
    "write made.txt ok",
  ]);

  // Nothing is added twice, though a fork of the fork repeats everything.
  const copy = Rpc.for(t, sandbox, [...args, "--no-extensions", "--fork", forkFile]);
  await copy.play(calls(bash("echo last")));
  await copy.close();
  assert.equal(JSON.parse(pigate(sandbox, "import", "--json")).added, 1);
  assert.equal(JSON.parse(pigate(sandbox, "import", "--json")).added, 0);
  assert.match(pigate(sandbox, "audit", "verify"), /^whole/);
});
