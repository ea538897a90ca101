import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { FakeGates } from "./fake-gates.ts";

const script = `
  import { createGate } from ${JSON.stringify(new URL("../gate.ts", import.meta.url).href)};
  import { FakePi } from ${JSON.stringify(new URL("fake-pi.ts", import.meta.url).href)};
  const pi = new FakePi();
  const gate = createGate(pi.api, { hostVersion: async () => "1.6.0" });
  pi.on("tool_call", (event, ctx) => gate.toolCall(event, ctx));
  console.log(await pi.toolCall() ?? "ran");
`;

test("a program that embeds Pi and never shuts its session down can still end, and its gate with it", async (t) => {
  const gates = await FakeGates.open();
  t.after(() => gates.close());
  const program = spawn(process.execPath, ["--input-type=module", "-e", script], {
    env: gates.env(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(program, "exit");
  let printed = "";
  program.stdout.on("data", (chunk) => (printed += chunk));
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  assert.deepEqual(await exit, [0, null]);
  assert.equal(printed, "ran\n");
  await gate.eof;
});
