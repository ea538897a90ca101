// Where no person can be asked, what would ask is blocked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bash, calls, say } from "./lib/model.mjs";
import { e2eFile } from "./lib/places.mjs";
import { Sandbox } from "./lib/sandbox.mjs";
import { scene } from "./lib/scene.mjs";

const turns = [calls(bash("touch allowed.txt")), calls(bash("mkdir asked")), say("That is all.")];
const story = ["bash allow - run rule", "bash ask no-ui block no-ui"];

for (const [mode, args] of [["print", ["-p"]], ["JSON", ["--mode", "json"]]]) {
  test(`${mode} mode runs what is allowed and blocks the rest`, async (t) => {
    const sandbox = await Sandbox.for(t, { allow: ["shell:touch *"] });

    const { code, stdout } = await sandbox.pi([...args, sandbox.model.script(turns)]);
    assert.equal(code, 0);
    assert.match(stdout, /That is all\./);
    const [, blocked] = sandbox.model.resultsSince(0);
    assert.match(blocked.text, /pigate/);
    assert.equal(sandbox.read("allowed.txt"), "");
    assert.equal(sandbox.read("asked"), undefined);
    assert.deepEqual(await sandbox.story(), story);
  });
}

test("a session inside another one's process, which never starts, is gated too", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:touch *"], args: ["-e", e2eFile("fixtures", "companion.ts")] });

  await pi.type(`/companion-inside ${sandbox.model.script(turns)}`);
  assert.ok(pi.notices.includes("inside: over"), pi.notices.join("\n"));
  assert.equal(sandbox.read("allowed.txt"), "");
  assert.equal(sandbox.read("asked"), undefined);
  assert.deepEqual(await sandbox.story(), story);
  assert.equal(pi.dialogs.length, 0);
});
