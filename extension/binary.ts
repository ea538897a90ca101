/** Where the gate's program is. */
import { accessSync, constants, statSync } from "node:fs";
import { posix, win32 } from "node:path";

export interface Places {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** The folder this extension was loaded from. */
  extensionDir: string;
  /** Whether a path is a file that can be run. */
  isProgram?: (file: string) => boolean;
}

/**
 * The absolute path of the gate: PIGATE_BIN, else `pigate` on PATH, else beside this extension or one folder up. Relative
 * entries of PATH are passed over, for they would mean the project's own files. Throws a sentence that says what was
 * looked for.
 */
export function findGate({ env, platform, extensionDir, isProgram = isExecutable }: Places): string {
  const windows = platform === "win32";
  const path = windows ? win32 : posix;
  const isAbsolute = windows ? (p: string) => /^(?:[a-z]:[\\/]|\\\\)/i.test(p) : posix.isAbsolute;

  const chosen = env["PIGATE_BIN"];
  if (chosen) {
    if (!isAbsolute(chosen)) throw new Error(`PIGATE_BIN is not an absolute path: ${chosen}`);
    if (!isProgram(chosen)) throw new Error(`PIGATE_BIN is not a program: ${chosen}`);
    return chosen;
  }

  const onPath = (variable(env, "PATH", windows) ?? "").split(path.delimiter).filter(isAbsolute);
  const names = windows ? ["pigate.exe", "pigate.cmd"] : ["pigate"];
  for (const folder of [...onPath, extensionDir, path.dirname(extensionDir)]) {
    for (const name of names) {
      const file = path.join(folder, name);
      if (isProgram(file)) return file;
    }
  }
  throw new Error("there is no pigate on PATH, nor beside the extension");
}

/** Windows spells its variables as it likes. */
function variable(env: NodeJS.ProcessEnv, name: string, anyCase: boolean): string | undefined {
  const key = anyCase ? Object.keys(env).find((k) => k.toUpperCase() === name) : name;
  return key === undefined ? undefined : env[key];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
