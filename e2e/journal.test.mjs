// The journal in a session of the real Pi: what happens when it cannot be written, and what it proves afterwards.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { gatesOf } from "./lib/children.mjs";
import { bash, calls } from "./lib/model.mjs";
import { PIGATE } from "./lib/places.mjs";
import { ONCE, value } from "./lib/rpc.mjs";
import { scene } from "./lib/scene.mjs";

const LINUX = process.platform === "linux";

/** Lets no file of the process grow beyond so many bytes, which is what a full disk looks like to it. */
const limit = (pid, bytes) => execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:unlimited`]);

test("a disk that fills up in mid-session blocks with a reason, and recovers", { skip: !LINUX && "prlimit is Linux's" }, async (t) => {
  const { sandbox, pi } = await scene(t, { allow: ["shell:touch *"], deny: ["shell:rmdir *"] });
  const [before] = await pi.play(calls(bash("touch before.txt")));
  assert.equal(before.isError, false);
  const [gate] = gatesOf(pi);

  limit(gate, 4096);
  const [full, asked, denied] = await pi.play(calls(bash("touch full.txt")), calls(bash("make")), calls(bash("rmdir x")));
  for (const { isError, text } of [full, asked]) {
    assert.equal(isError, true);
    assert.match(text, /could not be recorded in the journal: .*journal\.db: the disk (is full|failed)/);
    assert.match(text, /the next call tries again/);
  }
  assert.match(denied.text, /denied by rule "shell:rmdir \*"/);
  assert.equal(sandbox.read("full.txt"), undefined);
  assert.deepEqual(pi.dialogs, [], "nobody is asked about what cannot be recorded");

  limit(gate, "unlimited");
  pi.answer(value(ONCE));
  const [after, once] = await pi.play(calls(bash("touch after.txt")), calls(bash("echo hi > out.txt")));
  assert.deepEqual([after, once].map(({ isError }) => isError), [false, false]);
  assert.deepEqual(gatesOf(pi), [gate], "the same gate goes on");

  const env = { ...process.env, ...sandbox.env };
  const audit = (...args) => execFileSync(PIGATE, ["audit", ...args], { env, cwd: sandbox.project, encoding: "utf8" });
  const kinds = audit("list", "--all", "--json").trim().split("\n").map((line) => JSON.parse(line).kind);
  assert.equal(kinds.filter((kind) => kind === "gap").length, 1, "a gap says what is missing");
  assert.deepEqual(kinds.slice(-3), ["prompt", "answer", "decision"]);
  assert.match(audit("verify"), /^whole: /);
});
