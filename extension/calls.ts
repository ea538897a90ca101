/** The calls that Pi is working on, from tool_call to tool_execution_end. */
import type { ExtensionContext, ToolCallEvent } from "@earendil-works/pi-coding-agent";
import type { Outcome } from "./outcome.ts";
import { field } from "./protocol.ts";

export interface Call {
  readonly id: string;
  /** The call whose script makes this one, or "". */
  readonly parent: string;
  readonly tool: string;
  /** The command, the path or the tool's name: what it is about, in a line. */
  readonly target: string;
  readonly ctx: ExtensionContext;
  /** Aborts when the wait for a decision is over, in whichever way. A dialog of the call closes then. */
  readonly waiting: AbortController;
  /** When it was approved, on the clock of performance.now. */
  approvedAt?: number;
  /** What its tool reported, and after how long; sent when Pi has told the true duration. */
  reported?: Outcome & { after_us?: number };
}

function target({ toolName, input }: ToolCallEvent): string {
  const [command, path] = ["command", "path"].map((name) => field(input, name));
  return typeof command === "string" ? command : typeof path === "string" ? path : toolName;
}

export class Calls {
  #calls = new Map<string, Call>();

  begin(event: ToolCallEvent, ctx: ExtensionContext): Call {
    const parent = event.parentToolCallId ?? "";
    const { toolCallId: id, toolName: tool } = event;
    const call: Call = { id, parent, tool, target: target(event), ctx, waiting: new AbortController() };
    this.#calls.get(call.id)?.waiting.abort();
    this.#calls.set(call.id, call);
    return call;
  }

  get(id: string): Call | undefined {
    return this.#calls.get(id);
  }

  /** Forgets a call that is over. Whatever it or a call made by it still waits for is given up. */
  end(id: string): Call | undefined {
    for (const call of this.#calls.values()) if (this.#isWithin(call, id)) call.waiting.abort();
    const ended = this.#calls.get(id);
    this.#calls.delete(id);
    return ended;
  }

  /** Forgets all calls, and returns them. */
  endAll(): Call[] {
    const all = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of all) call.waiting.abort();
    return all;
  }

  #isWithin(call: Call, id: string): boolean {
    const seen = new Set<Call>();
    for (let at: Call | undefined = call; at !== undefined && !seen.has(at); at = this.#calls.get(at.parent)) {
      if (at.id === id || at.parent === id) return true;
      seen.add(at);
    }
    return false;
  }
}
