/** Bytes from the gate, bounded: lines of its standard output, the last lines of its standard error. */

/** The longest line that is read. The largest honest one is a question about a very long command. */
export const MAX_LINE = 4 * 1024 * 1024;

const LF = 0x0a;

/** Cuts a stream of bytes at line feeds. Holds at most one unfinished line. */
export class LineReader {
  #parts: Buffer[] = [];
  #length = 0;

  /** Returns the lines that chunk completes. Throws when a line is too long or not UTF-8. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      this.#add(chunk.subarray(start, end));
      lines.push(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(this.#parts)));
      this.#parts = [];
      this.#length = 0;
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
    return lines;
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > MAX_LINE) throw new Error(`a line is longer than ${MAX_LINE} bytes`);
    this.#parts.push(part);
  }
}

const TAIL_LINES = 5;
const TAIL_CHARS = 2000;

/** Remembers the end of a text. */
export class Tail {
  #text = "";

  push(chunk: Buffer): void {
    this.#text = (this.#text + chunk.toString("utf8")).slice(-TAIL_CHARS);
  }

  /** The last lines, harmless to a terminal. */
  lines(): string[] {
    return visible(this.#text.trim()).split("\n").slice(-TAIL_LINES).filter(Boolean);
  }
}

/** Writes control, bidirectional and zero-width characters as escapes, all but line feeds. */
export function visible(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`);
}
