/**
 * What other extensions hear of the gate on Pi's event bus, on the channels and with the fields that notifiers for Pi know:
 * a person is asked about a call, and what was decided on it. Nobody can answer there.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Call } from "./calls.ts";
import type { Decision } from "./protocol.ts";

export const PROMPT = "permissions:ui_prompt";
export const DECISION = "permissions:decision";

export class Bus {
  #pi: ExtensionAPI;
  #asked = new Set<string>();

  constructor(pi: ExtensionAPI) {
    this.#pi = pi;
  }

  /** A dialog about a call opens; told once a call. */
  prompt(call: Call, message: string): void {
    if (this.#asked.has(call.id)) return;
    this.#asked.add(call.id);
    this.#emit(PROMPT, { ...about(call), message, forwarding: null });
  }

  /** A dialog about a call of a sub-agent opens; the answer is told by the sub-agent's own session. */
  forwarded(id: string, message: string): void {
    const [who = ""] = message.split(" \u00b7 ");
    const about = { requestId: id, source: "tool_call", surface: null, value: null, agentName: null };
    this.#emit(PROMPT, { ...about, message, forwarding: { requesterAgentName: who } });
  }

  /** The dialog about a call of a sub-agent is over. */
  answered(id: string): void {
    this.#emit(DECISION, { requestId: id, source: "tool_call", surface: null, value: null, agentName: null, result: null, resolution: "forwarded" });
  }

  /** A call was decided. */
  decision(call: Call, decision: Decision): void {
    this.#asked.delete(call.id);
    const { run, verdict, basis } = decision;
    this.#emit(DECISION, { ...about(call), result: run ? "allow" : "deny", resolution: resolution(run, basis), verdict: verdict ?? null, basis: basis ?? null });
  }

  /** A listener that throws is none of the call's business. */
  #emit(channel: string, data: object): void {
    try {
      this.#pi.events.emit(channel, data);
    } catch {
      // Nothing waits for it.
    }
  }
}

function about(call: Call) {
  return { requestId: call.id, source: "tool_call", surface: call.tool, value: call.target, agentName: null };
}

/** In the words that notifiers know. */
function resolution(run: boolean, basis: string | undefined): string {
  switch (basis) {
    case "user":
      return run ? "user_approved" : "user_denied";
    case "grant":
      return "session_allow";
    case "no-ui":
      return "confirmation_unavailable";
    case "rule":
    case "pass":
    case "disabled":
      return run ? "policy_allow" : "policy_deny";
  }
  return "gate_error";
}
