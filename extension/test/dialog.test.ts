import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type FakeGate, type FakeGates, type Message, PATIENCE_MS } from "./fake-gates.ts";
import type { Call, Dialog, FakePi } from "./fake-pi.ts";
import { setup } from "./setup.ts";

const OPTIONS = ["Allow once", "Allow for session", "Allow & save rule (project)...", "Deny"];
const BLOCK = { decision: "block", reason: "pigate: no" };

interface Asking {
  pi: FakePi;
  gates: FakeGates;
  gate: FakeGate;
  call: Message;
  blocked: Promise<string | undefined>;
}

/** A call that waits for the gate. */
async function asking(t: TestContext, call: Call = {}, arrange: (pi: FakePi) => void = () => {}): Promise<Asking> {
  const { pi, gates } = await setup(t);
  arrange(pi);
  const blocked = pi.toolCall(call);
  const gate = await gates.next();
  await gate.welcome();
  return { pi, gates, gate, call: await gate.next("tool/call"), blocked };
}

/** What was answered, but for the keys that were pressed. */
async function said(answer: Promise<Message>): Promise<object> {
  const { keys: _, ...rest } = (await answer).result;
  return rest;
}

const select = (gate: FakeGate, call = "call_1") => gate.ask("ui/select", { call, title: "bash: ls", options: OPTIONS });
const edit = (gate: FakeGate) => gate.ask("ui/editor", { call: "call_1", title: "Rules", prefill: "shell:ls" });

async function opened<T>(pi: FakePi, answer: Promise<T>): Promise<{ dialog: Dialog; answer: Promise<T> }> {
  return { dialog: await pi.person.dialogs.next(), answer };
}

test("ui/select shows the question and answers with the option", async (t) => {
  const { pi, gate, call, blocked } = await asking(t);
  const { dialog, answer } = await opened(pi, select(gate));
  assert.equal(dialog.title, "bash: ls");
  assert.deepEqual(dialog.options, OPTIONS);
  dialog.answer("Allow for session");
  assert.deepEqual(await said(answer), { choice: "Allow for session" });
  gate.reply(call, { decision: "run" });
  assert.equal(await blocked, undefined);
});

for (const [what, value] of [["dismissed", undefined], ["answered with another text", "Allow"], ["answered with no text", true]]) {
  test(`ui/select that was ${what} has no choice`, async (t) => {
    const { pi, gate } = await asking(t);
    const { dialog, answer } = await opened(pi, select(gate));
    dialog.answer(value as string | undefined);
    assert.deepEqual(await said(answer), { choice: null });
  });
}

test("ui/editor answers with the text, or with none when it was cancelled", async (t) => {
  const { pi, gate } = await asking(t);
  const first = await opened(pi, edit(gate));
  assert.deepEqual([first.dialog.kind, first.dialog.title, first.dialog.prefill], ["editor", "Rules", "shell:ls"]);
  first.dialog.answer("shell:ls *");
  assert.deepEqual((await first.answer).result, { text: "shell:ls *" });
  const second = await opened(pi, edit(gate));
  second.dialog.answer(undefined);
  assert.deepEqual((await second.answer).result, { text: null });
});

test("without an interface no dialog opens and ctx.ui is not touched", async (t) => {
  const { gate } = await asking(t, {}, (pi) => (pi.mode = "json"));
  assert.deepEqual((await select(gate)).result, { choice: null });
  assert.deepEqual((await edit(gate)).result, { text: null });
});

test("a question for a call that is not waiting is aborted", async (t) => {
  const { gate } = await asking(t);
  assert.deepEqual((await select(gate, "other")).result, { choice: null, aborted: true });
});

test("a second question at the same time is refused, and the first stays", async (t) => {
  const { pi, gate } = await asking(t);
  const first = await opened(pi, select(gate));
  assert.equal((await select(gate)).error?.message, "a dialog is open already");
  first.dialog.answer("Deny");
  assert.deepEqual(await said(first.answer), { choice: "Deny" });
});

test("a question of the wrong shape, or of an unknown kind, is refused", async (t) => {
  const { pi, gate } = await asking(t);
  const refused = async (method: string, params: object) => {
    const { error } = await gate.ask(method, params);
    return `${error?.code} ${error?.message}`;
  };
  assert.equal(await refused("ui/select", { call: "call_1", title: "t", options: [] }), '-32602 "options" is not a list of texts');
  assert.equal(await refused("ui/select", { call: "call_1", title: 1, options: ["a"] }), '-32602 "title" is not a text');
  assert.equal(await refused("ui/editor", { call: "call_1", title: "t" }), '-32602 "prefill" is not a text');
  assert.equal(await refused("ui/paint", {}), "-32601 there is no ui/paint here");
  assert.equal(pi.person.dialogs.size, 0);
});

/** Ways in which a call ends while its dialog is open. */
const ends: Record<string, (pi: FakePi) => void | Promise<void>> = {
  "Pi aborts": (pi) => pi.abort.abort(),
  "the call ends": (pi) => pi.ended("p/1/2"),
  "the script that made it ends": (pi) => pi.ended("p/1"),
  "the script above that ends": (pi) => pi.ended("p"),
};

for (const [when, end] of Object.entries(ends)) {
  for (const question of [select, edit]) {
    test(`when ${when}, the ${question.name} dialog closes, the gate is told, the call is blocked`, async (t) => {
      const { pi, gates } = await setup(t);
      const outer = [pi.toolCall({ id: "p" }), pi.toolCall({ id: "p/1", parent: "p" })];
      const gate = await gates.next();
      await gate.welcome();
      await gate.run();
      await gate.run();
      await Promise.all(outer);
      const blocked = pi.toolCall({ id: "p/1/2", parent: "p/1" });
      const call = await gate.next("tool/call");

      const asked = { call: "p/1/2", title: "t", options: OPTIONS, prefill: "" };
      const { dialog, answer } = await opened(pi, gate.ask(question === select ? "ui/select" : "ui/editor", asked));
      await end(pi);
      assert.equal(await blocked, "pigate: the call was aborted");
      const name = question === select ? "choice" : "text";
      assert.deepEqual(await said(answer), { [name]: null, aborted: true });
      assert.deepEqual((await gate.next("tool/abort")).params, { session: "session-1", call: "p/1/2" });
      if (question === select) await dialog.closed;

      // Neither a late answer of the person nor one of the gate changes anything.
      dialog.answer("Allow once");
      gate.reply(call, BLOCK);
      pi.abort = new AbortController();
      const next = pi.toolCall({ id: "later" });
      await gate.run();
      assert.equal(await next, undefined);
    });
  }
}

test("the end of another call leaves the dialog open", async (t) => {
  const { pi, gate } = await asking(t, { id: "p/1", parent: "p" });
  const { dialog, answer } = await opened(pi, select(gate, "p/1"));
  await pi.ended("p/2");
  await pi.ended("q");
  dialog.answer("Deny");
  assert.deepEqual(await said(answer), { choice: "Deny" });
});

test("a call that Pi aborted before is not put to the gate", async (t) => {
  const { pi, gates } = await setup(t);
  const first = pi.toolCall({ id: "a" });
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  await first;
  pi.abort.abort();
  assert.equal(await pi.toolCall({ id: "b" }), "pigate: the call was aborted");
  pi.abort = new AbortController();
  const third = pi.toolCall({ id: "c" });
  assert.equal((await gate.run()).params.call, "c");
  assert.equal(await third, undefined);
});

test("an abort while the gate starts blocks at once, and the call is not put to it later", async (t) => {
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall({ id: "a" });
  const gate = await gates.next();
  const hello = await gate.next("initialize");
  pi.abort.abort();
  assert.equal(await blocked, "pigate: the call was aborted");
  pi.abort = new AbortController();
  gate.reply(hello, { protocol: 1 });
  gate.reply(await gate.next("session/start"), {});
  const next = pi.toolCall({ id: "b" });
  assert.equal((await gate.run()).params.call, "b");
  assert.equal(await next, undefined);
  assert.equal(gate.untaken("tool/abort"), 0);
});

test("the dialog closes when the gate is lost", async (t) => {
  const { pi, gate, blocked } = await asking(t);
  const { dialog } = await opened(pi, select(gate).catch(() => {}));
  gate.kill();
  assert.match((await blocked) ?? "it ran", /^pigate: the gate ended/);
  await dialog.closed;
});

test("nobody's patience runs out while a dialog is open, and all of it is back afterwards", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { pi, gate, call, blocked } = await asking(t, { id: "call_1" });
  const waiting = pi.toolCall({ id: "behind it" });
  const second = await gate.next("tool/call");
  const { dialog, answer } = await opened(pi, select(gate));
  const asked = pi.toolCall({ id: "asked meanwhile" });
  const third = await gate.next("tool/call");
  t.mock.timers.tick(24 * 3600_000);
  dialog.answer("Allow once");
  await answer;
  t.mock.timers.tick(PATIENCE_MS - 1);
  for (const message of [call, second, third]) gate.reply(message, { decision: "run" });
  assert.deepEqual(await Promise.all([blocked, waiting, asked]), [undefined, undefined, undefined]);
});

test("after the dialog the clock runs again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { pi, gate, blocked } = await asking(t);
  const { dialog, answer } = await opened(pi, select(gate));
  dialog.answer("Allow once");
  await answer;
  t.mock.timers.tick(PATIENCE_MS);
  assert.match((await blocked) ?? "it ran", /^pigate: the gate did not answer tool\/call within/);
});
