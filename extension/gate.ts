/** Pi's events, put to the gate. Nothing is decided here: whatever goes wrong on this side blocks the call. */
import { fileURLToPath } from "node:url";
import type {
  ExtensionAPI,
  ExtensionCommandContext,
  ExtensionContext,
  SessionShutdownEvent,
  SessionStartEvent,
  ToolCallEvent,
  ToolCallEventResult,
  ToolExecutionEndEvent,
  ToolResultEvent,
} from "@earendil-works/pi-coding-agent";
import { completions, DESCRIPTION, readWish, show } from "./allowlist.ts";
import { findGate } from "./binary.ts";
import { Bus } from "./bus.ts";
import { type Call, Calls } from "./calls.ts";
import { Client } from "./client.ts";
import { Dialogs } from "./dialog.ts";
import { hostVersion } from "./host.ts";
import { freeze } from "./input.ts";
import { tell } from "./notice.ts";
import { outcome } from "./outcome.ts";
import { Patience, timeoutMs } from "./patience.ts";
import { messageOf } from "./problem.ts";
import { sessionOf } from "./protocol.ts";
import { Replaced } from "./replaced.ts";

/** What the loader needs: the answer to one tool_call. */
export interface Gate {
  toolCall(event: ToolCallEvent, ctx: ExtensionContext): Promise<ToolCallEventResult | undefined>;
}

export interface Options {
  env?: NodeJS.ProcessEnv;
  extensionDir?: string;
  hostVersion?: () => Promise<string>;
  graceMs?: number;
}

/**
 * Registers everything but the tool_call handler, which the loader has registered already. Commands that the person types
 * with `!` are the person's own and are not looked at.
 */
export function createGate(pi: ExtensionAPI, options: Options = {}): Gate {
  const gate = new PiGate(pi, options);
  pi.on("session_start", (event, ctx) => gate.sessionStart(event, ctx));
  pi.on("tool_result", (event, ctx) => gate.toolResult(event, ctx));
  pi.on("tool_execution_end", (event, ctx) => gate.executionEnd(event, ctx));
  pi.on("session_shutdown", (event, ctx) => gate.sessionShutdown(event, ctx));
  pi.registerCommand("allowlist", {
    description: DESCRIPTION,
    getArgumentCompletions: completions,
    handler: (args, ctx) => gate.allowlist(args, ctx),
  });
  return gate;
}

class PiGate implements Gate {
  #calls = new Calls();
  #client: Client;
  #dialogs: Dialogs;
  #replaced: Replaced;
  #bus: Bus;
  #warnings: string[] = [];

  constructor(pi: ExtensionAPI, options: Options) {
    const env = options.env ?? process.env;
    const extensionDir = options.extensionDir ?? fileURLToPath(new URL(".", import.meta.url));
    const { ms, warning } = timeoutMs(env);
    if (warning) this.#warnings.push(warning);
    const patience = new Patience(ms);
    this.#replaced = new Replaced(pi);
    this.#bus = new Bus(pi);
    this.#dialogs = new Dialogs(this.#calls, patience, this.#bus);
    this.#client = new Client(
      {
        env,
        findGate: () => findGate({ env, platform: process.platform, extensionDir }),
        hostVersion: options.hostVersion ?? hostVersion,
        graceMs: options.graceMs ?? 2000,
      },
      patience,
      this.#dialogs,
    );
  }

  /** Pi need not wait for the gate to start; the first call does. */
  sessionStart(event: SessionStartEvent, ctx: ExtensionContext): void {
    this.#enter(ctx);
    this.#dialogs.keyboard.listen(ctx, true);
    this.#client.start(sessionOf(ctx), event.reason).catch((error: unknown) => tell(ctx, "error", messageOf(error)));
  }

  async toolCall(event: ToolCallEvent, ctx: ExtensionContext): Promise<ToolCallEventResult | undefined> {
    const call = this.#calls.begin(event, ctx);
    const giveUp = () => call.waiting.abort();
    const signal = ctx.signal;
    try {
      this.#enter(ctx, event.toolName);
      if (signal?.aborted) giveUp();
      else signal?.addEventListener("abort", giveUp, { once: true });
      const decision = await this.#decide(call, freeze(event.input));
      this.#bus.decision(call, decision);
      if (!decision.run) return { block: true, reason: decision.reason };
      call.approvedAt = performance.now();
      return undefined;
    } catch (error) {
      const reason = messageOf(error);
      this.#bus.decision(call, { run: false, reason });
      return { block: true, reason };
    } finally {
      signal?.removeEventListener("abort", giveUp);
      giveUp();
    }
  }

  /** Frozen before it is sent, the input is still the same when it runs. */
  #decide(call: Call, input: unknown) {
    const asked = { call: call.id, parent: call.parent, tool: call.tool, input: input ?? null };
    return this.#client.decide(sessionOf(call.ctx), asked, call.waiting.signal);
  }

  toolResult(event: ToolResultEvent, ctx: ExtensionContext): void {
    this.#enter(ctx);
    const call = this.#calls.get(event.toolCallId);
    if (call === undefined) {
      this.#record(ctx, event.toolCallId, event.toolName, outcome(event));
      return;
    }
    const after = call.approvedAt === undefined ? undefined : performance.now() - call.approvedAt;
    call.reported = { ...outcome(event), ...(after === undefined ? {} : { after_us: Math.round(after * 1000) }) };
  }

  executionEnd(event: ToolExecutionEndEvent, ctx: ExtensionContext): void {
    const call = this.#calls.end(event.toolCallId);
    if (call !== undefined) this.#report(ctx, call, event.durationMs);
  }

  /** The time since the approval is a poor second: it holds the wait for the other calls of the same message. */
  #report(ctx: ExtensionContext, call: Call, durationMs?: number): void {
    if (call.reported === undefined) return;
    const { after_us, ...reported } = call.reported;
    const duration_us = durationMs === undefined ? after_us : durationMs * 1000;
    this.#record(ctx, call.id, call.tool, { ...reported, ...(duration_us === undefined ? {} : { duration_us }) });
  }

  #record(ctx: ExtensionContext, call: string, tool: string, reported: ReturnType<typeof outcome>): void {
    const session = sessionOf(ctx);
    this.#client.record(session, { session: session.session, call, tool, ...reported }).catch((error: unknown) => {
      tell(ctx, "warning", `pigate: what came of ${tool} was not recorded\n${messageOf(error)}`);
    });
  }

  async sessionShutdown(event: SessionShutdownEvent, ctx: ExtensionContext): Promise<void> {
    this.#dialogs.leave();
    for (const call of this.#calls.endAll()) this.#report(ctx, call);
    await this.#client.end(ctx.sessionManager.getSessionId(), event.reason);
  }

  async allowlist(args: string, ctx: ExtensionCommandContext): Promise<void> {
    this.#enter(ctx);
    const leave = this.#dialogs.command(ctx);
    try {
      show(ctx, await this.#client.report(sessionOf(ctx), readWish(args)));
    } catch (error) {
      tell(ctx, "error", messageOf(error));
    } finally {
      leave();
    }
  }

  /** Every event brings a context to speak through, and may show that a tool is not what it seems. */
  #enter(ctx: ExtensionContext, tool?: string): void {
    this.#dialogs.latest = ctx;
    this.#dialogs.keyboard.listen(ctx);
    const warnings = [...this.#warnings.splice(0), ...this.#replaced.warnings(tool)];
    for (const warning of warnings) tell(ctx, "warning", warning);
  }
}
