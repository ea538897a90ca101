/** The command /allowlist: what can be typed behind it, and how its answers are shown. */
import type { ExtensionCommandContext } from "@earendil-works/pi-coding-agent";

/** What the person asks for. */
export type Wish = { show: "status" } | { show: "log"; limit: number } | { show: "why" } | { show: "suggest" } | { show: "revoke" };

export const DESCRIPTION = "Show what pigate allows and denies; log, why: what it did; suggest: rules drafted from that; revoke: end approvals";

const USAGE = "usage: /allowlist [log [n] | why | suggest | revoke]";

const WORDS = [
  { value: "log", description: "the last decisions in this project; log 30 shows thirty" },
  { value: "why", description: "why the last call was asked about or blocked" },
  { value: "suggest", description: "rules drafted from this project's history, to look at and save" },
  { value: "revoke", description: "end all session approvals, and the rules that were given for a time" },
];

/** Reads what stands behind /allowlist. Throws the usage when it is nothing that is known. */
export function readWish(args: string): Wish {
  const [word, ...rest] = args.trim().split(/\s+/);
  const [number, ...more] = rest;
  if (word === "log" && more.length === 0 && /^(?:[1-9]\d{0,5})?$/.test(number ?? "")) return { show: "log", limit: Number(number ?? 0) };
  if (rest.length === 0 && word === "") return { show: "status" };
  if (rest.length === 0 && (word === "why" || word === "suggest" || word === "revoke")) return { show: word };
  throw new Error(`pigate: there is no /allowlist ${JSON.stringify(args.trim())}\n${USAGE}`);
}

/** The words that continue what was typed; null when there are none. */
export function completions(prefix: string): { value: string; label: string; description: string }[] | null {
  const fitting = WORDS.filter(({ value }) => value.startsWith(prefix.trimStart()) && value !== prefix);
  return fitting.length === 0 ? null : fitting.map((word) => ({ ...word, label: word.value }));
}

/** Shows a report: in Pi's interface, or on standard output where there is none. */
export function show(ctx: ExtensionCommandContext, report: string): void {
  if (ctx.hasUI) ctx.ui.notify(report, "info");
  else console.log(report);
}
