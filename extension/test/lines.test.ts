import assert from "node:assert/strict";
import { test } from "node:test";
import { LineReader, MAX_LINE, Tail, visible } from "../lines.ts";

test("lines are cut at line feeds alone, however the bytes arrive", () => {
  const text = "äöü\r\n\u2028x\n\n€";
  for (const size of [1, 2, 3, 5, 100]) {
    const reader = new LineReader();
    const bytes = Buffer.from(text);
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += size) lines.push(...reader.push(bytes.subarray(at, at + size)));
    assert.deepEqual(lines, ["äöü\r", "\u2028x", ""], `chunks of ${size}`);
  }
});

test("a line may be as long as the limit and no longer, finished or not", () => {
  const full = Buffer.alloc(MAX_LINE, "x");
  assert.equal(new LineReader().push(Buffer.concat([full, Buffer.from("\n")]))[0]?.length, MAX_LINE);
  const reader = new LineReader();
  reader.push(full);
  assert.throws(() => reader.push(Buffer.from("x")), /longer than/);
  assert.throws(() => new LineReader().push(Buffer.concat([full, Buffer.from("x\n")])), /longer than/);
});

test("what is not UTF-8 is no line", () => {
  assert.throws(() => new LineReader().push(Buffer.from([0x22, 0xff, 0x22, 0x0a])));
});

test("the tail keeps the last lines of any amount of text", () => {
  const tail = new Tail();
  for (let i = 0; i < 10_000; i++) tail.push(Buffer.from(`line ${i}\n`));
  assert.deepEqual(tail.lines(), ["line 9995", "line 9996", "line 9997", "line 9998", "line 9999"]);
  tail.push(Buffer.alloc(1 << 20, "x"));
  assert.deepEqual(tail.lines().map((line) => line.length), [2000]);
  assert.deepEqual(new Tail().lines(), []);
});

test("control, bidirectional and zero-width characters become visible", () => {
  assert.equal(visible("a\u001b[2J\tb\nc\u202ed\u200be\u0085f\ufeffg\u2028h"), "a\\u{1b}[2J\\u{9}b\nc\\u{202e}d\\u{200b}e\\u{85}f\\u{feff}g\\u{2028}h");
  assert.equal(visible("Grüße 日本 🙂"), "Grüße 日本 🙂");
});
