import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { FakeGate } from "./fake-gates.ts";
import type { FakePi } from "./fake-pi.ts";
import { setup } from "./setup.ts";

/** A session in a mode, with its gate. */
async function session(t: TestContext, mode: string): Promise<{ pi: FakePi; gate: FakeGate }> {
  const { pi, gates } = await setup(t);
  pi.mode = mode;
  await pi.emit("session_start", { reason: "startup" });
  const gate = await gates.next();
  await gate.welcome();
  return { pi, gate };
}

const notify = (gate: FakeGate, level: string) =>
  gate.send({ method: "ui/notify", params: { level, message: "pigate: the project's file is ignored" } });

for (const mode of ["tui", "rpc"]) {
  test(`ui/notify in ${mode} mode shows in Pi's interface`, async (t) => {
    const { pi, gate } = await session(t, mode);
    notify(gate, "warning");
    const notice = await pi.person.notices.next();
    assert.deepEqual(notice, { level: "warning", message: "pigate: the project's file is ignored" });
  });
}

for (const mode of ["print", "json"]) {
  test(`ui/notify in ${mode} mode goes to standard error`, async (t) => {
    const { pi, gate } = await session(t, mode);
    const printed = t.mock.method(console, "error", () => {});
    notify(gate, "info");
    // Messages are taken in order: after this answer the notice has been seen.
    const blocked = pi.toolCall();
    await gate.run();
    await blocked;
    assert.deepEqual(printed.mock.calls.map((c) => c.arguments), [["pigate: the project's file is ignored"]]);
  });
}

test("nothing is printed over the terminal of a Pi that has an interface", async (t) => {
  const { pi, gate } = await session(t, "print");
  const printed = t.mock.method(console, "error", () => {});
  const raw = Object.getOwnPropertyDescriptor(process.stdin, "isRaw");
  Object.defineProperty(process.stdin, "isRaw", { value: true, configurable: true });
  t.after(() => Reflect.deleteProperty(process.stdin, "isRaw") && raw && Object.defineProperty(process.stdin, "isRaw", raw));
  notify(gate, "error");
  const blocked = pi.toolCall();
  await gate.run();
  await blocked;
  assert.equal(printed.mock.callCount(), 0);
});

test("what the gate writes on standard error is not shown", async (t) => {
  const { pi, gate } = await session(t, "tui");
  const printed = t.mock.method(console, "error", () => {});
  gate.order({ err: "debug: something\n" });
  const blocked = pi.toolCall();
  await gate.run();
  await blocked;
  assert.equal(printed.mock.callCount() + pi.person.notices.size, 0);
});

const REPORT = "Gate: ENABLED\nDeny rules:\n  shell:rm -rf *";

async function statusOf(pi: FakePi, gate: FakeGate, answer: unknown): Promise<any> {
  const shown = pi.command("allowlist");
  const asked = await gate.next("gate/status");
  gate.reply(asked, answer);
  await shown;
  return asked.params;
}

test("/allowlist shows the gate's report, all its lines", async (t) => {
  const { pi, gate } = await session(t, "rpc");
  pi.trusted = false;
  const params = await statusOf(pi, gate, { report: REPORT });
  assert.deepEqual(params, { session: "session-1", root: pi.cwd, trusted: false });
  assert.deepEqual(await pi.person.notices.next(), { level: "info", message: REPORT });
});

test("/allowlist prints where there is no interface", async (t) => {
  const { pi, gate } = await session(t, "print");
  const printed = t.mock.method(console, "log", () => {});
  await statusOf(pi, gate, { report: REPORT });
  assert.deepEqual(printed.mock.calls.map((c) => c.arguments), [[REPORT]]);
});

test("/allowlist starts the gate when there is none, and says so when that fails", async (t) => {
  const { pi, gates } = await setup(t);
  const shown = pi.command("allowlist");
  const gate = await gates.next();
  await gate.welcome();
  gate.reply(await gate.next("gate/status"), { reports: [] });
  await shown;
  const { level, message } = await pi.person.notices.next();
  assert.equal(level, "error");
  assert.match(message, /^pigate: the gate sent what is not the protocol: its answer to gate\/status holds no report/);
});

test("a tool that another extension has replaced is named, once", async (t) => {
  const { pi, gates } = await setup(t);
  pi.tools.push({ name: "grep", sourceInfo: { source: "npm:fast", path: "/x/fast.ts" } });
  await pi.emit("session_start", { reason: "startup" });
  const gate = await gates.next();
  await gate.welcome();
  const { level, message } = await pi.person.notices.next();
  assert.equal(level, "warning");
  assert.match(message, /^pigate: the tool grep is not Pi's own but comes from \/x\/fast\.ts: /);

  pi.tools.push({ name: "mine", sourceInfo: { source: "npm:fast", path: "/x/fast.ts" } });
  pi.tools = pi.tools.map((tool) => (tool.name === "bash" ? { name: "bash", sourceInfo: { source: "cli", path: "/y.ts" } } : tool));
  for (const tool of ["grep", "mine", "bash", "bash", "read"]) {
    const blocked = pi.toolCall({ tool });
    await gate.run();
    await blocked;
  }
  assert.match((await pi.person.notices.next()).message, /the tool bash is not Pi's own but comes from \/y\.ts/);
  assert.equal(pi.person.notices.size, 0);
});
