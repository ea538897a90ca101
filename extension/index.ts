/**
 * What Pi loads. Pi goes on without an extension whose factory throws at /reload or /new, so nothing here may throw:
 * the handler that blocks every call is registered first, and all else is loaded behind it.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import type { Gate, createGate as CreateGate } from "./gate.ts";

// Kept while Pi keeps this module: /new goes on with the code that already works, or with the first word on why it
// does not. /reload starts afresh.
let loading: Promise<typeof CreateGate> | undefined;

export default async function pigate(pi: ExtensionAPI): Promise<void> {
  let gate: Gate | undefined;
  let problem = "pigate: the extension is still loading";

  pi.on("tool_call", (event, ctx) => gate?.toolCall(event, ctx) ?? { block: true, reason: problem });

  try {
    const createGate = await (loading ??= loadCreateGate());
    gate = createGate(pi);
    if (typeof gate?.toolCall === "function") return;
    gate = undefined;
    throw new Error("gate.ts gave no gate");
  } catch (error) {
    const [line] = String(error instanceof Error ? error.message : error).split("\n");
    problem =
      `pigate: the extension could not be loaded, so every call is blocked: ${line}\n` +
      "hint: run `pigate install` to put it in order, then /reload; `pigate doctor` tells more";
  }
  try {
    pi.on("session_start", (_event, ctx) => {
      if (ctx.hasUI) ctx.ui.notify(problem, "error");
      else console.error(problem);
    });
  } catch {
    // The calls are blocked; telling the person early is all that is lost.
  }
}

async function loadCreateGate(): Promise<typeof CreateGate> {
  const module: Partial<typeof import("./gate.ts")> = await import("./gate.ts");
  // A module whose loading failed before can come back half filled.
  if (typeof module.createGate !== "function") throw new Error("gate.ts is incomplete");
  return module.createGate;
}
