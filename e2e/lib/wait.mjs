// Waiting for something that another program does.
import { setTimeout as pause } from "node:timers/promises";
import { PATIENCE } from "./places.mjs";

/**
 * Looks until look() gives something truthy, and resolves to that. An error in look() ends the wait.
 * @param {string} what names the awaited thing in the error
 * @param {() => any} look may be asynchronous
 * @param {{every?: number, within?: number}} [times] in milliseconds
 */
export async function until(what, look, { every = 25, within = PATIENCE } = {}) {
  const end = Date.now() + within;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`waited ${within} ms in vain for ${what}`);
    await pause(every);
  }
}

/** Settles like the promise, or rejects after `within` milliseconds. */
export async function inTime(what, promise, within = PATIENCE) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${within} ms in vain for ${what}`)), within);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
