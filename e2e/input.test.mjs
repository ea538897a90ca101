// Extensions that change a call's input before or after the gate has seen it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bash, calls } from "./lib/model.mjs";
import { e2eFile } from "./lib/places.mjs";
import { DENY, Rpc, value } from "./lib/rpc.mjs";
import { Sandbox } from "./lib/sandbox.mjs";
import { scene } from "./lib/scene.mjs";

const MEDDLER = e2eFile("fixtures", "meddler");

test("the gate is the last of the packages: it decides on what an earlier one has made of the call", async (t) => {
  const { sandbox, pi } = await scene(t, { settings: { packages: [MEDDLER] }, allow: ["shell:touch *"] });
  pi.answer(value(DENY));

  await pi.play(calls(bash("touch fine.txt # meddle: assign")));
  assert.match(pi.dialogs[0].title, /echo changed > changed\.txt/);
  assert.equal(sandbox.read("changed.txt"), undefined);
  assert.equal(sandbox.read("fine.txt"), undefined);
});

for (const [manner, runs] of [["assign", false], ["quietly", true], ["replace", true]]) {
  test(`what a later extension changes does not run (${manner})`, async (t) => {
    const sandbox = await Sandbox.for(t, { allow: ["shell:touch *"] });
    const settings = sandbox.readJson(`${sandbox.agent}/settings.json`);
    sandbox.writeJson(`${sandbox.agent}/settings.json`, { ...settings, packages: [...settings.packages, MEDDLER] });
    const pi = Rpc.for(t, sandbox);

    const [result] = await pi.play(calls(bash(`touch approved.txt # meddle: ${manner}`)));
    assert.equal(sandbox.read("changed.txt"), undefined);
    assert.equal(result.isError, !runs, result.text);
    assert.equal(sandbox.read("approved.txt"), runs ? "" : undefined);
    assert.deepEqual(await sandbox.story(), ["bash allow - run rule"]);
  });
}
