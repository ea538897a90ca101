import assert from "node:assert/strict";
import { test } from "node:test";
import { Keyboard } from "../keys.ts";
import { FakePi } from "./fake-pi.ts";

/** A keyboard, the terminal that it listens to, and a clock that stands still but for what is said. */
function typing(t: { mock: { method: Function } }) {
  const pi = new FakePi();
  let now = 1000;
  t.mock.method(performance, "now", () => now);
  const keyboard = new Keyboard();
  keyboard.listen(pi.ctx);
  const press = (after: number, data = "x") => {
    now += after;
    pi.person.type(data);
  };
  return { pi, keyboard, press, wait: (ms: number) => void (now += ms) };
}

test("the pause is the longest time without a key while the dialog is open, up to the last key", (t) => {
  const { keyboard, press, wait } = typing(t);
  press(0);
  wait(120);
  const keys = keyboard.watch();
  press(100);
  press(500);
  press(50, "\r");
  wait(9000);
  assert.deepEqual(keys(), { before_ms: 120, pause_ms: 500 });
});

test("without a key before it, nothing is said of one", (t) => {
  const { keyboard, press } = typing(t);
  const keys = keyboard.watch();
  press(700, "\r");
  assert.deepEqual(keys(), { pause_ms: 700 });
});

test("what a terminal reports on its own is no key", (t) => {
  const { keyboard, press, wait } = typing(t);
  for (const report of ["\u001b[I", "\u001b[<0;1;1M", "\u001b[?62;4c", "\u001b]11;rgb:0/0/0\u0007", "\u001b[12;1R", "\u001b[6;20;10t"]) press(1, report);
  const keys = keyboard.watch();
  wait(300);
  press(400, "\u001b[B");
  assert.deepEqual(keys(), { pause_ms: 700 });
});

test("a session that begins is listened to afresh, and once", (t) => {
  const { pi, keyboard, press } = typing(t);
  pi.person.listeners.clear(); // as Pi does
  keyboard.listen(pi.ctx);
  assert.equal(pi.person.listeners.size, 0);
  keyboard.listen(pi.ctx, true);
  keyboard.listen(pi.ctx, true);
  assert.equal(pi.person.listeners.size, 1);
  const keys = keyboard.watch();
  press(10);
  assert.deepEqual(keys(), { pause_ms: 10 });
});

test("outside a terminal nobody listens and nothing is told", () => {
  const pi = new FakePi();
  pi.mode = "rpc";
  const keyboard = new Keyboard();
  keyboard.listen(pi.ctx);
  assert.equal(pi.person.listeners.size, 0);
  assert.equal(keyboard.watch()(), undefined);
});
