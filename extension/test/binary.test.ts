import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findGate } from "../binary.ts";

interface Case {
  env: Record<string, string>;
  programs: string[];
  want: string;
  platform?: NodeJS.Platform;
  extensionDir?: string;
}

const cases: Record<string, Case> = {
  "PIGATE_BIN comes first": {
    env: { PIGATE_BIN: "/opt/pigate-2", PATH: "/usr/bin" },
    programs: ["/opt/pigate-2", "/usr/bin/pigate"],
    want: "/opt/pigate-2",
  },
  "an empty PIGATE_BIN is none": { env: { PIGATE_BIN: "", PATH: "/b" }, programs: ["/b/pigate"], want: "/b/pigate" },
  "a PIGATE_BIN that is gone is not replaced by another": {
    env: { PIGATE_BIN: "/gone/pigate", PATH: "/usr/bin" },
    programs: ["/usr/bin/pigate"],
    want: "! PIGATE_BIN is not a program: /gone/pigate",
  },
  "a relative PIGATE_BIN would be the project's": {
    env: { PIGATE_BIN: "bin/pigate" },
    programs: ["bin/pigate"],
    want: "! PIGATE_BIN is not an absolute path: bin/pigate",
  },
  "PATH in its order": { env: { PATH: "/a:/b:/c" }, programs: ["/c/pigate", "/b/pigate"], want: "/b/pigate" },
  "relative and empty entries of PATH are passed over": {
    env: { PATH: ":.:node_modules/.bin::/b:" },
    programs: ["pigate", "node_modules/.bin/pigate", "/b/pigate"],
    want: "/b/pigate",
  },
  "then the extension's folder": { env: { PATH: "/a" }, programs: ["/x/ext/pigate", "/x/pigate"], want: "/x/ext/pigate" },
  "then the one above": { env: {}, programs: ["/x/pigate"], want: "/x/pigate" },
  "else none": { env: { PATH: "/a" }, programs: ["/a/pi"], want: "! there is no pigate on PATH, nor beside the extension" },
  "Windows: the variable in any case, .exe before .cmd": {
    platform: "win32",
    env: { Path: "relative;C:\\tools;\\\\server\\bin" },
    programs: ["relative\\pigate.exe", "C:\\tools\\pigate.cmd", "C:\\tools\\pigate.exe", "\\\\server\\bin\\pigate.exe"],
    want: "C:\\tools\\pigate.exe",
  },
  "Windows: a path without a drive is the project's": {
    platform: "win32",
    env: { PIGATE_BIN: "\\tools\\pigate.exe" },
    programs: ["\\tools\\pigate.exe"],
    want: "! PIGATE_BIN is not an absolute path: \\tools\\pigate.exe",
  },
  "Windows: beside the extension": {
    platform: "win32",
    env: { PATH: "" },
    programs: ["C:\\x\\pigate.exe"],
    extensionDir: "C:\\x\\ext",
    want: "C:\\x\\pigate.exe",
  },
};

for (const [name, { env, programs, want, platform = "linux", extensionDir = "/x/ext" }] of Object.entries(cases)) {
  test(name, () => {
    const find = () => findGate({ env, platform, extensionDir, isProgram: (file) => programs.includes(file) });
    if (want.startsWith("! ")) assert.throws(find, { message: want.slice(2) });
    else assert.equal(find(), want);
  });
}

test("a folder, and a file that cannot be run, are no programs", { skip: process.platform === "win32" && "all files can be run there" }, () => {
  const find = (bin: string) => () => findGate({ env: { PIGATE_BIN: bin }, platform: process.platform, extensionDir: "/" });
  assert.throws(find("/"), { message: "PIGATE_BIN is not a program: /" });
  const file = fileURLToPath(new URL("../package.json", import.meta.url));
  assert.throws(find(file), { message: `PIGATE_BIN is not a program: ${file}` });
  assert.equal(find(process.execPath)(), process.execPath);
});
