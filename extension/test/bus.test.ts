import assert from "node:assert/strict";
import { test } from "node:test";
import { setup } from "./setup.ts";

const input = { command: "git push" };
const about = { requestId: "call_1", source: "tool_call", surface: "bash", value: "git push", agentName: null };

test("notifiers hear of a question, once, and of what was decided", async (t) => {
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall({ input });
  const gate = await gates.next();
  await gate.welcome();
  const call = await gate.next("tool/call");
  for (const title of ["bash: git push", "bash: git push (asked again)"]) {
    const answer = gate.ask("ui/select", { call: "call_1", title, options: ["Allow once"] });
    (await pi.person.dialogs.next()).answer("Allow once");
    await answer;
  }
  gate.reply(call, { decision: "run", verdict: "ask", basis: "user" });
  assert.equal(await blocked, undefined);
  assert.deepEqual(pi.told, [
    { channel: "permissions:ui_prompt", data: { ...about, message: "bash: git push", forwarding: null } },
    { channel: "permissions:decision", data: { ...about, result: "allow", resolution: "user_approved", verdict: "ask", basis: "user" } },
  ]);
});

for (const [answer, want] of [
  [{ decision: "block", reason: "no", verdict: "deny", basis: "rule" }, { result: "deny", resolution: "policy_deny", verdict: "deny", basis: "rule" }],
  [{ decision: "run", verdict: "allow", basis: "rule" }, { result: "allow", resolution: "policy_allow", verdict: "allow", basis: "rule" }],
  [{ decision: "run", verdict: "ask", basis: "grant" }, { result: "allow", resolution: "session_allow", verdict: "ask", basis: "grant" }],
  [{ decision: "block", reason: "no", verdict: "ask", basis: "no-ui" }, { result: "deny", resolution: "confirmation_unavailable", verdict: "ask", basis: "no-ui" }],
  [{ decision: "perhaps" }, { result: "deny", resolution: "gate_error", verdict: null, basis: null }],
] as const) {
  test(`notifiers hear ${want.resolution}`, async (t) => {
    const { pi, gates } = await setup(t);
    const blocked = pi.toolCall({ input });
    const gate = await gates.next();
    await gate.welcome();
    gate.reply(await gate.next("tool/call"), answer);
    await blocked;
    assert.deepEqual(pi.told, [{ channel: "permissions:decision", data: { ...about, ...want } }]);
  });
}
