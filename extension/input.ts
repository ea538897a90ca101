/** The input of a call: fixed before the gate sees it, and named by its digest. */
import { createHash } from "node:crypto";

/**
 * Makes a value immutable in depth, so that what was approved is what runs: a later handler that writes to it throws,
 * which blocks the call. A part that was frozen already is looked into all the same.
 */
export function freeze<T>(value: T): T {
  const seen = new Set<object>();
  const left: unknown[] = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part !== "object" || part === null || seen.has(part)) continue;
    seen.add(part);
    Object.freeze(part);
    left.push(...Object.values(part));
  }
  return value;
}

/** The SHA-256, in lower-case hex, of an input as `tool/call` carries it: the UTF-8 bytes of its JSON. */
export function digest(input: unknown): string {
  return createHash("sha256").update(serialize(input)).digest("hex");
}

/** An input that JSON cannot hold is no input that was ever approved: it becomes the empty text. */
function serialize(input: unknown): string {
  try {
    return JSON.stringify(input ?? null);
  } catch {
    return "";
  }
}
