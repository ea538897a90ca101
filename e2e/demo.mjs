// The gate at work in the real Pi: a scripted agent makes the calls, and a scripted person answers the dialogs.
// Tells each call and how it went, then shows the journal. Exits 0 only if everything went as told.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { acts, config, files, unattended } from "./lib/play.mjs";
import { calls } from "./lib/model.mjs";
import { Rpc } from "./lib/rpc.mjs";
import { Sandbox } from "./lib/sandbox.mjs";

const say = (text = "") => process.stdout.write(`${text}\n`);
const shorten = (text, width = 96) => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

/** The line of the text that says what the act is about, else the first. */
function gist(text, pattern) {
  const lines = text.trim().split("\n");
  return shorten(lines.find((line) => pattern?.test(line)) ?? lines[0]);
}

/** How a person at the terminal would see the call. */
function headline({ tool, input }) {
  if (tool === "bash") return `$ ${input.command}`;
  if (tool === "codemode") return `script:\n${input.code.replaceAll(/^/gm, "        ")}`;
  const rest = Object.entries(input).filter(([name]) => name !== "path");
  const words = rest.map(([name, value]) => `${name}=${shorten(JSON.stringify(value), 50)}`);
  return [tool, input.path, ...words].filter(Boolean).join(" ");
}

async function perform(act, number, pi, sandbox) {
  say(`${String(number).padStart(2)}. ${act.says}`);
  say(`    ${headline(act.call)}`);
  const before = pi.dialogs.length;
  pi.answer(...(act.answers ?? []).map(({ reply }) => reply));
  const [result] = await pi.play(calls(act.call));

  const dialogs = pi.dialogs.slice(before);
  assert.equal(dialogs.length, act.answers?.length ?? 0, "as many dialogs as answers");
  for (const [i, { method, title, options, prefill }] of dialogs.entries()) {
    if (method === "editor") say(`    the editor opens with ${prefill.trim().split("\n").join(", ")}`);
    else for (const line of title.split("\n")) say(`    │ ${line}`);
    if (options) say(`    │ [${options.join("] [")}]`);
    say(`    the person: ${act.answers[i].told}`);
  }
  say(`    → ${act.runs ? "runs" : "blocked"}; the model gets: ${gist(result.text, act.tells)}`);
  assert.equal(result.isError, !act.runs || Boolean(act.fails), result.text);
  for (const [name, text] of Object.entries(act.leaves ?? {})) assert.equal(sandbox.read(name), text, `the text of ${name}`);
  if (act.tells) assert.match(result.text, act.tells);
  say();
}

const sandbox = await Sandbox.make({ install: false, mcp: true, trusted: true, config });
try {
  for (const [name, text] of Object.entries(files)) sandbox.write(name, text);
  say("$ pigate install");
  say(await sandbox.pigate("install"));

  const pi = new Rpc(sandbox, ["--tools", "+codemode"]);
  try {
    for (const [index, act] of acts.entries()) await perform(act, index + 1, pi, sandbox);
  } finally {
    await pi.close();
  }

  say(`${acts.length + 1}. ${unattended.says}`);
  say(`    ${headline(unattended.call)}`);
  const { code } = await sandbox.pi(["-p", sandbox.model.script([calls(unattended.call)])]);
  assert.equal(code, 0);
  const [told] = sandbox.model.resultsSince(sandbox.model.requests.length - 1);
  say(`    → blocked; the model gets: ${gist(told.text, unattended.tells)}`);
  assert.match(told.text, unattended.tells);
  say();

  say("$ pigate audit list");
  say(await sandbox.pigate("audit", "list"));
  assert.deepEqual(await sandbox.story(), [...acts, unattended].flatMap(({ journal }) => journal));
  // The sandbox goes; the page stays, to be looked at.
  const page = path.join(import.meta.dirname, "..", "bin", "demo-report.html");
  await sandbox.pigate("report", "-o", page);
  say("$ pigate report -o bin/demo-report.html");
  say();
  say("Everything went as told. The report of this session is bin/demo-report.html.");
} finally {
  await sandbox.model.close();
  fs.rmSync(sandbox.root, { recursive: true, force: true, maxRetries: 10 });
}
