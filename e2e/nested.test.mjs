// Calls that a script of the model makes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bash, call, calls } from "./lib/model.mjs";
import { DENY, ONCE, WAIT, value } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

const args = ["--tools", "+codemode"];
const script = (...lines) => calls(call("codemode", { code: lines.join("\n") }));

test("a script passes, each call it makes is decided by itself", async (t) => {
  const { sandbox, pi } = await scene(t, { args, allow: ["shell:touch allowed*"], deny: ["shell:rm *"] });
  pi.answer(value(DENY));

  const [result] = await pi.play(
    script(
      'const tell = (call) => call.then(() => "ran", (error) => String(error));',
      'text(await tell(tools.bash({ command: "touch allowed.txt" })));',
      'text(await tell(tools.bash({ command: "rm -f allowed.txt" })));',
      'text(await tell(tools.bash({ command: "touch asked.txt" })));',
    ),
  );
  assert.match(result.text, /ran[^]*shell:rm \*[^]*[Dd]en/);
  assert.equal(sandbox.read("allowed.txt"), "");
  assert.equal(sandbox.read("asked.txt"), undefined);
  assert.deepEqual(await sandbox.story(), [
    "codemode pass - run pass",
    "bash allow - run rule",
    "bash deny - block rule",
    "bash ask deny block user",
  ]);
});

test("calls that a script makes at once ask one after the other", async (t) => {
  const { sandbox, pi } = await scene(t, { args });
  pi.answerBy(() => WAIT);
  const run = await pi.begin([script('await Promise.all(["a", "b"].map((name) => tools.bash({ command: `touch ${name}.txt` })));')]);

  const first = await pi.dialog(0);
  const starts = () => pi.records.filter(({ type, parentToolCallId }) => type === "tool_execution_start" && parentToolCallId).length;
  if (starts() < 2) await pi.next("the second call", () => starts() === 2);
  assert.equal(pi.dialogs.length, 1);
  pi.reply(first, value(ONCE));
  pi.reply(await pi.dialog(1), value(ONCE));
  await run.settled;
  assert.equal(sandbox.read("a.txt"), "");
  assert.equal(sandbox.read("b.txt"), "");
});

test("a script that ends takes the dialog of its call with it", async (t) => {
  const { sandbox, pi } = await scene(t, { args });
  pi.answerBy(() => WAIT);
  const run = await pi.begin([script('// @options: {"timeout_ms": 1500}', 'await tools.bash({ command: "touch no.txt" });')]);
  const forgotten = await pi.dialog(0);
  await run.settled;

  pi.answerBy(() => value(ONCE));
  await pi.play(calls(bash("touch next.txt")));
  pi.reply(forgotten, value(ONCE));
  assert.equal(sandbox.read("next.txt"), "", "the queue moves on");
  assert.equal(sandbox.read("no.txt"), undefined);
  assert.deepEqual(await sandbox.story(), ["codemode pass - run pass", "bash ask aborted block user", "bash ask once run user"]);
});
