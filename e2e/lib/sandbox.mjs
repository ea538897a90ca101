// A place of its own for one test: home, agent folder and project, with pigate installed by its own command.
import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { BIN, NODE, PI, PIGATE, e2eFile } from "./places.mjs";
import { ScriptedModel } from "./model.mjs";
import { until } from "./wait.mjs";

const run = promisify(execFile);

// What programs need from the machine; everything else, keys and settings of the person above all, stays outside.
const INHERITED = ["TMPDIR", "TEMP", "TMP", "SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "ProgramFiles", "ProgramData", "CI"];

export class Sandbox {
  /**
   * Lays out a sandbox and installs pigate in it.
   * @param {{allow?: string[], deny?: string[], config?: object, project?: object, mcp?: boolean, trusted?: boolean,
   *   settings?: object, install?: boolean, path?: string[]}} [wish]
   *   allow, deny, config: the global configuration; project: the project's; mcp: offer the toy server's tools;
   *   trusted: what Pi was told about the project; settings: of Pi; path: folders before the machine's PATH
   */
  static async make(wish = {}) {
    const sandbox = new Sandbox();
    sandbox.root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "pigate-e2e-")));
    sandbox.agent = path.join(sandbox.root, "agent");
    sandbox.home = path.join(sandbox.root, "home");
    sandbox.project = path.join(sandbox.root, "project");
    for (const folder of [sandbox.agent, sandbox.home, sandbox.project]) fs.mkdirSync(folder);
    sandbox.model = await ScriptedModel.start();
    sandbox.env = environment(sandbox, wish.path ?? [BIN]);
    sandbox.#configurePi(wish);
    sandbox.#configureGate(wish);
    if (wish.install ?? true) await sandbox.pigate("install");
    return sandbox;
  }

  /** What runs in the sandbox and must have ended before it is removed; see `for`. */
  closing = [];

  /** Removes the sandbox; says whether nothing wrote into it meanwhile. */
  remove() {
    try {
      fs.rmSync(this.root, { recursive: true, force: true });
      return true;
    } catch {
      return false;
    }
  }

  /** Makes a sandbox that lasts as long as the test, and is kept for a look when the test fails. */
  static async for(t, wish) {
    const sandbox = await Sandbox.make(wish);
    t.after(async () => {
      for (const close of sandbox.closing.reverse()) await close();
      await sandbox.model.close();
      if (t.passed === false || process.env.PIGATE_E2E_KEEP) t.diagnostic(`kept: ${sandbox.root}`);
      else await until("the end of what writes in the sandbox", () => sandbox.remove());
    });
    return sandbox;
  }

  #configurePi({ mcp, trusted, settings }) {
    const models = [{ id: "scripted", name: "Scripted", contextWindow: 200_000, maxTokens: 8192 }];
    const provider = { baseUrl: this.model.baseUrl, api: "openai-completions", apiKey: "none", models };
    this.writeJson(path.join(this.agent, "models.json"), { providers: { scripted: provider } });
    this.writeJson(path.join(this.agent, "settings.json"), {
      defaultProvider: "scripted",
      defaultModel: "scripted",
      quietStartup: true,
      retry: { enabled: false },
      ...settings,
    });
    if (mcp) {
      const server = { command: NODE, args: [e2eFile("fixtures", "toy-mcp-server.mjs"), this.root], exposure: "direct" };
      this.writeJson(path.join(this.agent, "mcp.json"), { mcpServers: { "toy-records": server } });
    }
    if (trusted !== undefined) this.writeJson(path.join(this.agent, "trust.json"), { [this.project]: trusted });
  }

  #configureGate({ allow, deny, config, project }) {
    if (allow || deny || config) this.writeJson(this.globalConfig, { allow: allow ?? [], deny: deny ?? [], ...config });
    if (project) this.writeJson(this.projectConfig, project);
  }

  get globalConfig() {
    return path.join(this.agent, "extensions", "allowlist-gate.json");
  }

  get projectConfig() {
    return path.join(this.project, ".pi", "allowlist-gate.json");
  }

  get journalFile() {
    return path.join(this.agent, "pigate", "journal.db");
  }

  /** A file of the project: its text, or undefined when there is none. */
  read(name) {
    const file = path.resolve(this.project, name);
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
  }

  write(name, text) {
    const file = path.resolve(this.project, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }

  writeJson(file, value) {
    this.write(file, JSON.stringify(value, null, 2));
  }

  readJson(file) {
    return JSON.parse(this.read(file));
  }

  /** Runs a pigate command in the project as the person would; resolves to what it printed on stdout. */
  async pigate(...args) {
    const { stdout } = await run(PIGATE, args, { cwd: this.project, env: this.env, maxBuffer: 1 << 26 });
    return stdout;
  }

  /** Runs Pi to its end without a person: {code, stdout, stderr}. */
  async pi(args, { input = "", env = {} } = {}) {
    const child = spawn(NODE, [PI, ...args], { cwd: this.project, env: { ...this.env, ...env } });
    const seen = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (seen[name] += text));
    child.stdin.end(input);
    const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
    return { code, ...seen };
  }

  /** The journal's entries as `pigate audit list --all --json` prints them, oldest first; none while there is no journal. */
  async journal() {
    if (!fs.existsSync(this.journalFile)) return [];
    const lines = (await this.pigate("audit", "list", "--all", "--json")).split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line)).sort((a, b) => a.seq - b.seq);
  }

  /** The journal's entries about tool calls. */
  async decisions() {
    return (await this.journal()).filter((entry) => entry.decision);
  }

  /**
   * What the journal tells about the tool calls, one line a call, for instance "bash ask once run user": the tool, the
   * verdict, the person's answer ("-" when nobody was asked), the decision and its basis.
   */
  async story() {
    const entries = await this.decisions();
    return entries.map(({ tool, verdict, answer, decision, basis }) => [tool, verdict, answer || "-", decision, basis].join(" "));
  }
}

function environment({ home, agent }, folders) {
  const kept = INHERITED.filter((name) => process.env[name] !== undefined).map((name) => [name, process.env[name]]);
  return {
    ...Object.fromEntries(kept),
    PATH: [...folders, path.dirname(NODE), process.env.PATH].join(path.delimiter),
    HOME: home,
    USERPROFILE: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    PI_CODING_AGENT_DIR: agent,
    PI_OFFLINE: "1",
  };
}
