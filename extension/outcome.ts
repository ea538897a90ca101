/** What a tool reported, in the words of `tool/result`. */
import type { ToolResultEvent } from "@earendil-works/pi-coding-agent";
import { digest } from "./input.ts";
import { field } from "./protocol.ts";

export interface Outcome {
  ok: boolean;
  exit_code?: number;
  input_digest: string;
}

export function outcome(event: ToolResultEvent): Outcome {
  const code = exitCode(event);
  return {
    ok: !event.isError,
    ...(code === undefined ? {} : { exit_code: code }),
    input_digest: digest(event.input),
  };
}

const SHELLS = new Set(["bash", "powershell"]);

/**
 * The exit code of a shell tool. Its structured result holds it; another extension that rewrites the text drops that,
 * and then only the line that Pi ends a failed command's text with is left. A command that was killed has none.
 */
function exitCode(event: ToolResultEvent): number | undefined {
  if (!SHELLS.has(event.toolName)) return undefined;
  const told = field(event.structuredContent, "exit_code");
  if (Number.isSafeInteger(told)) return told as number;
  // The text of a command that went well is all the command's own.
  if (!event.isError) return undefined;
  const last = event.content.findLast((part) => part.type === "text");
  const code = /(?:^|\n)Command exited with code (-?\d{1,10})\s*$/.exec(last?.text ?? "")?.[1];
  return code === undefined ? undefined : Number(code);
}
