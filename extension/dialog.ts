/** The questions of the gate to the person: ui/select, ui/editor, and ui/notify, which asks nothing. */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Bus } from "./bus.ts";
import type { Call, Calls } from "./calls.ts";
import { race } from "./client.ts";
import { INVALID_PARAMS, METHOD_NOT_FOUND, type Peer, refusal } from "./connection.ts";
import { Keyboard, type Keys } from "./keys.ts";
import { isLevel, tell } from "./notice.ts";
import type { Patience } from "./patience.ts";
import { field } from "./protocol.ts";

/** How the ids of dialogs about calls of sub-agents begin. */
const SUB_AGENT = "sub-agent:";

/** Who opens a dialog: Pi's context, and what ends the wait for an answer. */
type Asking = Pick<Call, "ctx" | "waiting">;

export class Dialogs implements Peer {
  /** The context of Pi's latest event, for what concerns no call. */
  latest: ExtensionContext | undefined;
  readonly keyboard = new Keyboard();
  #calls: Calls;
  #patience: Patience;
  #bus: Bus;
  #open = false;
  /** The dialogs about calls of sub-agents, by their ids. */
  #others = new Map<string, AbortController>();
  /** Calls that wait for a person of another session, with what gives patience back its clock. */
  #elsewhere = new Map<string, () => void>();
  /** The command of the person that is under way: its dialogs belong to no call. */
  #command: Asking | undefined;

  constructor(calls: Calls, patience: Patience, bus: Bus) {
    this.#calls = calls;
    this.#patience = patience;
    this.#bus = bus;
  }

  /**
   * From now on dialogs without a call belong to a command, until the function returned is called. The gate asks for one
   * command at a time, so another that comes meanwhile changes nothing.
   */
  command(ctx: ExtensionContext): () => void {
    if (this.#command !== undefined) return () => {};
    const command = { ctx, waiting: new AbortController() };
    this.#command = command;
    return () => {
      command.waiting.abort();
      this.#command = undefined;
    };
  }

  /** Closes the dialogs of the command that is under way, and those of sub-agents. */
  leave(): void {
    this.#command?.waiting.abort();
    for (const waiting of this.#others.values()) waiting.abort();
  }

  async request(method: string, params: unknown): Promise<unknown> {
    switch (method) {
      case "ui/select": {
        const options = strings(params, "options");
        const title = string(params, "title");
        const id = string(params, "call");
        let keys: () => Keys | undefined = () => undefined;
        const answer = await this.#ask(id, (ctx, signal) => {
          const call = this.#calls.get(id);
          if (call !== undefined) this.#bus.prompt(call, title);
          else if (id !== "") this.#bus.forwarded(id, title);
          if (id !== "") keys = this.keyboard.watch();
          return ctx.ui.select(title, options, { signal });
        });
        const pressed = answer.end === undefined ? keys() : undefined;
        // A host program that answers for a person can send a text that was never offered.
        const offered = answer.text !== null && options.includes(answer.text);
        return { choice: offered ? answer.text : null, ...answer.end, ...(pressed === undefined ? {} : { keys: pressed }) };
      }
      case "ui/editor": {
        const title = string(params, "title");
        const prefill = string(params, "prefill");
        const answer = await this.#ask(string(params, "call"), (ctx) => ctx.ui.editor(title, prefill));
        return { text: answer.text, ...answer.end };
      }
    }
    throw refusal(METHOD_NOT_FOUND, `there is no ${method} here`);
  }

  notification(method: string, params: unknown): void {
    if (method === "ui/close") return this.#others.get(string(params, "call"))?.abort();
    if (method === "ui/waiting") return this.#wait(string(params, "call"), field(params, "waiting") === true);
    if (method !== "ui/notify") return;
    const level = field(params, "level");
    tell(this.latest, isLevel(level) ? level : "error", string(params, "message"));
  }

  /** Opens one dialog for a call, or without its id for a command. It closes when that stops waiting; an answer that
   *  comes later is not heard. */
  async #ask(
    id: string,
    show: (ctx: ExtensionContext, signal: AbortSignal) => Promise<string | undefined>,
  ): Promise<{ text: string | null; end?: { aborted: true } }> {
    const call = this.#asking(id);
    const signal = call?.waiting.signal;
    if (call === undefined || signal === undefined || signal.aborted) return { text: null, end: { aborted: true } };
    if (!call.ctx.hasUI) return { text: null };
    if (this.#open) throw new Error("a dialog is open already");

    const resume = this.#patience.hold();
    this.#open = true;
    try {
      // The editor takes no signal, and a dialog that ends by its signal looks like one that was dismissed.
      const answer: unknown = await race(show(call.ctx, signal), signal);
      return { text: typeof answer === "string" ? answer : null };
    } catch (error) {
      if (signal.aborted) return { text: null, end: { aborted: true } };
      throw error;
    } finally {
      this.#open = false;
      if (this.#others.delete(id)) this.#bus.answered(id);
      resume();
    }
  }

  /** Through whom to ask: the call, the command, or for a call of a sub-agent whatever Pi gave last. */
  #asking(id: string): Asking | undefined {
    if (id === "") return this.#command;
    if (!id.startsWith(SUB_AGENT)) return this.#calls.get(id);
    if (this.latest === undefined) return undefined;
    const waiting = new AbortController();
    this.#others.set(id, waiting);
    return { ctx: this.latest, waiting };
  }

  /** While a call waits for a person of another session nobody's patience runs out. */
  #wait(call: string, waiting: boolean): void {
    this.#elsewhere.get(call)?.();
    this.#elsewhere.delete(call);
    if (waiting) this.#elsewhere.set(call, this.#patience.hold());
  }
}

function string(params: unknown, name: string): string {
  const value = field(params, name);
  if (typeof value !== "string") throw refusal(INVALID_PARAMS, `"${name}" is not a text`);
  return value;
}

function strings(params: unknown, name: string): string[] {
  const value = field(params, name);
  if (!Array.isArray(value) || value.length === 0 || !value.every((v) => typeof v === "string")) {
    throw refusal(INVALID_PARAMS, `"${name}" is not a list of texts`);
  }
  return value;
}
