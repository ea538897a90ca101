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

  /** Closes the dialogs of the command that is under way. */
  leave(): void {
    this.#command?.waiting.abort();
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
          if (call !== undefined) {
            this.#bus.prompt(call, title);
            keys = this.keyboard.watch();
          }
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
    const call: Asking | undefined = id === "" ? this.#command : this.#calls.get(id);
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
      resume();
    }
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
