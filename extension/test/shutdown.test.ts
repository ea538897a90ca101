import assert from "node:assert/strict";
import { test } from "node:test";
import { setup } from "./setup.ts";

test("the end of a session ends the gate in order", async (t) => {
  const { pi, gates } = await setup(t);
  await pi.emit("session_start", { reason: "startup" });
  const gate = await gates.next();
  await gate.welcome();
  const shutdown = pi.emit("session_shutdown", { reason: "new" });
  assert.deepEqual((await gate.farewell()).params, { session: "session-1", reason: "new" });
  await shutdown;
  await gate.gone;
});

test("a session without any call starts no gate in order to end it", async (t) => {
  const { pi, gates } = await setup(t);
  await pi.emit("session_shutdown", { reason: "quit" });
  assert.equal(gates.untaken, 0);
});

test("results on their way, and those whose end Pi never told, come before the end", async (t) => {
  const { pi, gates } = await setup(t);
  const calls = [pi.toolCall({ id: "a" }), pi.toolCall({ id: "b" })];
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  await gate.run();
  await Promise.all(calls);
  await pi.ran({ id: "a" });
  await pi.emit("tool_result", { toolName: "bash", toolCallId: "b", input: { command: "ls" }, content: [], isError: false });
  const shutdown = pi.emit("session_shutdown", { reason: "quit" });
  const [first, second] = [await gate.next("tool/result"), await gate.next("tool/result")];
  assert.deepEqual([first.params.call, second.params.call], ["a", "b"]);
  gate.reply(first, { mismatch: false });
  assert.equal(gate.untaken("session/end"), 0);
  gate.reply(second, { mismatch: false });
  await gate.farewell();
  await shutdown;
});

test("a call that waits is blocked, and its answer still awaited", async (t) => {
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall();
  const gate = await gates.next();
  await gate.welcome();
  const call = await gate.next("tool/call");
  const asked = gate.ask("ui/select", { call: "call_1", title: "t", options: ["Deny"] });
  const dialog = await pi.person.dialogs.next();
  const shutdown = pi.emit("session_shutdown", { reason: "quit" });
  assert.equal(await blocked, "pigate: the call was aborted");
  await dialog.closed;
  assert.deepEqual((await asked).result, { choice: null, aborted: true });
  await gate.next("tool/abort");
  assert.equal(gate.untaken("session/end"), 0);
  gate.reply(call, { decision: "block", reason: "aborted" });
  await gate.farewell();
  await shutdown;
});

test("a gate that does not end is killed", async (t) => {
  const { pi, gates } = await setup(t, { graceMs: 100 });
  await pi.emit("session_start", { reason: "startup" });
  const gate = await gates.next();
  await gate.welcome();
  await pi.emit("session_shutdown", { reason: "quit" });
  await gate.gone;
});

test("a gate that never answered is killed", async (t) => {
  const { pi, gates } = await setup(t, { graceMs: 100 });
  await pi.emit("session_start", { reason: "startup" });
  const gate = await gates.next();
  await gate.next("initialize");
  await pi.emit("session_shutdown", { reason: "quit" });
  await gate.gone;
});

test("after its end a session blocks and starts nothing, until it starts again", async (t) => {
  const { pi, gates } = await setup(t);
  await pi.emit("session_start", { reason: "startup" });
  const gate = await gates.next();
  await gate.welcome();
  const shutdown = pi.emit("session_shutdown", { reason: "reload" });
  await gate.farewell();
  await shutdown;
  assert.equal(await pi.toolCall(), "pigate: the session has ended");
  assert.equal(gates.untaken, 0);
  await pi.emit("session_start", { reason: "resume" });
  const next = await gates.next();
  assert.equal((await next.welcome()).start.params.reason, "resume");
});
