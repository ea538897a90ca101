// Pi in RPC mode, driven the way a graphical front end drives it.
import { spawn } from "node:child_process";
import { NODE, PATIENCE, PI } from "./places.mjs";
import { inTime } from "./wait.mjs";

/** The words of the gate's dialog. */
export const ONCE = "Allow once";
export const SESSION = "Allow for session";
export const SAVE = "Allow & save rule (project)...";
export const DENY = "Deny";
export const DENY_WHY = "Deny, and say why...";
export const DENY_ALL = "Deny all waiting";
export const WHOLE = "Show the whole call...";

/** Answers of a front end. */
export const value = (text) => ({ value: text });
export const DISMISS = { cancelled: true };
/** Leaves the dialog open. */
export const WAIT = undefined;

const ASKING = new Set(["select", "confirm", "input", "editor"]);

export class Rpc {
  #child;
  #waiters = new Set();
  #commands = 0;
  #answer = () => DISMISS;
  #exited;

  /** Every record Pi sent, oldest first. */
  records = [];
  stderr = "";

  /** Starts Pi in the sandbox's project. */
  constructor(sandbox, args = [], env = {}) {
    this.sandbox = sandbox;
    this.#child = spawn(NODE, [PI, "--mode", "rpc", ...args], { cwd: sandbox.project, env: { ...sandbox.env, ...env } });
    this.#child.stdin.on("error", () => {}); // Pi may end before it has read all; the exit tells
    this.#child.stderr.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    let rest = "";
    this.#child.stdout.setEncoding("utf8").on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.trim()) this.#receive(JSON.parse(line));
    });
    this.#exited = new Promise((resolve) => this.#child.once("close", (code, signal) => resolve({ code, signal })));
    this.#exited.then((exit) => this.#failWaiters(exit));
  }

  /** Starts Pi for one test, and ends it with the test. */
  static for(t, sandbox, args, env) {
    const pi = new Rpc(sandbox, args, env);
    sandbox.closing.push(() => pi.close());
    return pi;
  }

  get pid() {
    return this.#child.pid;
  }

  /** The dialogs that were opened, oldest first: {id, method, title, options, prefill, …}. */
  get dialogs() {
    return this.records.filter((record) => record.type === "extension_ui_request" && ASKING.has(record.method));
  }

  /** The texts of the notices that were shown. */
  get notices() {
    return this.records.filter((record) => record.method === "notify").map((record) => record.message);
  }

  /** From now on answers the dialogs with these, one each, in order; what comes after them is dismissed. */
  answer(...answers) {
    const queue = [...answers];
    return this.answerBy(() => (queue.length ? queue.shift() : DISMISS));
  }

  /** From now on answers each dialog with what choose(dialog) gives; WAIT leaves it open. */
  answerBy(choose) {
    this.#answer = choose;
    return this;
  }

  /** Answers a dialog that was left open. */
  reply(dialog, answer) {
    this.#send({ type: "extension_ui_response", id: dialog.id, ...answer });
  }

  /** Sends a command and resolves to its response's data; rejects when Pi refuses it. */
  async command(type, fields = {}) {
    const id = `command-${++this.#commands}`;
    const response = this.next(`the response to ${type}`, (record) => record.type === "response" && record.id === id);
    this.#send({ id, type, ...fields });
    const { success, error, data } = await response;
    if (!success) throw new Error(`Pi refused ${type}: ${error}`);
    return data;
  }

  /** Types a line, for instance a slash command, and waits until Pi has taken it. */
  async type(message) {
    return this.command("prompt", { message });
  }

  /** Lets the model play the turns; `settled` resolves when the run is over. */
  async begin(turns) {
    const from = { record: this.records.length, request: this.sandbox.model.requests.length };
    const over = this.next("the end of the run", (record) => record.type === "agent_settled");
    await this.type(this.sandbox.model.script(turns));
    return { settled: over.then(() => this.#resultsSince(from)) };
  }

  /** Lets the model play the turns to their end, and resolves to what the model was told about each call, in order:
   *  [{id, tool, text, isError}], nested calls after their parents. */
  async play(...turns) {
    const { settled } = await this.begin(turns);
    return settled;
  }

  #resultsSince({ record, request }) {
    const told = new Map(this.sandbox.model.resultsSince(request).map(({ id, text }) => [id, text]));
    const ends = this.records.slice(record).filter(({ type }) => type === "tool_execution_end");
    const results = ends.map((end) => ({
      id: end.toolCallId,
      tool: end.toolName,
      text: told.get(end.toolCallId) ?? (end.result?.content ?? []).map((part) => part.text ?? "").join(""),
      isError: end.isError,
    }));
    return results.sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
  }

  /** Resolves to the next record that fits. */
  next(what, fits) {
    let waiter;
    const met = new Promise((resolve, reject) => {
      waiter = { fits, resolve, reject };
      this.#waiters.add(waiter);
    });
    const limited = inTime(`${what}; Pi's stderr: ${this.stderr}`, met, PATIENCE).finally(() => this.#waiters.delete(waiter));
    limited.catch(() => {}); // a test that has failed elsewhere no longer listens
    return limited;
  }

  /** Resolves to the first dialog, or the one after `after` others. */
  async dialog(after = 0) {
    return this.dialogs[after] ?? this.next(`dialog ${after + 1}`, () => this.dialogs.length > after).then(() => this.dialogs[after]);
  }

  /** Closes Pi's stdin, which ends it, and resolves to {code, signal}. */
  async close() {
    this.#child.stdin.end();
    try {
      return await inTime("Pi to end", this.#exited, 20_000);
    } catch (late) {
      this.#child.kill("SIGKILL");
      await this.#exited;
      throw late;
    }
  }

  /** Kills Pi at once, as a closed window or a power cut does. */
  async kill() {
    this.#child.kill("SIGKILL");
    return this.#exited;
  }

  #send(record) {
    this.#child.stdin.write(`${JSON.stringify(record)}\n`);
  }

  #receive(record) {
    this.records.push(record);
    if (record.type === "extension_ui_request" && ASKING.has(record.method)) {
      const answer = this.#answer(record);
      if (answer !== WAIT) this.reply(record, answer);
    }
    for (const waiter of this.#waiters) if (waiter.fits(record)) waiter.resolve(record);
  }

  #failWaiters({ code, signal }) {
    for (const { reject } of this.#waiters) reject(new Error(`Pi ended (${code ?? signal}): ${this.stderr}`));
  }
}
