import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { FakeGate, FakeGates } from "./fake-gates.ts";
import type { Call, FakePi } from "./fake-pi.ts";
import { setup } from "./setup.ts";

/** Lets a call run, reports result for it, and returns what the gate is told. */
async function told(t: TestContext, call: Call & { result?: object; durationMs?: number }): Promise<any> {
  const { pi, gate } = await approved(t, call);
  await pi.ran(call);
  const message = await gate.next("tool/result");
  gate.reply(message, { mismatch: false });
  return message.params;
}

async function approved(t: TestContext, call: Call): Promise<{ pi: FakePi; gate: FakeGate; gates: FakeGates }> {
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall(call);
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  assert.equal(await blocked, undefined);
  return { pi, gate, gates };
}

const text = (text: string) => ({ content: [{ type: "text", text }] });

test("a command that went well: exit code 0 and the duration that Pi measured", async (t) => {
  const { input_digest, ...params } = await told(t, {
    id: "c9",
    result: { ...text("hi\n"), structuredContent: { output: "hi\n", exit_code: 0, wall_time_seconds: 0 } },
    durationMs: 18,
  });
  assert.match(input_digest, /^[0-9a-f]{64}$/);
  assert.deepEqual(params, { session: "session-1", call: "c9", tool: "bash", ok: true, exit_code: 0, duration_us: 18000 });
});

test("a command that failed: the exit code of its structured result", async (t) => {
  const params = await told(t, {
    result: { ...text("Command exited with code 3"), isError: true, structuredContent: { exit_code: 2 } },
  });
  assert.equal(params.ok, false);
  assert.equal(params.exit_code, 2);
});

test("the last line tells the exit code where the structured result was dropped", async (t) => {
  const result = { ...text("Command exited with code 1\nno such file\n\nCommand exited with code 127"), isError: true };
  assert.equal((await told(t, { result })).exit_code, 127);
});

for (const [name, call] of Object.entries({
  "a command that was stopped has no exit code": { result: { ...text("Command aborted"), isError: true } },
  "output that looks like a failure is no exit code": { result: text("Command exited with code 1") },
  "other tools have no exit code": {
    tool: "mcp__x__y",
    result: { ...text("Command exited with code 1"), isError: true, structuredContent: { exit_code: 5 } },
  },
})) {
  test(name, async (t) => {
    assert.equal("exit_code" in (await told(t, call)), false);
  });
}

test("without a word from Pi the duration is counted from the approval", async (t) => {
  const { duration_us } = await told(t, {});
  assert.ok(Number.isInteger(duration_us) && duration_us >= 0, String(duration_us));
});

test("a blocked call has no result", async (t) => {
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall();
  const gate = await gates.next();
  await gate.welcome();
  gate.reply(await gate.next("tool/call"), { decision: "block", reason: "no" });
  assert.equal(await blocked, "no");
  await pi.ended("call_1");
  const shutdown = pi.emit("session_shutdown", { reason: "quit" });
  await gate.farewell();
  await shutdown;
  assert.equal(gate.untaken("tool/result"), 0);
});

test("a call that ran without a decision is reported too", async (t) => {
  const { pi, gate } = await approved(t, {});
  await pi.emit("tool_result", { toolName: "write", toolCallId: "unknown", input: {}, content: [], isError: false });
  const { params } = await gate.next("tool/result");
  assert.equal(params.call, "unknown");
  assert.equal("duration_us" in params, false);
});

test("the person is told when a result could not be recorded, and the agent is not held up", async (t) => {
  const { pi, gate } = await approved(t, {});
  await pi.ran();
  gate.replyError(await gate.next("tool/result"), "record outcome: disk full");
  const notice = await pi.person.notices.next();
  assert.equal(notice.level, "warning");
  assert.equal(notice.message, "pigate: what came of bash was not recorded\npigate: record outcome: disk full");
});

test("a result whose gate was killed goes to a fresh one", async (t) => {
  const { pi, gate, gates } = await approved(t, { id: "ran" });
  const waiting = pi.toolCall({ id: "waiting" });
  await gate.next("tool/call");
  gate.kill();
  assert.match((await waiting) ?? "it ran", /^pigate: the gate ended/);
  await pi.ran({ id: "ran" });
  const fresh = await gates.next();
  assert.equal((await fresh.welcome()).start.params.reason, "reload");
  assert.equal((await fresh.next("tool/result")).params.call, "ran");
});
