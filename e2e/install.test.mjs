// pigate install and uninstall, seen by Pi.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bash, calls, say } from "./lib/model.mjs";
import { Sandbox } from "./lib/sandbox.mjs";

test("installed, Pi lists it and is gated; uninstalled, Pi runs as before", async (t) => {
  const sandbox = await Sandbox.for(t, { install: false, settings: { theme: "dark" } });
  const plain = sandbox.readJson(`${sandbox.agent}/settings.json`);

  await sandbox.pigate("install");
  await sandbox.pigate("install");
  const { packages, ...rest } = sandbox.readJson(`${sandbox.agent}/settings.json`);
  assert.equal(packages.length, 1, "installing twice adds one package");
  assert.deepEqual(rest, plain);
  assert.match((await sandbox.pi(["list"])).stdout, /pigate/);
  await sandbox.pi(["-p", sandbox.model.script([calls(bash("touch no.txt")), say("Done.")])]);
  assert.equal(sandbox.read("no.txt"), undefined);

  await sandbox.pigate("uninstall");
  assert.doesNotMatch((await sandbox.pi(["list"])).stdout, /pigate/);
  await sandbox.pi(["-p", sandbox.model.script([calls(bash("touch yes.txt")), say("Done.")])]);
  assert.equal(sandbox.read("yes.txt"), "");
});

test("a first use leaves a configuration file with the defaults, ready to edit", async (t) => {
  const sandbox = await Sandbox.for(t);
  await sandbox.pi(["-p", sandbox.model.script([calls(bash("pwd")), say("Done.")])]);
  const { allow, deny } = sandbox.readJson(sandbox.globalConfig);
  assert.ok(allow.includes("shell:pwd") || allow.includes("shell:pwd *"), allow.join("\n"));
  assert.deepEqual(deny, []);
});
