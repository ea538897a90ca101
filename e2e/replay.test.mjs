// What the real Pi's journal holds is enough to decide every call again.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { bash, call, calls } from "./lib/model.mjs";
import { WINDOWS } from "./lib/places.mjs";
import { acts, config, files, unattended } from "./lib/play.mjs";
import { ONCE, Rpc, value } from "./lib/rpc.mjs";
import { Sandbox } from "./lib/sandbox.mjs";

/** Runs pigate replay in the sandbox: {code, result}. */
async function replay(sandbox, ...args) {
  try {
    return { code: 0, result: JSON.parse(await sandbox.pigate("replay", "--json", ...args)) };
  } catch (failed) {
    return { code: failed.code, result: JSON.parse(failed.stdout) };
  }
}

test("every call of a working day is decided again as it was, and other rules show what they would change", async (t) => {
  const sandbox = await Sandbox.for(t, { mcp: true, trusted: true, config });
  for (const [name, text] of Object.entries(files)) sandbox.write(name, text);
  if (!WINDOWS) {
    // A folder that is allowed, and leads outside the project.
    fs.symlinkSync(sandbox.home, path.join(sandbox.project, "src", "out"));
  }

  const pi = Rpc.for(t, sandbox, ["--tools", "+codemode"]);
  for (const act of acts) {
    pi.answer(...(act.answers ?? []).map(({ reply }) => reply));
    await pi.play(calls(act.call));
  }
  pi.answer(value(ONCE), value(ONCE));
  await pi.play(calls(call("write", { path: "src/out/x.txt", content: "x" })), calls(bash("node --test > /dev/null 2>&1; echo $?")));
  await pi.command("new_session");
  pi.answer(value(ONCE));
  await pi.play(calls(bash("node --test"))); // approved for the session before
  await sandbox.pi(["-p", sandbox.model.script([calls(unattended.call)])]);

  const decisions = await sandbox.decisions();
  const asked = decisions.filter(({ answer }) => answer && answer !== "no-ui").length;
  const same = await replay(sandbox, "--recorded", "--fail-on", "any");
  assert.equal(same.code, 0, JSON.stringify(same.result));
  assert.equal(same.result.decided.calls, decisions.length);
  assert.deepEqual(same.result.decided.not_replayable, []);
  assert.deepEqual([same.result.decided.prompts.old, same.result.decided.prompts.new], [asked, asked]);

  const wider = await replay(sandbox, "--recorded", "--allow", "shell:node --test *", "--without", "shell:rm -rf *", "--fail-on", "looser");
  assert.equal(wider.code, 3);
  const changed = wider.result.decided.groups.map(({ shape, old, new: now, calls: count }) => [shape, old, now, count].join(" "));
  assert.deepEqual(changed, ["node ask allow 3", "rm deny ask 1"]);
  assert.equal(wider.result.decided.prompts.new, asked - 2 + 1, "two questions less (an approval covered the third call), and one more");
});
