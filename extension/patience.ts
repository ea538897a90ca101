/** How long the gate may take for an answer. The person may take any time: while a dialog is open nothing runs out. */

const DEFAULT_MS = 10_000;
const MAX_MS = 2 ** 31 - 1; // the longest that setTimeout can wait

/** Reads PIGATE_TIMEOUT_MS. A value that is no number of milliseconds gives the default and a warning. */
export function timeoutMs(env: NodeJS.ProcessEnv): { ms: number; warning?: string } {
  const text = env["PIGATE_TIMEOUT_MS"];
  if (!text) return { ms: DEFAULT_MS };
  const ms = Number(text);
  if (Number.isInteger(ms) && ms >= 1 && ms <= MAX_MS) return { ms };
  return { ms: DEFAULT_MS, warning: `pigate: PIGATE_TIMEOUT_MS is not a number of milliseconds, ${DEFAULT_MS} is used` };
}

interface Wait {
  late: () => void;
  timer: NodeJS.Timeout | undefined;
}

export class Patience {
  readonly ms: number;
  #holds = 0;
  #waits = new Set<Wait>();

  constructor(ms: number) {
    this.ms = ms;
  }

  /** Calls late once when the time has run out. The function returned ends the wait. */
  wait(late: () => void): () => void {
    const wait: Wait = { late, timer: undefined };
    this.#waits.add(wait);
    if (this.#holds === 0) this.#arm(wait);
    return () => {
      clearTimeout(wait.timer);
      this.#waits.delete(wait);
    };
  }

  /** Stops the clock of every wait until the function returned is called; then each has its full time again. */
  hold(): () => void {
    if (++this.#holds === 1) for (const wait of this.#waits) clearTimeout(wait.timer);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--this.#holds === 0) for (const wait of this.#waits) this.#arm(wait);
    };
  }

  #arm(wait: Wait): void {
    wait.timer = setTimeout(() => {
      this.#waits.delete(wait);
      wait.late();
    }, this.ms);
  }
}
