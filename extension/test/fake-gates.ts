/** Gates that a test plays itself, message by message, in processes of their own. */
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Order } from "./relay.ts";
import { Queue } from "./queue.ts";

export interface Message {
  id?: number;
  method?: string;
  params?: any;
  result?: any;
  error?: { code: number; message: string };
}

/** How long the extension waits for these gates: longer than any machine is busy. */
export const PATIENCE_MS = 120_000;

/** One running process. */
export class FakeGate {
  readonly pid: number;
  readonly args: string[];
  readonly cwd: string;
  readonly mark: string | undefined;
  /** Resolves when its standard input ends. */
  readonly eof: Promise<void>;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  #socket: Socket;
  #queues = new Map<string, Queue<Message>>();
  #raw = new Map<Message, string>();
  #nextId = 1;

  constructor(socket: Socket, lines: AsyncIterator<string>, facts: any) {
    this.#socket = socket;
    this.pid = facts.pid;
    this.args = facts.args;
    this.cwd = facts.cwd;
    this.mark = facts.mark;
    this.gone = once(socket, "close").then(() => {});
    let ended = () => {};
    this.eof = new Promise((resolve) => (ended = resolve));
    void this.#read(lines, () => ended());
  }

  async #read(lines: AsyncIterator<string>, ended: () => void): Promise<void> {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const report = JSON.parse(next.value);
      if (report.eof) ended();
      if (report.line === undefined) continue;
      const message = JSON.parse(report.line) as Message;
      this.#raw.set(message, report.line);
      this.#queue(message.method ?? `answer ${message.id}`).push(message);
    }
  }

  #queue(name: string): Queue<Message> {
    const queue = this.#queues.get(name) ?? new Queue();
    this.#queues.set(name, queue);
    return queue;
  }

  /** The next message of a method. */
  next(method: string): Promise<Message> {
    return this.#queue(method).next();
  }

  /** How many messages of a method came that no test has taken. */
  untaken(method: string): number {
    return this.#queue(method).size;
  }

  /** The line that a message came in. */
  rawOf(message: Message): string {
    return this.#raw.get(message) ?? "";
  }

  order(order: Order): void {
    this.#socket.write(`${JSON.stringify(order)}\n`);
  }

  send(message: object): void {
    this.order({ out: `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n` });
  }

  reply(to: Message, result: unknown): void {
    this.send({ id: to.id, result });
  }

  replyError(to: Message, message: string, code = -32603): void {
    this.send({ id: to.id, error: { code, message } });
  }

  /** Asks the extension, and returns its answer. */
  ask(method: string, params: object): Promise<Message> {
    const id = this.#nextId++;
    this.send({ id, method, params });
    return this.next(`answer ${id}`);
  }

  /** Tells the extension something that it does not answer. */
  tell(method: string, params: object): void {
    this.send({ method, params });
  }

  /** Answers initialize and session/start, and returns both. */
  async welcome(): Promise<{ hello: Message; start: Message }> {
    const hello = await this.next("initialize");
    this.reply(hello, { protocol: 1, version: "0.1.0" });
    const start = await this.next("session/start");
    this.reply(start, {});
    return { hello, start };
  }

  /** Takes the next call and lets it run. */
  async run(): Promise<Message> {
    const call = await this.next("tool/call");
    this.reply(call, { decision: "run", verdict: "allow", basis: "rule", seq: 1 });
    return call;
  }

  /** Plays the end of a session as the real gate does. */
  async farewell(): Promise<Message> {
    const end = await this.next("session/end");
    this.reply(end, {});
    await this.eof;
    this.order({ exit: 0 });
    return end;
  }

  /** Kills the process as an operator would. */
  kill(): void {
    process.kill(this.pid, "SIGKILL");
  }
}

/** Makes the program that the extension starts, and hands out the processes that it becomes. */
export class FakeGates {
  readonly folder = mkdtempSync(join(tmpdir(), "pigate-extension-"));
  readonly program: string;
  #sockets = new Set<Socket>();
  #server: Server;
  #started = new Queue<FakeGate>();

  private constructor(server: Server) {
    this.#server = server;
    const windows = process.platform === "win32";
    this.program = join(this.folder, windows ? "pigate.cmd" : "pigate");
    const relay = fileURLToPath(new URL("relay.ts", import.meta.url));
    const run = `"${process.execPath}" "${relay}"`;
    writeFileSync(this.program, windows ? `@${run} %*\r\n` : `#!/bin/sh\nexec ${run} "$@"\n`);
    chmodSync(this.program, 0o755);
    server.on("connection", (socket: Socket) => {
      socket.on("error", () => {});
      this.#sockets.add(socket);
      const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
      void lines.next().then((first) => this.#started.push(new FakeGate(socket, lines, JSON.parse(first.value))));
    });
  }

  static async open(): Promise<FakeGates> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FakeGates(server);
  }

  /** The environment in which the extension finds the program. */
  env(more: Record<string, string> = {}): NodeJS.ProcessEnv {
    const port = String((this.#server.address() as AddressInfo).port);
    const patience = String(PATIENCE_MS);
    return { ...process.env, PIGATE_BIN: this.program, RELAY_PORT: port, PIGATE_TIMEOUT_MS: patience, ...more };
  }

  /** The next process that was started. */
  next(): Promise<FakeGate> {
    return this.#started.next();
  }

  /** How many processes were started that no test has taken. */
  get untaken(): number {
    return this.#started.size;
  }

  /** Ends every process. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
