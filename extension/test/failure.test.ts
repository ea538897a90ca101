import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type FakeGate, type FakeGates, type Message, PATIENCE_MS } from "./fake-gates.ts";
import type { FakePi } from "./fake-pi.ts";
import { setup } from "./setup.ts";

const WINDOWS = process.platform === "win32";

test("no gate: the call is blocked with what to do, and the next one looks again", async (t) => {
  const { pi, gates } = await setup(t);
  const env = gates.env({ PIGATE_BIN: "", PATH: "", Path: "" });
  const lost = await setup(t, { env, extensionDir: join(gates.folder, "nowhere", "extension") });
  const reason = await lost.pi.toolCall();
  assert.equal(
    reason,
    "pigate: the gate could not be started: there is no pigate on PATH, nor beside the extension\n" +
      "hint: install it with `go install github.com/pigate/pigate/cmd/pigate@latest`, or set PIGATE_BIN to its file; " +
      "`pigate doctor` tells more",
  );
  env["PIGATE_BIN"] = gates.program;
  const blocked = lost.pi.toolCall();
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  assert.equal(await blocked, undefined);
  assert.equal(pi.person.notices.size, 0);
});

test("no gate at session_start: the person is told at once", async (t) => {
  const { pi } = await setup(t, { env: { PIGATE_BIN: "/nowhere/pigate" } });
  await pi.emit("session_start", { reason: "startup" });
  const { level, message } = await pi.person.notices.next();
  assert.equal(level, "error");
  assert.match(message, /^pigate: the gate could not be started: PIGATE_BIN is not a(n absolute path|\sprogram): /);
});

test("a program that the system cannot run blocks", { skip: WINDOWS && "there every file can be tried" }, async (t) => {
  const { gates } = await setup(t);
  const file = join(gates.folder, "broken");
  writeFileSync(file, "#!/nowhere/interpreter\n");
  chmodSync(file, 0o755);
  const { pi } = await setup(t, { env: gates.env({ PIGATE_BIN: file }) });
  assert.match((await pi.toolCall()) ?? "it ran", /^pigate: the gate could not be started: .*ENOENT\nhint: install it/);
});

test("a working folder that is gone blocks", async (t) => {
  const { pi, gates } = await setup(t);
  pi.cwd = join(gates.folder, "gone");
  assert.equal(await pi.toolCall(), `pigate: the gate could not be started: the folder ${pi.cwd} is gone`);
});

/** A call that meets a gate which fails in some way: it is blocked, and the next call has a fresh gate. */
function failing(name: string, fail: (gate: FakeGate) => Promise<void> | void, expected: RegExp): void {
  test(name, async (t) => {
    const { pi, gates } = await setup(t);
    const blocked = pi.toolCall();
    const gate = await gates.next();
    await fail(gate);
    assert.match((await blocked) ?? "it ran", expected);
    await gate.gone;
    await nextCallRuns(pi, gates);
  });
}

async function nextCallRuns(pi: FakePi, gates: FakeGates): Promise<void> {
  const next = pi.toolCall({ id: "call_2" });
  const fresh = await gates.next();
  const { start } = await fresh.welcome();
  assert.equal(start.params.reason, "reload");
  await fresh.run();
  assert.equal(await next, undefined);
}

async function asked(gate: FakeGate): Promise<Message> {
  await gate.welcome();
  return gate.next("tool/call");
}

failing(
  "a gate that exits before initialize, with its last words",
  async (gate) => {
    await gate.next("initialize");
    gate.order({ err: "one\ntwo\nthree\nfour\nfive\npigate: journal: \u001b[2Jno space\n", exit: 3 });
  },
  /^pigate: the gate ended \(exit code 3\)\n  two\n  three\n  four\n  five\n  pigate: journal: \\u\{1b\}\[2Jno space\nhint: /,
);

failing(
  "a gate that exits during a call",
  async (gate) => {
    await asked(gate);
    gate.order({ exit: 0 });
  },
  /^pigate: the gate ended \(exit code 0\)\nhint: nothing ran; the next call starts a fresh gate/,
);

failing(
  "a gate that is killed during a call",
  async (gate) => {
    await asked(gate);
    gate.kill();
  },
  WINDOWS ? /^pigate: the gate ended/ : /^pigate: the gate ended \(SIGKILL\)/,
);

failing(
  "a gate that refuses the version",
  async (gate) => gate.replyError(await gate.next("initialize"), "pigate 9.0.0 speaks version 9: run `pigate install`", -32001),
  /^pigate 9\.0\.0 speaks version 9: run `pigate install`$/,
);

failing(
  "a gate that answers with a version nobody offered",
  async (gate) => gate.reply(await gate.next("initialize"), { protocol: 2, version: "9" }),
  /^pigate: the gate sent what is not the protocol: it answered initialize with version 2/,
);

failing(
  "a gate that cannot open the session",
  async (gate) => {
    gate.reply(await gate.next("initialize"), { protocol: 1 });
    gate.replyError(await gate.next("session/start"), "session/start: \"cwd\" is not an absolute path", -32602);
  },
  /^pigate: session\/start: "cwd" is not an absolute path$/,
);

for (const [name, line] of Object.entries({
  "that is not JSON": "no such command\n",
  "that is empty": "\n",
  "that is a list": "[]\n",
  "of no kind at all": '{"jsonrpc":"2.0"}\n',
  "of another JSON-RPC": '{"jsonrpc":"1.0","id":3,"result":{"decision":"run"}}\n',
  "that answers nothing": '{"jsonrpc":"2.0","id":99,"result":{"decision":"run"}}\n',
  "whose id is a text": '{"jsonrpc":"2.0","id":"3","result":{"decision":"run"}}\n',
  "with a result and an error": '{"jsonrpc":"2.0","id":3,"result":{"decision":"run"},"error":{"code":1,"message":"x"}}\n',
  "with neither": '{"jsonrpc":"2.0","id":3}\n',
})) {
  failing(
    `a line ${name}`,
    async (gate) => {
      assert.equal((await asked(gate)).id, 3);
      gate.order({ out: line });
    },
    /^pigate: the gate sent what is not the protocol: /,
  );
}

for (const answer of [null, "run", {}, { decision: "Run" }, { decision: "run " }, { decision: true }, { decision: ["run"] }]) {
  failing(
    `the answer ${JSON.stringify(answer)} to tool/call`,
    async (gate) => gate.reply(await asked(gate), answer),
    /^pigate: the gate sent what is not the protocol: its answer to tool\/call is neither run nor block/,
  );
}

failing(
  "a gate that floods its output without ending the line",
  async (gate) => {
    await asked(gate);
    gate.order({ flood: true });
  },
  /^pigate: the gate sent what is not the protocol: a line is longer than 4194304 bytes/,
);

failing(
  "an answer that is cut off by the gate's end",
  async (gate) => {
    await asked(gate);
    gate.order({ out: '{"jsonrpc":"2.0","id":3,"result":{"decision":"run"}}', exit: 1 });
  },
  /^pigate: the gate ended \(exit code 1\)/,
);

test("a gate that closed its input: the call is blocked and the gate killed", async (t) => {
  const { pi, gates } = await setup(t);
  const first = pi.toolCall({ id: "call_1" });
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  await first;
  gate.order({ deaf: true });
  await gate.eof;
  assert.match((await pi.toolCall({ id: "b" })) ?? "it ran", /^pigate: the gate takes no more calls \(/);
  await gate.gone;
  await nextCallRuns(pi, gates);
});

test("an error in answer to tool/call blocks with its message, and the gate lives on", async (t) => {
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall();
  const gate = await gates.next();
  gate.replyError(await asked(gate), "the gate failed on this call: boom");
  assert.equal(await blocked, "pigate: the gate failed on this call: boom");
  const next = pi.toolCall({ id: "call_2" });
  await gate.run();
  assert.equal(await next, undefined);
});

test("an answer right before the gate's end counts", async (t) => {
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall();
  const gate = await gates.next();
  gate.reply(await asked(gate), { decision: "run" });
  gate.order({ exit: 1 });
  assert.equal(await blocked, undefined);
});

test("a call that fails blocks those beside it", async (t) => {
  const { pi, gates } = await setup(t);
  const calls = [pi.toolCall({ id: "a" }), pi.toolCall({ id: "b" })];
  const gate = await gates.next();
  await gate.welcome();
  gate.reply(await gate.next("tool/call"), { decision: "maybe" });
  for (const reason of await Promise.all(calls)) assert.match(reason ?? "it ran", /is not the protocol/);
});

test("an answer that does not come: the call is blocked and the gate killed", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall();
  const gate = await gates.next();
  await asked(gate);
  t.mock.timers.tick(PATIENCE_MS);
  assert.match(
    (await blocked) ?? "it ran",
    /^pigate: the gate did not answer tool\/call within 120000 ms\nhint: nothing ran; .* PIGATE_TIMEOUT_MS sets/,
  );
  await gate.gone;
  await nextCallRuns(pi, gates);
});

test("an answer in time is no late answer, and later calls have their own time", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { pi, gates } = await setup(t);
  const first = pi.toolCall({ id: "a" });
  const gate = await gates.next();
  const call = await asked(gate);
  t.mock.timers.tick(PATIENCE_MS - 1);
  gate.reply(call, { decision: "run" });
  assert.equal(await first, undefined);
  t.mock.timers.tick(10 * PATIENCE_MS);
  const second = pi.toolCall({ id: "b" });
  await gate.run();
  assert.equal(await second, undefined);
});

test("PIGATE_TIMEOUT_MS sets the patience", async (t) => {
  const { gates } = await setup(t);
  const { pi } = await setup(t, { env: gates.env({ PIGATE_TIMEOUT_MS: "50" }) });
  assert.match((await pi.toolCall()) ?? "it ran", /^pigate: the gate did not answer initialize within 50 ms/);
});

test("a PIGATE_TIMEOUT_MS of nonsense is named once", async (t) => {
  const { gates } = await setup(t);
  const { pi } = await setup(t, { env: gates.env({ PIGATE_TIMEOUT_MS: "soon" }) });
  const blocked = pi.toolCall();
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  await blocked;
  const { level, message } = await pi.person.notices.next();
  assert.equal(level, "warning");
  assert.equal(message, "pigate: PIGATE_TIMEOUT_MS is not a number of milliseconds, 10000 is used");
  assert.equal(pi.person.notices.size, 0);
});
