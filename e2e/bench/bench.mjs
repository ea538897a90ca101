// What a decision costs, seen from where Pi stands: from Node, through a pipe. All contenders take turns in one run, so
// that a busy machine slows all of them alike; only the ratios mean something.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { PIGATE, ROOT } from "../lib/places.mjs";
import { decide } from "./in-process.mjs";

const ROUNDS = 20;
const CALLS = 100; // of each contender in a round
const COMMAND = "git status --short && npm test -- --watch=false | tail -n 20";

/** A program that answers one JSON line with one JSON line. */
class Pipe {
  constructor(program, args, env) {
    this.child = spawn(program, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    readline.createInterface({ input: this.child.stdout }).on("line", (line) => this.heard(JSON.parse(line)));
  }

  exchange(message) {
    return new Promise((resolve) => {
      this.heard = resolve;
      this.child.stdin.write(`${JSON.stringify(message)}\n`);
    });
  }

  end() {
    return new Promise((resolve) => this.child.once("close", resolve).stdin.end());
  }
}

const root = fs.mkdtempSync(path.join(os.tmpdir(), "pigate-bench-"));
let places = 0;
const rules = (count) => [
  "shell:git status *",
  "shell:npm test *",
  "shell:tail *",
  ...Array.from({ length: count - 3 }, (_, i) => `shell:tool-${i} run *`),
];

/** Lays out an agent folder and a project, with this many allow rules in the project's file. */
function place(count, durability) {
  const folder = path.join(root, String(++places));
  const [agent, project] = [path.join(folder, "agent"), path.join(folder, "project")];
  const globalFile = path.join(agent, "extensions", "allowlist-gate.json");
  const projectFile = path.join(project, ".pi", "allowlist-gate.json");
  const configs = [
    [globalFile, { allow: ["shell:pwd"], deny: ["shell:rm -rf *"], journal: { durability } }],
    [projectFile, { allow: rules(count) }],
    [path.join(agent, "trust.json"), { [fs.realpathSync(root)]: true }],
  ];
  for (const [file, config] of configs) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(config));
  }
  return { agent, project, globalFile, projectFile };
}

function request({ project }, id) {
  const context = { cwd: project, root: project, trusted: true, approved: true, has_ui: false, mode: "print" };
  const params = { session: "bench", call: `call_${id}`, tool: "bash", input: { command: COMMAND }, ...context };
  return { jsonrpc: "2.0", id, method: "tool/call", params };
}

/** Builds one of the programs beside this file, and returns its path. */
function built(name) {
  const program = path.join(root, name + path.extname(PIGATE));
  execFileSync("go", ["build", "-o", program, `./e2e/bench/${name}`], { cwd: ROOT, env: { ...process.env, CGO_ENABLED: "0" } });
  return program;
}

async function gate(program, args, count, durability) {
  const at = place(count, durability);
  const pipe = new Pipe(program, args, { ...process.env, HOME: root, PI_CODING_AGENT_DIR: at.agent });
  const host = { protocols: [1], host: { name: "bench", version: "1" }, extension: "bench" };
  await pipe.exchange({ jsonrpc: "2.0", id: "hello", method: "initialize", params: host });
  return {
    async call(id) {
      const { result } = await pipe.exchange(request(at, id));
      assert.equal(result.decision, "run");
    },
    end: () => pipe.end(),
  };
}

function echo() {
  const pipe = new Pipe(built("echo"), [], process.env);
  const at = place(20);
  return { call: (id) => pipe.exchange(request(at, id)), end: () => pipe.end() };
}

function inProcess(count) {
  const { globalFile, projectFile } = place(count);
  return { call: () => assert.equal(decide(globalFile, projectFile, COMMAND), "allow"), end() {} };
}

const unjournaled = built("unjournaled");
const contenders = {
  "JSON echo through a pipe": echo(),
  "decision, 20 rules": await gate(unjournaled, [], 20),
  "decision, 100 rules": await gate(unjournaled, [], 100),
  "the same, journaled (process)": await gate(PIGATE, ["gate"], 100, "process"),
  "the same, journaled (power)": await gate(PIGATE, ["gate"], 100, "power"),
  "in process, 20 rules, no journal": inProcess(20),
  "in process, 100 rules, no journal": inProcess(100),
};

async function measure(title, idle) {
  const times = new Map(Object.keys(contenders).map((name) => [name, []]));
  const rounds = idle ? ROUNDS / 4 : ROUNDS;
  let id = measure.last ?? 0;
  for (let round = 0; round <= rounds; round++) {
    for (const [name, { call }] of Object.entries(contenders)) {
      for (let i = 0; i < (idle ? CALLS / 4 : CALLS); i++) {
        if (idle) await pause(idle);
        const start = process.hrtime.bigint();
        await call(++id);
        const took = Number(process.hrtime.bigint() - start) / 1000;
        if (round > 0) times.get(name).push(took); // the first round only warms up
      }
    }
  }
  measure.last = id;
  const at = (list, share) => list.sort((a, b) => a - b)[Math.floor(list.length * share)];
  const [base] = [...times.values()].map((list) => at(list, 0.5));
  console.log(`\n${title}`.padEnd(41) + "p50 µs   p99 µs   to echo");
  for (const [name, list] of times) {
    const middle = at(list, 0.5);
    const cells = [middle.toFixed(0), at(list, 0.99).toFixed(0), (middle / base).toFixed(2)];
    console.log(`  ${name.padEnd(36)}${cells.map((cell) => cell.padStart(8)).join(" ")}`);
  }
}

try {
  await measure("from Node, without a pause", 0);
  await measure("from Node, 10 ms between calls", 10);
} finally {
  for (const { end } of Object.values(contenders)) await end();
  fs.rmSync(root, { recursive: true, force: true });
}
