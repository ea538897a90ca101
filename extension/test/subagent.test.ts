import assert from "node:assert/strict";
import { test } from "node:test";
import { parentSession } from "../host.ts";
import { setup } from "./setup.ts";

const ID = "sub-agent:child:c";
const question = { call: ID, title: "sub-agent x · bash: make\nno rule allows it", options: ["Allow once", "Deny"] };

/** A session with a person whose gate has started. */
async function parent(t: Parameters<typeof setup>[0]) {
  const { pi, gates } = await setup(t);
  const own = pi.toolCall();
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  await own;
  pi.told.splice(0);
  return { pi, gate };
}

test("the question of a sub-agent is shown, although Pi knows no such call, and notifiers hear of it", async (t) => {
  const { pi, gate } = await parent(t);
  const answer = gate.ask("ui/select", question);
  const dialog = await pi.person.dialogs.next();
  assert.equal(dialog.title, question.title);
  dialog.answer("Allow once");
  assert.equal((await answer).result.choice, "Allow once");
  assert.deepEqual(pi.told.map(({ channel, data }) => [channel, data.requestId, data.forwarding?.requesterAgentName]), [
    ["permissions:ui_prompt", ID, "sub-agent x"],
    ["permissions:decision", ID, undefined],
  ]);
});

test("it closes when nobody waits for the answer any more", async (t) => {
  const { pi, gate } = await parent(t);
  const answer = gate.ask("ui/select", question);
  const dialog = await pi.person.dialogs.next();
  gate.tell("ui/close", { call: ID });
  await dialog.closed;
  assert.deepEqual((await answer).result, { choice: null, aborted: true });
});

test("a call that waits for a person elsewhere does not run out of patience", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { pi, gates } = await setup(t);
  const blocked = pi.toolCall();
  const gate = await gates.next();
  await gate.welcome();
  const call = await gate.next("tool/call");
  gate.tell("ui/waiting", { call: "call_1", waiting: true });
  await gate.ask("ui/nothing", {}); // the one before has arrived
  t.mock.timers.tick(24 * 3600_000);
  gate.tell("ui/waiting", { call: "call_1", waiting: false });
  gate.reply(call, { decision: "run" });
  assert.equal(await blocked, undefined);
});

test("which session began this one is read from the environment", () => {
  assert.deepEqual(parentSession("own", {}), {});
  assert.deepEqual(parentSession("own", { PI_SUBAGENT_PARENT_SESSION: "own", PI_SUBAGENT_AGENT: "x" }), {});
  assert.deepEqual(parentSession("own", { PI_SUBAGENT_PARENT_SESSION: "p" }), { parent_session: "p" });
  assert.deepEqual(parentSession("own", { PI_SUBAGENT_PARENT_SESSION: "p", PI_SUBAGENT_AGENT: "x" }), { parent_session: "p", agent: "x" });
  assert.deepEqual(parentSession("own", { PI_SUBAGENT_PARENT_SESSION: "p", PI_SUBAGENT_NAME: "y" }), { parent_session: "p", agent: "y" });
});
