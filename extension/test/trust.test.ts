import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { approved } from "../host.ts";
import { setup } from "./setup.ts";

/** Lets Pi have been started with these words, for one test. */
function startedWith(t: TestContext, ...words: string[]) {
  const before = [...process.argv];
  process.argv.push(...words);
  t.after(() => process.argv.splice(0, process.argv.length, ...before));
}

test("the person's approval is a word of its own on the command line", () => {
  for (const args of [["-a"], ["--approve"], ["-p", "-a", "hello"], ["--mode", "rpc", "--approve"]]) assert.equal(approved(args), true, String(args));
  for (const args of [[], ["-na"], ["--no-approve"], ["-p", "use -a"], ["--approve=x"], ["@-a"]]) assert.equal(approved(args), false, String(args));
});

for (const word of ["-a", "--approve"]) {
  test(`with ${word} the gate learns in every message that the project's files may be used`, async (t) => {
    startedWith(t, word);
    const { pi, gates } = await setup(t);
    const asked = pi.toolCall();
    const gate = await gates.next();
    const { start } = await gate.welcome();
    const call = await gate.run();
    assert.equal(await asked, undefined);
    const shown = pi.command("allowlist");
    const status = await gate.next("gate/status");
    gate.reply(status, { report: "Gate status: ENABLED" });
    await shown;
    for (const { method, params } of [start, call, status]) assert.deepEqual([params.trusted, params.approved], [true, true], method);
  });
}

test("without it nothing is said about approval", async (t) => {
  startedWith(t, "--no-approve", "a message about -a");
  const { pi, gates } = await setup(t);
  const asked = pi.toolCall();
  const gate = await gates.next();
  const { start } = await gate.welcome();
  const call = await gate.run();
  await asked;
  for (const { method, params } of [start, call]) assert.equal("approved" in params, false, method);
});
