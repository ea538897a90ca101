/** When keys were pressed around a dialog. What they are is not looked at. */
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

/** As the protocol has it: times in milliseconds. */
export interface Keys {
  /** How long before the dialog's opening the last key came; absent when none did. */
  before_ms?: number;
  /** The longest time without a key while the dialog was open, up to the key that answered it. */
  pause_ms: number;
}

/** What a terminal sends on its own: reports of the mouse, of the focus, and answers to questions. */
const REPORT = /^\u001b(?:\]|P|_|\[(?:\?|<|M|I$|O$|[\d;]+[RtnS]$))/;

export class Keyboard {
  #ui: unknown;
  #leave: (() => void) | undefined;
  #last: number | undefined;
  #watching: ((at: number) => void) | undefined;

  /** Listens to the terminal from now on. Pi forgets listeners when a session begins, so that is the time to do it afresh. */
  listen(ctx: ExtensionContext, afresh = false): void {
    if (ctx.mode !== "tui" || (ctx.ui === this.#ui && !afresh)) return;
    this.#leave?.();
    this.#leave = undefined;
    this.#ui = ctx.ui;
    try {
      this.#leave = ctx.ui.onTerminalInput((data) => {
        if (!REPORT.test(data)) this.#pressed();
        return undefined;
      });
    } catch {
      // A Pi that tells nothing of keys: the gate then goes by the clock alone.
    }
  }

  /** Watches while a dialog is open. The function returned tells what there was; nothing where keys are not told. */
  watch(): () => Keys | undefined {
    const opened = performance.now();
    const last = this.#last;
    let since = opened;
    let pause: number | undefined;
    const watching = (at: number) => {
      pause = Math.max(pause ?? 0, at - since);
      since = at;
    };
    this.#watching = watching;
    return () => {
      if (this.#watching === watching) this.#watching = undefined;
      if (this.#leave === undefined) return undefined;
      const pause_ms = Math.round(pause ?? performance.now() - opened);
      return last === undefined ? { pause_ms } : { before_ms: Math.round(opened - last), pause_ms };
    };
  }

  #pressed(): void {
    this.#last = performance.now();
    this.#watching?.(this.#last);
  }
}
