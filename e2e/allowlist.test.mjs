// What /allowlist tells of the journal, and what the dialog remembers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bash, calls } from "./lib/model.mjs";
import { DENY, ONCE, value } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

const touch = (name) => calls(bash(`touch ${name}`));

/** Types a line, and resolves to the notice that it leads to. */
async function told(pi, line) {
  const before = pi.notices.length;
  await pi.type(line);
  assert.equal(pi.notices.length, before + 1, pi.notices.slice(before).join("\n"));
  return pi.notices.at(-1);
}

test("/allowlist log shows the last decisions, newest last", async (t) => {
  const { pi } = await scene(t, { allow: ["shell:pwd"], deny: ["shell:rm *"] });
  assert.match(await told(pi, "/allowlist log"), /^Nothing was decided/);
  pi.answer(value(ONCE), value(DENY));
  await pi.play(touch("a.txt"), calls(bash("pwd")), touch("b.txt"), calls(bash("rm a.txt")));

  const lines = (await told(pi, "/allowlist log")).split("\n").slice(1, -1);
  assert.equal(lines.length, 4);
  for (const [i, part] of [/ran +you: allowed once +bash: touch a\.txt$/, /ran +shell:pwd +bash: pwd$/, /blocked +you: denied +bash: touch b\.txt$/, /blocked +shell:rm \* +bash: rm a\.txt$/].entries()) {
    assert.match(lines[i], part);
  }
  assert.match(await told(pi, "/allowlist log 1"), /rm a\.txt/);
  assert.doesNotMatch(pi.notices.at(-1), /touch/);
  assert.match(await told(pi, "/allowlist log all"), /usage: \/allowlist/);
});

test("/allowlist why explains the last question or block", async (t) => {
  const { pi } = await scene(t, { allow: ["shell:pwd", "shell:touch a.txt"], deny: ["shell:rm *"] });
  assert.match(await told(pi, "/allowlist why"), /^Nothing was asked or blocked/);
  pi.answer(value(ONCE));
  await pi.play(calls(bash("touch a.txt && touch b.txt")), calls(bash("pwd")));
  const asked = await told(pi, "/allowlist why");
  assert.match(asked, /^bash: touch a\.txt && touch b\.txt\nAsked at .*; allowed once after .*: ran\.\nWhy:\n {2}no rule allows it: touch b\.txt\n/);
  assert.match(asked, /so far: allowed once, just now/);

  await pi.play(calls(bash("pwd; rm a.txt")));
  const blocked = await told(pi, "/allowlist why");
  assert.match(blocked, /^bash: pwd; rm a\.txt\nBlocked at .* by a deny rule\.\nWhy:\n {2}rule "shell:rm \*" \(.*allowlist-gate\.json:\d+\): rm a\.txt\n/);
});

test("the dialog tells what became of the same call before", async (t) => {
  const { pi } = await scene(t);
  pi.answerBy(() => value(ONCE));
  await pi.play(touch("other.txt"));
  const lineOf = async (command) => {
    await pi.play(calls(bash(command)));
    return pi.dialogs.at(-1).title.split("\n")[1];
  };
  assert.equal(await lineOf("touch a.txt"), "no rule allows it");
  // A history that is not there in time is left out: on a busy machine the second run may have to be a later one.
  for (let allowed = 1, line = ""; !line.startsWith("allowed"); allowed++) {
    assert.ok(allowed < 20, "no dialog told the history");
    line = await lineOf("touch a.txt");
    const times = ["", "once,", "twice, last", `${allowed} times, last`][Math.min(allowed, 3)];
    const told = [`allowed ${times} just now · no rule allows it`, "no rule allows it"];
    assert.ok(told.includes(line), line);
  }

  pi.answerBy(() => value(DENY));
  await pi.play(touch("no.txt"));
  assert.match(await told(pi, "/allowlist why"), /so far: denied once, just now$/m);
});
