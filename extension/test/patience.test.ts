import assert from "node:assert/strict";
import { test } from "node:test";
import { Patience, timeoutMs } from "../patience.ts";

test("PIGATE_TIMEOUT_MS is a whole number of milliseconds that a timer can wait; else it is ten seconds, with a warning", () => {
  assert.deepEqual(timeoutMs({}), { ms: 10_000 });
  assert.deepEqual(timeoutMs({ PIGATE_TIMEOUT_MS: "" }), { ms: 10_000 });
  for (const text of ["1", "250", "2147483647"]) assert.deepEqual(timeoutMs({ PIGATE_TIMEOUT_MS: text }), { ms: Number(text) });
  for (const text of ["0", "-5", "1.5", "10s", "NaN", "Infinity", "2147483648"]) {
    const { ms, warning } = timeoutMs({ PIGATE_TIMEOUT_MS: text });
    assert.equal(ms, 10_000, text);
    assert.match(warning ?? "", /PIGATE_TIMEOUT_MS/, text);
  }
});

test("the clock of every wait stands still until the last hold is let go", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const patience = new Patience(100);
  const late: string[] = [];
  patience.wait(() => late.push("before"));
  const letGo = [patience.hold(), patience.hold()];
  patience.wait(() => late.push("during"));
  const stop = patience.wait(() => late.push("ended"));
  t.mock.timers.tick(1000);
  letGo[0]?.();
  letGo[0]?.(); // twice is once
  t.mock.timers.tick(1000);
  assert.deepEqual(late, []);
  stop();
  letGo[1]?.();
  t.mock.timers.tick(99);
  assert.deepEqual(late, []);
  t.mock.timers.tick(1);
  assert.deepEqual(late, ["before", "during"]);
  t.mock.timers.tick(1000);
  assert.equal(late.length, 2);
});
