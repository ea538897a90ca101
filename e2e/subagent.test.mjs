// A child Pi without a person: its questions come to the dialog of the session that began it.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { bash, calls, say } from "./lib/model.mjs";
import { NODE, PI } from "./lib/places.mjs";
import { DENY, ONCE, SESSION, value } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

const SUB_AGENTS = "Allow for session and its sub-agents";

/** The call by which an agent begins a sub-agent that plays these turns, as the packages for sub-agents do. */
function begin(sandbox, name, ...turns) {
  sandbox.write(`${name}.txt`, sandbox.model.script([...turns, say("Child over.")]));
  return bash(`PI_SUBAGENT_PARENT_SESSION=$PI_SESSION_ID PI_SUBAGENT_AGENT=${name} '${NODE}' '${PI}' -p "$(cat ${name}.txt)"`);
}

/** A session whose own calls are answered by yes, those of sub-agents by the next of the answers. */
async function family(t, answers, wish = {}) {
  const { sandbox, pi } = await scene(t, wish);
  pi.answerBy(({ title }) => (title.startsWith("sub-agent ") ? answers.shift() : value(ONCE)));
  const asked = () => pi.dialogs.filter(({ title }) => title?.startsWith("sub-agent "));
  return { sandbox, pi, asked };
}

/** What the journal tells of the calls of a sub-agent. */
async function story(sandbox) {
  const told = (await sandbox.decisions()).filter(({ detail }) => detail.has_ui === false);
  return told.map(({ answer, decision, basis, detail }) => [answer, decision, basis, detail.asked_in ? "asked elsewhere" : "-"].join(" "));
}

test("the question of a sub-agent is put in the session that began it, under its name", async (t) => {
  const { sandbox, pi, asked } = await family(t, [value(ONCE), value(DENY)]);
  await pi.play(calls(begin(sandbox, "reviewer", calls(bash("touch yes.txt")), calls(bash("touch no.txt")))));
  assert.deepEqual(asked().map(({ title }) => title.split("\n")[0]), ["sub-agent reviewer · bash: touch yes.txt", "sub-agent reviewer · bash: touch no.txt"]);
  assert.deepEqual(asked()[0].options, [ONCE, SESSION, DENY, "Deny, and say why...", SUB_AGENTS]);
  assert.equal(sandbox.read("yes.txt"), "");
  assert.equal(sandbox.read("no.txt"), undefined);
  assert.deepEqual(await story(sandbox), ["once run user asked elsewhere", "deny block user asked elsewhere"]);

  const sessions = (await sandbox.pigate("audit", "sessions", "--json")).trim().split("\n").map((line) => JSON.parse(line));
  const child = sessions.find(({ parent_session }) => parent_session);
  const parent = sessions.find(({ parent_session }) => !parent_session);
  assert.equal(child.parent_session, parent.session);
  assert.match(await sandbox.pigate("audit", "session", parent.session), new RegExp(`sub-agent ${child.session} reviewer`));
  const told = await sandbox.pigate("audit", "session", child.session);
  assert.match(told, new RegExp(`parent +${parent.session}\\nagent +reviewer`));
  assert.match(told, /touch yes\.txt: allowed once after .* in the session that began it/);
});

test("an approval of the session covers its sub-agents only when it is given to them", async (t) => {
  const { sandbox, pi, asked } = await family(t, [value(SUB_AGENTS)]);
  const same = bash("rm -f made.txt && touch made.txt");
  await pi.play(calls(begin(sandbox, "first", calls(same))), calls(begin(sandbox, "second", calls(same))), calls(same));
  assert.equal(asked().length, 1);
  assert.equal(sandbox.read("made.txt"), "");
  assert.deepEqual(await story(sandbox), ["session run user asked elsewhere", "session run user asked elsewhere"]);

  const other = await family(t, [value(DENY)]);
  other.pi.answerBy(({ title }) => (title.startsWith("sub-agent ") ? value(DENY) : value(SESSION)));
  await other.pi.play(calls(same), calls(begin(other.sandbox, "third", calls(same))));
  assert.equal(other.asked().length, 1, "its own approval does not cover the sub-agent");
  assert.deepEqual(await story(other.sandbox), ["deny block user asked elsewhere"]);
});

test("deny rules hold for a sub-agent, and without its parent it is blocked", async (t) => {
  const { sandbox, pi, asked } = await family(t, [], { deny: ["shell:rm *"] });
  await pi.play(calls(begin(sandbox, "bold", calls(bash("rm -f x")))));
  assert.equal(asked().length, 0);
  const alone = await sandbox.pi(["-p", sandbox.model.script([calls(bash("touch no.txt")), say("Over.")])], { env: { PI_SUBAGENT_PARENT_SESSION: "gone" } });
  assert.equal(alone.code, 0);
  assert.equal(sandbox.read("no.txt"), undefined);
  assert.deepEqual(await story(sandbox), [" block rule -", "no-ui block no-ui -"]);
});

test("docs/tour.md shows a sub-agent's question, and both sessions in the journal", async (t) => {
  const { sandbox, pi, asked } = await family(t, [value(ONCE)]);
  await pi.play(calls(begin(sandbox, "reviewer", calls(bash("git push origin main")))));
  const [{ title, options }] = asked();
  const sessions = (await sandbox.pigate("audit", "sessions", "--json")).trim().split("\n").map((line) => JSON.parse(line));
  const [parent, child] = [false, true].map((sub) => sessions.find(({ parent_session }) => Boolean(parent_session) === sub));
  // Ids, times and the place differ from run to run.
  const head = async ({ session }) => (await sandbox.pigate("audit", "session", session)).replaceAll(sandbox.project, "/home/u/shop").split("\n\n")[0];
  const shown = [
    [title, "", ...options.map((option, i) => `${i ? "  " : "→ "}${option}`)].join("\n"),
    await head(parent),
    await head(child),
  ];
  const tour = fs.readFileSync(new URL("../docs/tour.md", import.meta.url), "utf8");
  const same = (text) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\d|\d\d-\d\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d|[+-]\d\d:\d\d|\b\d+(\.\d+)? (m?s|µs)\b|\b\d+(\.\d+)?(s|ms)\b/g, "…").replaceAll(/ +/g, " ");
  for (const part of shown) assert.ok(same(tour).includes(`\`\`\`text\n${same(part)}\n\`\`\`\n`), `docs/tour.md does not show:\n${part}`);
});
