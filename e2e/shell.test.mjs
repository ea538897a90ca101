// What a command means, not how it is spelled, decides in the real Pi too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bash, calls } from "./lib/model.mjs";
import { DENY, value } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

test("a denied command is denied behind wrappers and in other spellings", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:*"], deny: ["shell:rm -rf *"] });
  sandbox.write("keep/it.txt", "here");

  const spellings = ["env rm -rf keep", "bash -c 'rm -rf keep'", "echo keep | xargs rm -fr", "r\\m -r --force keep", "if true; then command rm -r -f keep; fi"];
  const results = await pi.play(...spellings.map((command) => calls(bash(command))));
  assert.deepEqual(results.map(({ isError }) => isError), spellings.map(() => true));
  assert.equal(sandbox.read("keep/it.txt"), "here");
  assert.equal(pi.dialogs.length, 0);
  assert.deepEqual(await sandbox.story(), spellings.map(() => "bash deny - block rule"));
});

test("a wildcard rule does not carry a guarded flag: it asks, and says what the flag does", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:find *"] });
  sandbox.write("old.log", "here");
  pi.answer(value(DENY));

  const [found, deleted] = await pi.play(calls(bash("find . -name '*.log'")), calls(bash("find . -name '*.log' -delete")));
  assert.equal(found.isError, false);
  assert.equal(deleted.isError, true);
  assert.equal(sandbox.read("old.log"), "here");
  assert.equal(pi.dialogs.length, 1);
  assert.match(pi.dialogs[0].title.split("\n")[2], /-delete/);
  assert.deepEqual(await sandbox.story(), ["bash allow - run rule", "bash ask deny block user"]);
});

test("precise redirections are judged as edits of their target", async (t) => {
  const { sandbox, pi } = await scene(t, {
    allow: ["shell:echo *", "edit:build/*"],
    deny: ["edit:.env*"],
    config: { redirections: "precise" },
  });
  sandbox.write("build/.keep", "");
  pi.answer(value(DENY));

  const commands = ["echo a 2>&1 >/dev/null", "echo b > build/log.txt", "echo c > .env", "echo d > elsewhere.txt"];
  const results = await pi.play(...commands.map((command) => calls(bash(command))));
  assert.deepEqual(results.map(({ isError }) => isError), [false, false, true, true]);
  assert.equal(sandbox.read("build/log.txt"), "b\n");
  assert.equal(sandbox.read(".env"), undefined);
  assert.equal(sandbox.read("elsewhere.txt"), undefined);
  assert.equal(pi.dialogs.length, 1);
  assert.deepEqual(await sandbox.story(), ["bash allow - run rule", "bash allow - run rule", "bash deny - block rule", "bash ask deny block user"]);
});
