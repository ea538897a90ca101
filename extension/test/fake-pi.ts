/** As much of Pi as the extension touches: its events in Pi's order, a session, and a person. */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { Queue } from "./queue.ts";

/** A dialog that is open on the screen. */
export interface Dialog {
  kind: "select" | "editor";
  title: string;
  options: string[];
  prefill: string | undefined;
  /** What the person does. */
  answer: (value: string | undefined) => void;
  /** Whether Pi was asked to close it. */
  closed: Promise<void>;
}

/** The person at the screen. */
export class Person {
  readonly dialogs = new Queue<Dialog>();
  readonly notices = new Queue<{ level: string; message: string }>();

  /** Who listens to the keys, as Pi has it: until a session ends. */
  listeners = new Set<(data: string) => unknown>();

  type(data: string): void {
    for (const listener of this.listeners) listener(data);
  }

  readonly ui = {
    onTerminalInput: (listener: (data: string) => unknown) => {
      this.listeners.add(listener);
      return () => void this.listeners.delete(listener);
    },
    select: (title: string, options: string[], opts?: { signal?: AbortSignal }) =>
      this.#open("select", title, options, undefined, opts?.signal),
    editor: (title: string, prefill?: string) => this.#open("editor", title, [], prefill, undefined),
    notify: (message: string, level = "info") => this.notices.push({ level, message }),
  };

  #open(kind: Dialog["kind"], title: string, options: string[], prefill?: string, signal?: AbortSignal) {
    return new Promise<string | undefined>((resolve) => {
      const closed = new Promise<void>((close) => {
        signal?.addEventListener("abort", () => {
          close();
          resolve(undefined);
        });
      });
      this.dialogs.push({ kind, title, options, prefill, answer: resolve, closed });
    });
  }
}

/** An interface that must not be touched. */
const noUi = new Proxy({}, {
  get(_target, name) {
    throw new Error(`ctx.ui.${String(name)} was used without an interface`);
  },
});

export interface Call {
  tool?: string;
  id?: string;
  parent?: string;
  input?: unknown;
}

type Handler = (event: any, ctx: ExtensionContext) => unknown;

export class FakePi {
  readonly person = new Person();
  /** What was told on Pi's event bus. */
  readonly told: { channel: string; data: any }[] = [];
  readonly commands = new Map<string, { handler: (args: string, ctx: any) => Promise<void> }>();
  tools = ["read", "bash", "edit", "write"].map((name) => ({ name, sourceInfo: { source: "builtin", path: `builtin:${name}` } }));
  mode = "tui";
  trusted = true;
  cwd = process.cwd();
  session = "session-1";
  file: string | undefined = "/sessions/one.jsonl";
  abort = new AbortController();
  #handlers = new Map<string, Handler[]>();

  get hasUI(): boolean {
    return this.mode === "tui" || this.mode === "rpc";
  }

  get api(): ExtensionAPI {
    const api = {
      on: (name: string, handler: Handler) => this.on(name, handler),
      registerCommand: (name: string, command: any) => this.commands.set(name, command),
      getAllTools: () => this.tools,
      events: { emit: (channel: string, data: unknown) => this.told.push({ channel, data }), on: () => () => {} },
    };
    return api as unknown as ExtensionAPI;
  }

  get ctx(): ExtensionContext {
    const { cwd, mode, hasUI, trusted, person, session, file } = this;
    const ctx = {
      ui: hasUI ? person.ui : noUi,
      mode,
      hasUI,
      cwd,
      signal: this.abort.signal,
      isProjectTrusted: () => trusted,
      sessionManager: { getSessionId: () => session, getSessionFile: () => file },
    };
    return ctx as unknown as ExtensionContext;
  }

  on(name: string, handler: Handler): void {
    this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), handler]);
  }

  /** Fires an event that returns nothing; waits for its handlers. */
  async emit(type: string, event: object = {}): Promise<void> {
    for (const handler of this.#handlers.get(type) ?? []) await handler({ type, ...event }, this.ctx);
  }

  /** Asks the handlers about a call as Pi does. Returns what the model is told when it is blocked. */
  async toolCall(call: Call = {}): Promise<string | undefined> {
    const { tool: toolName = "bash", id: toolCallId = "call_1", parent, input = { command: "ls" } } = call;
    const event = { type: "tool_call", toolName, toolCallId, input, ...(parent ? { parentToolCallId: parent } : {}) };
    try {
      for (const handler of this.#handlers.get("tool_call") ?? []) {
        const result: any = await handler(event, this.ctx);
        if (result?.block) return result.reason || "Tool execution was blocked";
      }
    } catch (error) {
      return error instanceof Error ? error.message : `Extension failed, blocking execution: ${String(error)}`;
    }
    return undefined;
  }

  /** Reports a call that ran, and its end. */
  async ran(call: Call & { result?: object; durationMs?: number } = {}): Promise<void> {
    const { tool: toolName = "bash", id: toolCallId = "call_1", input = { command: "ls" }, result, durationMs } = call;
    const reported = { content: [], details: undefined, isError: false, ...result };
    await this.emit("tool_result", { toolName, toolCallId, input, ...reported });
    await this.ended(toolCallId, durationMs);
  }

  async ended(toolCallId: string, durationMs?: number): Promise<void> {
    await this.emit("tool_execution_end", { toolCallId, ...(durationMs === undefined ? {} : { durationMs }) });
  }

  async command(name: string, args = ""): Promise<void> {
    await this.commands.get(name)?.handler(args, this.ctx);
  }
}
