/** The messages of docs/protocol.md as this side writes them, and the shapes it accepts. */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Wish } from "./allowlist.ts";
import { approved, parentSession, terminalSize } from "./host.ts";

/** The versions of the protocol spoken here. */
export const PROTOCOLS = [1];

export type StartReason = "startup" | "reload" | "new" | "resume" | "fork";

/** Where a call is made. */
export interface Place {
  session: string;
  cwd: string;
  root: string;
  trusted: boolean;
  /** Absent for false. */
  approved?: true;
  has_ui: boolean;
  mode: string;
  /** The terminal's size, where there is one. */
  rows?: number;
  columns?: number;
  /** Of a sub-agent that has no person: the session that began it, and what it is called. */
  parent_session?: string;
  agent?: string;
}

export interface Session extends Place {
  file?: string;
}

/** The facts about a session, read from Pi at this moment. Pi's project folder is its working directory. */
export function sessionOf(ctx: ExtensionContext): Session {
  const file = ctx.sessionManager.getSessionFile();
  return {
    session: ctx.sessionManager.getSessionId(),
    ...(file === undefined ? {} : { file }),
    cwd: ctx.cwd,
    root: ctx.cwd,
    trusted: ctx.isProjectTrusted(),
    ...(approved() ? { approved: true } : {}),
    has_ui: ctx.hasUI,
    mode: ctx.mode,
    ...(ctx.mode === "tui" ? terminalSize() : {}),
    ...(ctx.hasUI ? {} : parentSession(ctx.sessionManager.getSessionId())),
  };
}

/** The same without what only session/start carries. */
export function placeOf({ file: _, ...place }: Session): Place {
  return place;
}

/** The request for a report of /allowlist. */
export function reportOf(from: Session, wish: Wish): { method: string; params: object } {
  const { session, root, trusted, approved } = from;
  switch (wish.show) {
    case "status":
      return { method: "gate/status", params: { session, root, trusted, ...(approved ? { approved } : {}) } };
    case "log":
      return { method: "gate/log", params: { root, limit: wish.limit } };
    case "why":
      return { method: "gate/why", params: { session } };
    case "revoke":
      return { method: "gate/revoke", params: { session, root } };
    case "suggest":
      return { method: "gate/suggest", params: placeOf(from) };
  }
}

export interface ToolCall extends Place {
  call: string;
  parent: string;
  tool: string;
  input: unknown;
}

export interface ToolResult {
  session: string;
  call: string;
  tool: string;
  ok: boolean;
  exit_code?: number;
  duration_us?: number;
  input_digest: string;
}

/** What a call may do: run, or not for a reason; and by what that was decided, as far as the gate says. */
export type Decision = ({ run: true } | { run: false; reason: string }) & { verdict?: string; basis?: string };

/** Only the exact word "run" lets a call go. Throws when the answer is of another shape. */
export function readDecision(answer: unknown): Decision {
  const decision = field(answer, "decision");
  const [verdict, basis] = ["verdict", "basis"].map((name) => field(answer, name));
  const by = { ...(typeof verdict === "string" ? { verdict } : {}), ...(typeof basis === "string" ? { basis } : {}) };
  if (decision === "run") return { run: true, ...by };
  if (decision !== "block") throw new Error("its answer to tool/call is neither run nor block");
  const reason = field(answer, "reason");
  return { ...by, run: false, reason: typeof reason === "string" && reason ? reason : "pigate: the gate blocked this call" };
}

/** Throws when the gate did not choose a version that is spoken here. */
export function readHello(answer: unknown): void {
  const protocol = field(answer, "protocol");
  if (!PROTOCOLS.some((version) => version === protocol)) {
    throw new Error(`it answered initialize with version ${JSON.stringify(protocol)} of the protocol`);
  }
}

export function readReport(answer: unknown, method: string): string {
  const report = field(answer, "report");
  if (typeof report !== "string") throw new Error(`its answer to ${method} holds no report`);
  return report;
}

export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
