/** JSON-RPC 2.0 with one gate process, one object a line, in both directions. */
import { LineReader, Tail } from "./lines.ts";
import type { Patience } from "./patience.ts";
import { messageOf, notStarted, problem, RETRY_HINT, SLOW_HINT } from "./problem.ts";
import { type GateProcess, keepAlive, killGate } from "./process.ts";

/** What the gate can ask of this side. A request that rejects is answered with an error; refusal makes one. */
export interface Peer {
  request(method: string, params: unknown): Promise<unknown>;
  notification(method: string, params: unknown): void;
}

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  stopWaiting: () => void;
}

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** An error with a code of JSON-RPC. */
export function refusal(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** How long the streams of a process that has ended may stay open. */
const DRAIN_MS = 1000;

export class Connection {
  #gate: GateProcess;
  #patience: Patience;
  #peer: Peer;
  #pending = new Map<number, Pending>();
  #nextId = 1;
  #problem: Error | undefined;
  #lines = new LineReader();
  #said = new Tail();
  #closed: Promise<void>;
  #idle: (() => void)[] = [];

  constructor(gate: GateProcess, patience: Patience, peer: Peer) {
    this.#gate = gate;
    this.#patience = patience;
    this.#peer = peer;
    this.#closed = new Promise((resolve) => {
      gate.once("close", () => resolve());
      gate.once("error", () => resolve());
    });
    gate.on("error", (error) => this.#fail(notStarted(error.message)));
    gate.on("close", (code, signal) => this.fail(`the gate ended (${signal ?? `exit code ${code}`})`));
    // Its last words may still be on the way when it exits or stops reading.
    gate.on("exit", () => this.#failSoon("the gate ended"));
    gate.stdin.on("error", (error) => this.#failSoon(`the gate takes no more calls (${error.message})`));
    gate.stdout.on("error", (error) => this.#failSoon(`the gate cannot be read (${error.message})`));
    gate.stderr.on("error", () => {});
    gate.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    gate.stderr.on("data", (chunk: Buffer) => this.#said.push(chunk));
    keepAlive(gate, false);
  }

  /** Whether a call can still be put to this gate. */
  get alive(): boolean {
    return this.#problem === undefined && this.#gate.exitCode === null && this.#gate.signalCode === null;
  }

  /** What became of a gate that failed. */
  get problem(): Error | undefined {
    return this.#problem;
  }

  /** Resolves to the result. Rejects with a sentence for people: the gate's error, or what became of the gate. */
  request(method: string, params: unknown): Promise<unknown> {
    if (this.#problem) return Promise.reject(this.#problem);
    const id = this.#nextId++;
    let line: string;
    try {
      line = lineOf({ id, method, params });
    } catch (error) {
      return Promise.reject(error); // what JSON cannot hold leaves no trace here
    }
    if (this.#pending.size === 0) keepAlive(this.#gate, true);
    return new Promise((resolve, reject) => {
      const late = () => this.fail(`the gate did not answer ${method} within ${this.#patience.ms} ms`, SLOW_HINT);
      this.#pending.set(id, { resolve, reject, stopWaiting: this.#patience.wait(late) });
      this.#write(line);
    });
  }

  notify(method: string, params: unknown): void {
    this.#write(lineOf({ method, params }));
  }

  /** Resolves when every request has its answer. */
  idle(): Promise<void> {
    if (this.#pending.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Kills the gate. Every open request rejects. */
  fail(what: string, hint = RETRY_HINT): void {
    this.#fail(problem(what, hint, this.#said.lines()));
  }

  /** Ends the gate: closes its input, and kills it when it is not gone after graceMs. Resolves when it is gone. */
  async end(graceMs: number): Promise<void> {
    keepAlive(this.#gate, true);
    this.#gate.stdin.end();
    if (!(await settles(this.#closed, graceMs))) {
      killGate(this.#gate);
      await settles(this.#closed, graceMs);
    }
    this.fail("the gate was ended");
    this.#gate.stdin.destroy();
    this.#gate.stdout.destroy();
    this.#gate.stderr.destroy();
  }

  #fail(error: Error): void {
    if (this.#problem) return;
    this.#problem = error;
    killGate(this.#gate);
    this.#gate.stdout.destroy();
    for (const [id, pending] of this.#pending) {
      this.#settle(id, pending);
      pending.reject(error);
    }
    keepAlive(this.#gate, false);
  }

  #failSoon(what: string): void {
    setTimeout(() => this.fail(what), DRAIN_MS).unref();
  }

  #settle(id: number, pending: Pending): void {
    this.#pending.delete(id);
    pending.stopWaiting();
    if (this.#pending.size > 0) return;
    keepAlive(this.#gate, false);
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #write(line: string): void {
    if (!this.#problem && this.#gate.stdin.writable) this.#gate.stdin.write(line);
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) {
        if (this.#problem) return;
        this.#take(JSON.parse(line));
      }
    } catch (error) {
      this.fail(`the gate sent what is not the protocol: ${messageOf(error)}`);
    }
  }

  #take(message: unknown): void {
    if (!isObject(message) || message["jsonrpc"] !== "2.0") throw new Error("a line is not a JSON-RPC 2.0 message");
    const { id, method, params } = message;
    if (typeof method !== "string") this.#takeAnswer(message);
    else if (id === undefined) this.#peer.notification(method, params);
    else void this.#answer(id, method, params);
  }

  #takeAnswer(message: Record<string, unknown>): void {
    const { id, result, error } = message;
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    if (pending === undefined) {
      throw new Error(isObject(error) ? String(error["message"]) : "an answer to no request");
    }
    const failed = "error" in message;
    if (failed === "result" in message) throw new Error("an answer holds not one of result and error");
    this.#settle(id as number, pending);
    if (failed) pending.reject(new Error(errorText(error)));
    else pending.resolve(result);
  }

  async #answer(id: unknown, method: string, params: unknown): Promise<void> {
    try {
      this.#write(lineOf({ id, result: await this.#peer.request(method, params) }));
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : INTERNAL_ERROR;
      this.#write(lineOf({ id, error: { code, message: messageOf(error) } }));
    }
  }
}

function lineOf(message: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function errorText(error: unknown): string {
  const text = isObject(error) && typeof error["message"] === "string" ? error["message"] : "the gate failed";
  return text.startsWith("pigate") ? text : `pigate: ${text}`;
}

/** Whether promise settles within ms. */
export async function settles(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true, () => true), over]);
  } finally {
    clearTimeout(timer);
  }
}
