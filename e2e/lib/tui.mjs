// Pi in a real terminal: tmux holds it, types on its keyboard and reads its screen.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { NODE, PI, e2eFile } from "./places.mjs";
import { until } from "./wait.mjs";

const quote = (word) => `'${String(word).replaceAll("'", `'\\''`)}'`;

export class Terminal {
  #socket;

  /** Opens a terminal in the sandbox's project and starts Pi in it. */
  constructor(sandbox, args = [], { env = {}, columns = 110, rows = 45 } = {}) {
    this.sandbox = sandbox;
    this.#socket = `pigate-${randomUUID()}`; // a server of its own: no other tmux is touched
    const settings = Object.entries({ ...sandbox.env, COLORTERM: "truecolor", ...env }).map(([name, text]) => quote(`${name}=${text}`));
    const command = ["exec", "env", "-i", ...settings, quote(NODE), quote(PI), ...args.map(quote)].join(" ");
    this.#tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), "-c", sandbox.project, command);
  }

  /** Opens a terminal for one test, and closes it with the test. */
  static for(t, sandbox, args, wish) {
    const terminal = new Terminal(sandbox, args, wish);
    sandbox.closing.push(() => terminal.close());
    return terminal;
  }

  /** What the screen shows now. */
  screen() {
    return this.#tmux("capture-pane", "-p").trimEnd();
  }

  /** Waits until the screen shows the pattern, and resolves to the screen. */
  async shows(pattern) {
    try {
      return await until(`${pattern} on the screen`, () => {
        const screen = this.screen();
        return pattern.test(screen) && screen;
      });
    } catch (vain) {
      vain.message += `; it shows:\n${this.screen()}`;
      throw vain;
    }
  }

  /** Presses keys by tmux's names for them: Enter, Escape, Down, C-c. */
  press(...keys) {
    this.#tmux("send-keys", ...keys);
  }

  /** Types the text, then presses Enter. */
  async enter(text) {
    this.#tmux("send-keys", "-l", "--", text);
    await this.shows(new RegExp(text.slice(-20).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")));
    this.press("Enter");
  }

  /**
   * From now on someone presses Enter in the very moment in which the terminal first shows the text, as a person does
   * who was typing already. pressed() tells whether it has happened.
   */
  hasty(text) {
    const mark = path.join(this.sandbox.root, "hasty");
    const command = [NODE, e2eFile("fixtures", "hasty-typist.mjs"), text, mark].map(quote).join(" ");
    this.#tmux("pipe-pane", "-IO", command);
    return { pressed: () => fs.existsSync(mark) };
  }

  /** From now on what Pi writes to the terminal is kept. The function returned gives it. */
  record() {
    const file = path.join(this.sandbox.root, "written");
    fs.writeFileSync(file, "");
    this.#tmux("pipe-pane", "-O", `cat >> ${quote(file)}`);
    return () => fs.readFileSync(file, "latin1");
  }

  close() {
    try {
      this.#tmux("kill-server");
    } catch {
      // Pi has ended, and the terminal with it
    }
  }

  #tmux(...args) {
    return execFileSync("tmux", ["-L", this.#socket, "-f", "/dev/null", ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }
}
