/** Words to the person outside of a dialog. */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

export type Level = "info" | "warning" | "error";

/**
 * Shows a message in Pi's interface, or on standard error where there is none. A session without an interface can live
 * inside a Pi that has one; its terminal is then in raw mode and is left alone.
 */
export function tell(ctx: ExtensionContext | undefined, level: Level, message: string): void {
  try {
    if (ctx?.hasUI) ctx.ui.notify(message, level);
    else if (!process.stdin.isRaw) console.error(message);
  } catch {
    // The session that the context belongs to is over, and nobody listens any more.
  }
}

export function isLevel(value: unknown): value is Level {
  return value === "info" || value === "warning" || value === "error";
}
