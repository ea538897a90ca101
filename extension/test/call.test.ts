import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { PATIENCE_MS } from "./fake-gates.ts";
import { setup } from "./setup.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("a call runs when the gate says run, and the gate learns all about it", async (t) => {
  const { pi, gates } = await setup(t);
  pi.trusted = false;
  const blocked = pi.toolCall({ tool: "bash", id: "call_7", input: { command: "git push", timeout: 5 } });
  const gate = await gates.next();
  const { hello, start } = await gate.welcome();
  const call = await gate.run();

  assert.equal(await blocked, undefined);
  assert.deepEqual(gate.args, ["gate"]);
  assert.equal(gate.cwd, pi.cwd);
  assert.deepEqual(hello.params, { protocols: [1], host: { name: "pi", version: "1.6.0" }, extension: "0.1.0" });
  const place = { session: "session-1", cwd: pi.cwd, root: pi.cwd, trusted: false, has_ui: true, mode: "tui" };
  // There was no session_start, as in a session that a program makes.
  assert.deepEqual(start.params, { ...place, file: "/sessions/one.jsonl", reason: "startup" });
  const input = { command: "git push", timeout: 5 };
  assert.deepEqual(call.params, { ...place, call: "call_7", parent: "", tool: "bash", input });
});

test("a call is blocked with the gate's reason", async (t) => {
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall();
  const gate = await gates.next();
  await gate.welcome();
  gate.reply(await gate.next("tool/call"), { decision: "block", reason: "pigate: the user denied this call", seq: 2 });
  assert.equal(await blocked, "pigate: the user denied this call");
});

test("a call of a script names its parent", async (t) => {
  const { pi, gates } = await setup(t);
  const outer = pi.toolCall({ tool: "codemode", id: "call_1", input: { code: "…" } });
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  await outer;
  const inner = pi.toolCall({ id: "call_1/1", parent: "call_1" });
  assert.equal((await gate.run()).params.parent, "call_1");
  assert.equal(await inner, undefined);
});

test("one process serves every call, and parallel first calls start only one", async (t) => {
  const { pi, gates } = await setup(t);
  const calls = [pi.toolCall({ id: "a" }), pi.toolCall({ id: "b" })];
  const gate = await gates.next();
  await gate.welcome();
  const [first, second] = [await gate.next("tool/call"), await gate.next("tool/call")];
  gate.reply(second, { decision: "run" });
  gate.reply(first, { decision: "block", reason: "no" });
  assert.deepEqual(await Promise.all(calls), ["no", undefined]);
  const third = pi.toolCall({ id: "c" });
  await gate.run();
  assert.equal(await third, undefined);
  assert.equal(gates.untaken, 0);
});

test("what was approved cannot be changed afterwards, not even below a frozen part", async (t) => {
  const { pi, gates } = await setup(t);
  pi.on("tool_call", (event) => {
    event.input.edits[0].newText = "evil";
  });
  const input = { path: "a", edits: Object.freeze([{ oldText: "x", newText: "y" }]) };
  const blocked = pi.toolCall({ tool: "edit", input });
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  assert.match((await blocked) ?? "it ran", /read only/);
  assert.equal(input.edits[0]?.newText, "y");
});

test("the digest of what ran is that of the bytes in tool/call", async (t) => {
  const { pi, gates } = await setup(t);
  const input = { command: "echo 'ä\u2028\ud800 \\ \"'", nested: { b: 1, a: [null, 0.1] } };
  const blocked = pi.toolCall({ input });
  const gate = await gates.next();
  await gate.welcome();
  const raw = gate.rawOf(await gate.run());
  await blocked;
  await pi.ran({ input });
  const { params } = await gate.next("tool/result");
  const bytes = raw.slice(raw.indexOf('"input":') + '"input":'.length, -"}}".length);
  assert.deepEqual(JSON.parse(bytes), input);
  assert.equal(params.input_digest, sha256(bytes));
});

test("an input that changed all the same has another digest", async (t) => {
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall({ input: { command: "ls" } });
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  await blocked;
  await pi.ran({ input: { command: "rm -rf /" } });
  assert.equal((await gate.next("tool/result")).params.input_digest, sha256('{"command":"rm -rf /"}'));
});

test("an input that is missing is sent as null, and one that JSON cannot hold is blocked", async (t) => {
  const { pi, gates } = await setup(t);
  const missing = pi.toolCall({ input: null });
  const gate = await gates.next();
  await gate.welcome();
  assert.equal((await gate.run()).params.input, null);
  assert.equal(await missing, undefined);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  assert.match((await pi.toolCall({ input: { n: 1n } })) ?? "it ran", /BigInt/);
  // The gate never heard of it, so no answer is missed.
  t.mock.timers.tick(10 * PATIENCE_MS);
  const next = pi.toolCall();
  await gate.run();
  assert.equal(await next, undefined);
});

test("session_start opens the session in the gate, each time anew", async (t) => {
  const { pi, gates } = await setup(t);
  await pi.emit("session_start", { reason: "resume" });
  const gate = await gates.next();
  assert.equal((await gate.welcome()).start.params.reason, "resume");
  pi.file = undefined;
  await pi.emit("session_start", { reason: "fork" });
  const again = await gate.next("session/start");
  assert.equal(again.params.reason, "fork");
  assert.equal("file" in again.params, false);
  // A call waits until the gate has dropped the approvals.
  const blocked = pi.toolCall();
  gate.reply(again, {});
  await gate.run();
  assert.equal(await blocked, undefined);
});

test("the gate inherits the environment", async (t) => {
  const { pi, gates } = await setup(t, {});
  const other = await setup(t, { env: gates.env({ RELAY_MARK: "passed on" }) });
  const blocked = other.pi.toolCall();
  const gate = await gates.next();
  assert.equal(gate.mark, "passed on");
  await gate.welcome();
  await gate.run();
  assert.equal(await blocked, undefined);
  assert.equal(pi.person.notices.size, 0);
});
