import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { completions } from "../allowlist.ts";
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

const ASKED = [
  { args: "log", method: "gate/log", params: { root: "PROJECT", limit: 0 } },
  { args: "  log  25 ", method: "gate/log", params: { root: "PROJECT", limit: 25 } },
  { args: "why", method: "gate/why", params: { session: "session-1" } },
  { args: "revoke", method: "gate/revoke", params: { session: "session-1", root: "PROJECT" } },
  {
    args: "suggest",
    method: "gate/suggest",
    params: { session: "session-1", cwd: process.cwd(), root: "PROJECT", trusted: true, has_ui: true, mode: "tui" },
  },
];

for (const { args, method, params } of ASKED) {
  test(`/allowlist ${args} asks ${method} and shows its report`, async (t) => {
    const { pi, gate } = await session(t, "tui");
    const shown = pi.command("allowlist", args);
    const asked = await gate.next(method);
    gate.reply(asked, { report: "one\ntwo" });
    await shown;
    assert.deepEqual(asked.params, { ...params, ...("root" in params ? { root: pi.cwd } : {}) });
    assert.deepEqual(await pi.person.notices.next(), { level: "info", message: "one\ntwo" });
  });
}

test("a report is printed where there is no interface", async (t) => {
  const { pi, gate } = await session(t, "print");
  const printed = t.mock.method(console, "log", () => {});
  const shown = pi.command("allowlist", "why");
  gate.reply(await gate.next("gate/why"), { report: "because" });
  await shown;
  assert.deepEqual(printed.mock.calls.map((c) => c.arguments), [["because"]]);
});

test("the gate's error is shown as it is", async (t) => {
  const { pi, gate } = await session(t, "tui");
  const shown = pi.command("allowlist", "log 5000");
  gate.replyError(await gate.next("gate/log"), "pigate: 5000 is too many");
  await shown;
  assert.deepEqual(await pi.person.notices.next(), { level: "error", message: "pigate: 5000 is too many" });
});

for (const args of ["logs", "log ten", "log 0", "log -1", "log 1 2", "log 1e3", "why not", "WHY", "\u001b[2J"]) {
  test(`/allowlist ${JSON.stringify(args)} is answered with the usage, and the gate hears nothing`, async (t) => {
    const { pi, gate } = await session(t, "tui");
    await pi.command("allowlist", args);
    const { level, message } = await pi.person.notices.next();
    assert.equal(level, "error");
    assert.match(message, /^pigate: there is no \/allowlist ".*"\nusage: \/allowlist \[log \[n\] \| why | suggest/);
    assert.doesNotMatch(message, /\u001b/);
    for (const method of ["gate/log", "gate/why", "gate/status"]) assert.equal(gate.untaken(method), 0);
  });
}

test("the arguments complete", () => {
  const values = (prefix: string) => completions(prefix)?.map(({ value }) => value);
  assert.deepEqual(values(""), ["log", "why", "suggest", "revoke"]);
  assert.deepEqual(values("l"), ["log"]);
  assert.deepEqual(values("w"), ["why"]);
  assert.deepEqual(values("sug"), ["suggest"]);
  for (const prefix of ["x", "log", "log 1", "why", "suggest"]) assert.equal(completions(prefix), null, prefix);
});

test("the dialogs of /allowlist suggest belong to no call, and its answer is shown", async (t) => {
  const { pi, gate } = await session(t, "tui");
  const shown = pi.command("allowlist", "suggest");
  const asked = await gate.next("gate/suggest");

  const chosen = gate.ask("ui/select", { call: "", title: "Rules", options: ["1. shell:make *", "Close"] });
  const list = await pi.person.dialogs.next();
  assert.deepEqual([list.title, list.options], ["Rules", ["1. shell:make *", "Close"]]);
  list.answer("1. shell:make *");
  assert.deepEqual((await chosen).result, { choice: "1. shell:make *" });

  const edited = gate.ask("ui/editor", { call: "", title: "Last look", prefill: "shell:make *" });
  const editor = await pi.person.dialogs.next();
  assert.equal(editor.prefill, "shell:make *");
  editor.answer("shell:make");
  assert.deepEqual((await edited).result, { text: "shell:make" });

  gate.reply(asked, { report: "Saved" });
  await shown;
  assert.deepEqual(await pi.person.notices.next(), { level: "info", message: "Saved" });
  assert.deepEqual((await gate.ask("ui/select", { call: "", title: "x", options: ["y"] })).result, { choice: null, aborted: true });
});

test("another /allowlist does not close the dialog of one that is under way", async (t) => {
  const { pi, gate } = await session(t, "tui");
  const shown = pi.command("allowlist", "suggest");
  const asked = await gate.next("gate/suggest");
  const chosen = gate.ask("ui/select", { call: "", title: "Rules", options: ["1.", "Close"] });
  const list = await pi.person.dialogs.next();

  const other = pi.command("allowlist", "why");
  gate.reply(await gate.next("gate/why"), { report: "because" });
  await other;
  list.answer("Close");
  assert.deepEqual((await chosen).result, { choice: "Close" });
  gate.reply(asked, { report: "Nothing was saved." });
  await shown;
});

test("a session that ends closes the dialog of a command", async (t) => {
  const { pi, gate } = await session(t, "tui");
  const shown = pi.command("allowlist", "suggest");
  const asked = await gate.next("gate/suggest");
  const chosen = gate.ask("ui/select", { call: "", title: "Rules", options: ["1.", "Close"] });
  const list = await pi.person.dialogs.next();

  const over = pi.emit("session_shutdown", { reason: "quit" });
  await list.closed;
  assert.deepEqual((await chosen).result, { choice: null, aborted: true });
  gate.reply(asked, { report: "Nothing was saved." });
  await shown;
  await gate.farewell();
  await over;
});
