// What the rules and the configuration files decide without a person.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { bash, call, calls } from "./lib/model.mjs";
import { DENY, DENY_WHY, ONCE, value } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

test("an allowed command runs in silence, and the journal names the rule and its file", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:touch *"] });

  const [result] = await pi.play(calls(bash("touch quiet.txt")));
  assert.equal(result.isError, false);
  assert.equal(sandbox.read("quiet.txt"), "");
  assert.deepEqual([pi.dialogs, pi.notices], [[], []]);
  assert.deepEqual(await sandbox.story(), ["bash allow - run rule"]);
  const [{ reasons }] = await sandbox.decisions();
  assert.equal(reasons[0].rule, "shell:touch *");
  assert.equal(reasons[0].file, sandbox.globalConfig);
});

test("a deny rule wins over an allow rule, opens no dialog, and gives the model the reason", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:*"], deny: ["shell:rm -rf *"] });
  sandbox.write("keep/it.txt", "here");

  const [result] = await pi.play(calls(bash("pwd && rm -rf keep")));
  assert.equal(result.isError, true);
  assert.match(result.text, /shell:rm -rf \*/);
  assert.equal(sandbox.read("keep/it.txt"), "here");
  assert.equal(pi.dialogs.length, 0);
  assert.deepEqual(await sandbox.story(), ["bash deny - block rule"]);
});

test("one part of a command that no rule covers makes the whole ask", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:pwd"] });
  pi.answer(value(DENY));

  await pi.play(calls(bash("pwd && touch no.txt")));
  assert.equal(pi.dialogs.length, 1);
  assert.equal(sandbox.read("no.txt"), undefined);
});

test("reading passes, and is journaled; a deny rule stops it all the same", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: [] });
  sandbox.write("notes.txt", "the notes");

  const [read] = await pi.play(calls(call("read", { path: "notes.txt" })));
  assert.match(read.text, /the notes/);
  assert.equal(pi.dialogs.length, 0);

  sandbox.writeJson(sandbox.globalConfig, { allow: [], deny: ["read"] });
  const [denied] = await pi.play(calls(call("read", { path: "notes.txt" })));
  assert.equal(denied.isError, true);
  assert.doesNotMatch(denied.text, /the notes/);
  assert.deepEqual(await sandbox.story(), ["read pass - run pass", "read deny - block rule"]);
});

test("an edit inside the project follows the rules, outside it asks whatever they say", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["edit"] });
  const outside = path.join(sandbox.root, "outside.txt");
  pi.answer(value(DENY), value(ONCE));
  sandbox.write("docs/a.md", "old words");

  const results = await pi.play(
    calls(call("edit", { path: "docs/a.md", edits: [{ oldText: "old", newText: "new" }] })),
    calls(call("write", { path: outside, content: "no" })),
    calls(call("write", { path: "../outside.txt", content: "yes" })),
  );
  assert.deepEqual(results.map(({ isError }) => isError), [false, true, false]);
  assert.equal(sandbox.read("docs/a.md"), "new words");
  assert.equal(sandbox.read(outside), "yes");
  assert.equal(pi.dialogs.length, 2);
  const [, entry] = await sandbox.decisions();
  assert.match(JSON.stringify(entry.reasons), /outside-project/);
});

test("the gate's own files ask whatever the rules say", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["edit", "write"] });
  pi.answer(value(DENY));

  const [result] = await pi.play(calls(call("write", { path: ".pi/allowlist-gate.json", content: '{"allow":["shell"]}' })));
  assert.equal(result.isError, true);
  assert.equal(sandbox.read(sandbox.projectConfig), undefined);
  const [{ reasons }] = await sandbox.decisions();
  assert.match(JSON.stringify(reasons), /self-protection/);
});

test("a broken configuration file makes everything ask, and warns once", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:touch *"], deny: ["shell:mkdir *"] });
  await pi.play(calls(bash("touch before.txt")));
  assert.equal(pi.dialogs.length, 0);

  sandbox.write(sandbox.globalConfig, '{"allow": ["shell:touch *"],');
  pi.answer(value(DENY), value(ONCE));
  const results = await pi.play(calls(bash("touch a.txt")), calls(bash("touch b.txt")), calls(bash("mkdir made")));
  assert.deepEqual(results.map(({ isError }) => isError), [true, false, true]);
  assert.equal(pi.dialogs.length, 2, "the last good deny rule still blocks by itself");
  assert.equal(pi.notices.filter((notice) => notice.includes("allowlist-gate.json")).length, 1, pi.notices.join("\n"));
});

test("a configuration that is broken from the start is told too", async (t) => {
  const { sandbox, pi } = await scene(t);
  sandbox.write(sandbox.globalConfig, "allow everything, please");

  const results = await pi.play(calls(bash("pwd")), calls(bash("pwd")));
  assert.deepEqual(results.map(({ isError }) => isError), [true, true]);
  assert.equal(pi.dialogs.length, 2);
  assert.equal(pi.notices.filter((notice) => notice.includes("allowlist-gate.json")).length, 1, pi.notices.join("\n"));
  assert.equal(sandbox.read(sandbox.globalConfig), "allow everything, please");
});

test("the project's file is ignored, with a warning, while the project is not trusted", async (t) => {
  const { sandbox, pi } = await scene(t, { allow: [], trusted: false, project: { allow: ["shell:*"] } });
  sandbox.writeJson(`${sandbox.project}/.pi/settings.json`, {}); // what makes Pi ask for trust at all
  pi.answer(value(DENY));

  const [result] = await pi.play(calls(bash("touch no.txt")));
  assert.equal(result.isError, true);
  assert.deepEqual(pi.dialogs[0].options, [ONCE, "Allow for session", DENY, DENY_WHY]);
  assert.ok(pi.notices.some((notice) => /trust/i.test(notice)), pi.notices.join("\n"));
});

test("a disabled gate lets everything run, and says so in the journal", async (t) => {
  const { sandbox, pi } = await scene(t, { config: { enabled: false } });

  await pi.play(calls(bash("touch free.txt")));
  assert.equal(sandbox.read("free.txt"), "");
  const [entry] = await sandbox.decisions();
  assert.deepEqual([entry.decision, entry.basis], ["run", "disabled"]);
});

test("MCP tools follow the rules for their server, and deny wins", async (t) => {
  const { sandbox, pi } = await scene(t, { mcp: true, allow: ["mcp:toy-records:read-*"], deny: [] });
  pi.answer(value(ONCE));
  const [read, gone] = await pi.play(
    calls(call("mcp__toy_records__read_record", { id: "7" })),
    calls(call("mcp__toy_records__delete_record", { id: "7" })),
  );
  assert.deepEqual([read.text, gone.text], ["record 7", "record 7 is gone"]);
  assert.equal(pi.dialogs.length, 1);
  assert.match(pi.dialogs[0].title, /delete_record/);
  assert.equal(sandbox.read("../deleted-7"), "");

  sandbox.writeJson(sandbox.globalConfig, { allow: ["mcp:toy-records"], deny: ["mcp:toy-records:delete-*"] });
  const [denied] = await pi.play(calls(call("mcp__toy_records__delete_record", { id: "8" })));
  assert.equal(denied.isError, true);
  assert.equal(sandbox.read("../deleted-8"), undefined);
  assert.deepEqual(await sandbox.story(), [
    "mcp__toy_records__read_record allow - run rule",
    "mcp__toy_records__delete_record ask once run user",
    "mcp__toy_records__delete_record deny - block rule",
  ]);
});
