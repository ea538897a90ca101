/** One Pi with the extension and gates to play, put away when the test ends. */
import type { TestContext } from "node:test";
import { createGate, type Options } from "../gate.ts";
import { FakeGates, PATIENCE_MS } from "./fake-gates.ts";
import { FakePi } from "./fake-pi.ts";

export async function setup(t: TestContext, options: Options = {}): Promise<{ pi: FakePi; gates: FakeGates }> {
  const gates = await FakeGates.open();
  t.after(() => gates.close());
  const pi = new FakePi();
  const gate = createGate(pi.api, {
    env: gates.env(),
    extensionDir: gates.folder,
    hostVersion: async () => "1.6.0",
    graceMs: PATIENCE_MS,
    ...options,
  });
  pi.on("tool_call", (event, ctx) => gate.toolCall(event, ctx));
  // Shut down here whatever a test leaves running: without its test nobody answers the process any more.
  t.after(() => pi.emit("session_shutdown", { reason: "quit" }));
  return { pi, gates };
}
