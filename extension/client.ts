/** The one gate of a session: started when it is first needed, and again after it was lost. */
import { existsSync } from "node:fs";
import type { Wish } from "./allowlist.ts";
import { Connection, type Peer, settles } from "./connection.ts";
import type { Patience } from "./patience.ts";
import { messageOf, notStarted } from "./problem.ts";
import { spawnGate } from "./process.ts";
import {
  PROTOCOLS,
  readDecision,
  readHello,
  readReport,
  placeOf,
  reportOf,
  type Decision,
  type Session,
  type StartReason,
  type ToolCall,
  type ToolResult,
} from "./protocol.ts";
import { EXTENSION_VERSION } from "./version.ts";

export interface ClientOptions {
  findGate: () => string;
  hostVersion: () => Promise<string>;
  env: NodeJS.ProcessEnv;
  /** How long an ending session waits for the gate, twice: for what is open, and for its exit. */
  graceMs: number;
}

interface Live {
  connection: Connection;
  /** Resolves when the session is open in the gate. */
  ready: Promise<void>;
}

export class Client {
  #options: ClientOptions;
  #patience: Patience;
  #peer: Peer;
  #live: Live | undefined;
  #hadGate = false;
  #ended = false;
  #results = new Set<Promise<unknown>>();

  constructor(options: ClientOptions, patience: Patience, peer: Peer) {
    this.#options = options;
    this.#patience = patience;
    this.#peer = peer;
  }

  /** Opens the session, which drops every approval. Rejects when the gate cannot be had. */
  async start(session: Session, reason: StartReason): Promise<void> {
    this.#ended = false;
    const live = this.#live;
    if (!live?.connection.alive) return this.#ensure(session, reason).ready;
    live.ready = live.ready.then(() => this.#open(live.connection, session, reason));
    live.ready.catch(() => {}); // told by whoever waits next
    return live.ready;
  }

  /**
   * Asks whether a call may run. Rejects with a sentence when no valid answer came: the call must be blocked then. A
   * signal that aborts ends the wait, and the gate is told if it knows the call.
   */
  async decide(session: Session, call: Omit<ToolCall, keyof Session>, signal: AbortSignal): Promise<Decision> {
    const { connection, ready } = this.#ensure(session);
    await race(ready, signal);
    if (signal.aborted) throw aborted();
    const abort = () => connection.notify("tool/abort", { session: session.session, call: call.call });
    signal.addEventListener("abort", abort, { once: true });
    try {
      const params: ToolCall = { ...placeOf(session), ...call };
      return valid(connection, readDecision, await race(connection.request("tool/call", params), signal));
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Sends what came of a call. The promise is also waited for by end. */
  async record(session: Session, result: ToolResult): Promise<void> {
    const { connection, ready } = this.#ensure(session);
    const sent = ready.then(() => connection.request("tool/result", result));
    this.#results.add(sent);
    try {
      await sent;
    } finally {
      this.#results.delete(sent);
    }
  }

  /** What /allowlist shows. */
  async report(session: Session, wish: Wish): Promise<string> {
    const { connection, ready } = this.#ensure(session);
    await ready;
    const { method, params } = reportOf(session, wish);
    return valid(connection, (answer) => readReport(answer, method), await connection.request(method, params));
  }

  /** Ends the session and the gate, once the gate has answered what is open or the grace is over. Never rejects. */
  async end(session: string, reason: string): Promise<void> {
    this.#ended = true;
    const live = this.#live;
    this.#live = undefined;
    if (live === undefined) return;
    const { connection, ready } = live;
    const farewell = async () => {
      await ready;
      await Promise.allSettled(this.#results);
      await connection.idle();
      await connection.request("session/end", { session, reason });
    };
    await settles(farewell(), this.#options.graceMs);
    await connection.end(this.#options.graceMs);
  }

  #ensure(session: Session, reason?: StartReason): Live {
    if (this.#live?.connection.alive) return this.#live;
    if (this.#ended) throw new Error("pigate: the session has ended");
    const connection = new Connection(this.#spawn(session.cwd), this.#patience, this.#peer);
    // A gate that takes the place of a lost one knows no approvals.
    const ready = this.#greet(connection, session, reason ?? (this.#hadGate ? "reload" : "startup"));
    ready.catch(() => {});
    this.#hadGate = true;
    return (this.#live = { connection, ready });
  }

  #spawn(cwd: string) {
    if (!existsSync(cwd)) throw new Error(`pigate: the gate could not be started: the folder ${cwd} is gone`);
    try {
      return spawnGate(this.#options.findGate(), cwd, this.#options.env);
    } catch (error) {
      throw notStarted(messageOf(error));
    }
  }

  async #greet(connection: Connection, session: Session, reason: StartReason): Promise<void> {
    const host = { name: "pi", version: await this.#options.hostVersion() };
    try {
      const hello = connection.request("initialize", { protocols: PROTOCOLS, host, extension: EXTENSION_VERSION });
      valid(connection, readHello, await hello);
    } catch (error) {
      connection.fail("the gate and the extension do not understand each other");
      throw error;
    }
    await this.#open(connection, session, reason);
  }

  async #open(connection: Connection, session: Session, reason: StartReason): Promise<void> {
    try {
      await connection.request("session/start", { ...session, reason });
    } catch (error) {
      connection.fail("the gate could not open the session");
      throw error;
    }
  }
}

/** Reads an answer. One of the wrong shape is the end of that gate. */
function valid<T>(connection: Connection, read: (answer: unknown) => T, answer: unknown): T {
  try {
    return read(answer);
  } catch (error) {
    connection.fail(`the gate sent what is not the protocol: ${messageOf(error)}`);
    throw connection.problem ?? error;
  }
}

/** Waits for promise, but no longer than until signal aborts. */
export function race<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(aborted());
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    const done = () => signal.removeEventListener("abort", stop);
    promise.then(resolve, reject).finally(done);
  });
}

function aborted(): Error {
  return new Error("pigate: the call was aborted");
}
