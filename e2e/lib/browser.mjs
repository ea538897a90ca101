// A page of the report in a real browser, opened from the disk as a person opens it.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { PIGATE, ROOT } from "./places.mjs";

/** Where Chromium, or a browser made of it, is on each system; tools/need installs it on the first two. */
const PLACES = {
  darwin: ["/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
  win32: [process.env["ProgramFiles(x86)"], process.env.ProgramFiles].map((folder) => `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`),
};

function executable() {
  const named = ["chromium", "chromium-browser", "google-chrome"].flatMap((name) =>
    process.env.PATH.split(path.delimiter).map((folder) => path.join(folder, name)),
  );
  const found = [...named, ...(PLACES[process.platform] ?? [])].find((file) => fs.existsSync(file));
  if (!found) throw new Error("there is no Chromium: tools/need chromium installs it");
  return found;
}

/** Starts a browser that asks nobody anything by itself. */
export function startBrowser() {
  const quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-gpu"];
  return chromium.launch({ executablePath: executable(), args: quiet });
}

/** Journals to make reports of, each written once; see package pagetest. */
export class Reports {
  #root = fs.mkdtempSync(path.join(os.tmpdir(), "pigate-page-"));
  #writer = path.join(this.#root, process.platform === "win32" ? "journal.exe" : "journal");

  constructor() {
    execFileSync("go", ["build", "-o", this.#writer, "./e2e/fixtures/journal"], { cwd: ROOT, stdio: "inherit" });
  }

  /** The report of a journal of pagetest about the four weeks of its journal "weeks"; resolves to what was printed. */
  make(name, ...args) {
    const journal = path.join(this.#root, `${name}.db`);
    if (!fs.existsSync(journal)) execFileSync(this.#writer, [name, journal]);
    const env = { ...process.env, TZ: "Europe/Berlin", HOME: this.#root };
    const command = ["report", "--since", "2026-03-02", "--until", "2026-03-30", ...args, journal];
    return execFileSync(PIGATE, command, { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 26 });
  }

  /** The file with the page of a journal. */
  file(name) {
    const file = path.join(this.#root, `${name}.html`);
    if (!fs.existsSync(file)) fs.writeFileSync(file, this.make(name));
    return file;
  }

  remove() {
    fs.rmSync(this.#root, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * Opens a file in a window of its own, closed with the test. What the page does that it should not is in `faults`:
 * messages on the console, violations of its policy, errors, dialogs, and requests for anything but itself.
 */
export async function open(t, browser, file, { scheme = "light", width = 1280, height = 900, media = "screen", hash = "" } = {}) {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height }, timezoneId: "Asia/Tokyo" });
  t?.after(() => context.close());
  const page = await context.newPage();
  await page.emulateMedia({ media, colorScheme: scheme });
  const url = pathToFileURL(file).href;
  const faults = [];
  page.on("console", (message) => faults.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`error: ${error}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== url) faults.push(`request: ${request.url()}`);
  });
  await page.exposeFunction("fault", (text) => faults.push(text));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => globalThis.fault(`policy: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(url + hash);
  return { page, faults };
}
