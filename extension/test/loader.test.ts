import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { EXTENSION_VERSION } from "../version.ts";
import { FakeGates } from "./fake-gates.ts";
import { FakePi } from "./fake-pi.ts";

const SOURCE = fileURLToPath(new URL("..", import.meta.url));

/** A copy of the extension as it is installed, which a test can damage. */
function install(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "pigate-loader-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of readdirSync(SOURCE)) {
    if (/\.ts$|^package\.json$/.test(name)) cpSync(join(SOURCE, name), join(folder, name));
  }
  return folder;
}

/** What the manifest names, as Pi would load it. */
async function load(folder: string): Promise<(pi: unknown) => Promise<void>> {
  const { pi } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.equal(pi.extensions.length, 1);
  return (await import(pathToFileURL(join(folder, pi.extensions[0])).href)).default;
}

/** The gate's program as the environment of this process. */
async function gatesIn(t: TestContext): Promise<FakeGates> {
  const gates = await FakeGates.open();
  const before = { ...process.env };
  Object.assign(process.env, gates.env());
  t.after(() => {
    gates.close();
    for (const name of ["PIGATE_BIN", "RELAY_PORT", "PIGATE_TIMEOUT_MS"]) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
  return gates;
}

test("the package and the extension carry the same version", () => {
  const { version } = JSON.parse(readFileSync(join(SOURCE, "package.json"), "utf8"));
  assert.equal(version, EXTENSION_VERSION);
});

test("the installed package gates calls", async (t) => {
  const gates = await gatesIn(t);
  const pi = new FakePi();
  await (await load(install(t)))(pi.api);
  t.after(() => pi.emit("session_shutdown", { reason: "quit" }));
  await pi.emit("session_start", { reason: "startup" });
  const gate = await gates.next();
  await gate.welcome();
  const allowed = pi.toolCall({ id: "a" });
  await gate.run();
  assert.equal(await allowed, undefined);
  const denied = pi.toolCall({ id: "b" });
  gate.reply(await gate.next("tool/call"), { decision: "block", reason: "pigate: denied" });
  assert.equal(await denied, "pigate: denied");
});

const damages: Record<string, { file: string; text: string; says: RegExp }> = {
  "a syntax error": { file: "gate.ts", text: "export function createGate( {", says: /./ },
  "an error in a file further in": { file: "lines.ts", text: "export const other = 1;", says: /lines\.ts/ },
  "nothing to start with": { file: "gate.ts", text: "export const other = 1;", says: /gate\.ts is incomplete/ },
  "a start that throws": {
    file: "gate.ts",
    text: "export function createGate() { throw new Error('broken\\nsecond line'); }",
    says: /broken\n/,
  },
  "a start that gives nothing": { file: "gate.ts", text: "export function createGate() {}", says: /gave no gate/ },
};

for (const [name, { file, text, says }] of Object.entries(damages)) {
  test(`with ${name} every call is blocked, after /new too, and the person is told`, async (t) => {
    const folder = install(t);
    writeFileSync(join(folder, file), text);
    const factory = await load(folder);
    for (const reason of ["startup", "new"]) {
      const pi = new FakePi();
      await factory(pi.api);
      for (const tool of ["bash", "read"]) {
        const blocked = (await pi.toolCall({ tool })) ?? "it ran";
        assert.match(blocked, /^pigate: the extension could not be loaded, so every call is blocked: /);
        assert.match(blocked, says);
        assert.match(blocked, /\nhint: run `pigate install` to put it in order, then \/reload; `pigate doctor` tells more$/);
        assert.doesNotMatch(blocked, /second line/);
      }
      await pi.emit("session_start", { reason });
      assert.match((await pi.person.notices.next()).message, /every call is blocked/);
    }
  });
}

test("with a damaged extension and no interface the person reads it on standard error", async (t) => {
  const folder = install(t);
  writeFileSync(join(folder, "gate.ts"), "nonsense(");
  const pi = new FakePi();
  pi.mode = "print";
  await (await load(folder))(pi.api);
  const printed = t.mock.method(console, "error", () => {});
  await pi.emit("session_start", { reason: "startup" });
  assert.match(String(printed.mock.calls[0]?.arguments[0]), /every call is blocked/);
});

test("a call that comes while the extension loads is blocked", async (t) => {
  const pi = new FakePi();
  const loading = (await load(install(t)))(pi.api);
  assert.equal(await pi.toolCall(), "pigate: the extension is still loading");
  await loading;
});

test("/new goes on with the code that works when the files were damaged meanwhile", async (t) => {
  const gates = await gatesIn(t);
  const folder = install(t);
  const factory = await load(folder);
  await factory(new FakePi().api);
  writeFileSync(join(folder, "gate.ts"), "nonsense(");
  const pi = new FakePi();
  await factory(pi.api);
  t.after(() => pi.emit("session_shutdown", { reason: "quit" }));
  const allowed = pi.toolCall();
  const gate = await gates.next();
  await gate.welcome();
  await gate.run();
  assert.equal(await allowed, undefined);
});
