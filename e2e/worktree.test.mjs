// Pi in a worktree and in a subfolder of a repository: the rules of the repository count.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { bash, call, calls } from "./lib/model.mjs";
import { DENY, Rpc, SAVE, value } from "./lib/rpc.mjs";
import { Sandbox } from "./lib/sandbox.mjs";

const RULES = { allow: ["shell:touch *", "edit:packages/api/src/*"], deny: ["shell:mkdir *", "edit:secrets/*"] };

/** A repository that the person trusts and whose .pi is not part of it, with a worktree beside it. */
async function repository(t) {
  const sandbox = await Sandbox.for(t, { allow: [], project: RULES, trusted: true });
  sandbox.write(".gitignore", ".pi\n");
  sandbox.write("packages/api/src/x.txt", "x\n");
  const git = (...args) => execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: sandbox.project });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "x");
  const worktree = path.join(sandbox.root, "worktree");
  git("worktree", "add", "-q", worktree);
  return { sandbox, main: sandbox.project, worktree };
}

/** Pi, started in a folder. */
function piIn(t, sandbox, folder) {
  sandbox.project = folder;
  return Rpc.for(t, sandbox);
}

test("a worktree has the rules of its main checkout, and what is saved there is saved in that", async (t) => {
  const { sandbox, main, worktree } = await repository(t);
  const pi = piIn(t, sandbox, worktree);
  pi.answer(value(SAVE), value("shell:cp *"));
  const [allowed, denied, saved, again] = await pi.play(
    calls(bash("touch made.txt")),
    calls(bash("mkdir made")),
    calls(bash("cp made.txt copy.txt")),
    calls(bash("cp made.txt twice.txt")),
  );
  assert.deepEqual([allowed, denied, saved, again].map(({ isError }) => isError), [false, true, false, false]);
  assert.ok(denied.text.includes(path.join(main, ".pi", "allowlist-gate.json")), denied.text);
  assert.equal(sandbox.read("twice.txt"), "");
  assert.deepEqual(sandbox.readJson(path.join(main, ".pi", "allowlist-gate.json")).allow, [...RULES.allow, "shell:cp *"]);
  assert.equal(fs.existsSync(path.join(worktree, ".pi")), false);

  await pi.type("/allowlist");
  const report = pi.notices.at(-1);
  assert.match(report, /^Project trust: Trusted$/m);
  assert.ok(report.includes(`  project: ${path.join(main, ".pi", "allowlist-gate.json")} (found)`), report);
});

test("in a subfolder the paths of the repository's rules mean the same files", async (t) => {
  const { sandbox, main } = await repository(t);
  const pi = piIn(t, sandbox, path.join(main, "packages", "api"));
  pi.answer(value(DENY));
  const [inside, beside, secret] = await pi.play(
    calls(call("write", { path: "src/new.txt", content: "new" })),
    calls(call("write", { path: "other.txt", content: "no" })),
    calls(call("write", { path: "../../secrets/key", content: "no" })),
  );
  assert.deepEqual([inside, beside, secret].map(({ isError }) => isError), [false, true, true]);
  assert.equal(sandbox.read("src/new.txt"), "new");
  assert.equal(pi.dialogs.length, 1, "what the repository denies is not asked about");
});

test("a folder that only claims to be a worktree gets no rules", async (t) => {
  const { sandbox, worktree } = await repository(t);
  const claims = path.join(sandbox.root, "claims");
  fs.mkdirSync(claims);
  fs.copyFileSync(path.join(worktree, ".git"), path.join(claims, ".git"));
  const pi = piIn(t, sandbox, claims);
  pi.answer(value(DENY));
  const [asked] = await pi.play(calls(bash("touch made.txt")));
  assert.equal(asked.isError, true);
  assert.equal(pi.dialogs.length, 1);
});
