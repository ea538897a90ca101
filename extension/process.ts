/** The gate's process. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import type { Socket } from "node:net";

export type GateProcess = ChildProcessWithoutNullStreams;

const WINDOWS = process.platform === "win32";

/**
 * Starts `file gate`. On Unix it leads a process group of its own: Ctrl+C in a terminal is meant for Pi, which then ends
 * the gate in order, and a wrapper script can be killed with all it started.
 */
export function spawnGate(file: string, cwd: string, env: NodeJS.ProcessEnv): GateProcess {
  const options = { cwd, env, detached: !WINDOWS, windowsHide: true };
  // Windows runs a .cmd only through its shell.
  if (/\.(?:cmd|bat)$/i.test(file)) return spawn(`"${file}" gate`, { ...options, shell: true });
  return spawn(file, ["gate"], options);
}

/** Kills the gate and what it started, without mercy. */
export function killGate(gate: GateProcess): void {
  // Once it has ended its number may be another's.
  if (gate.pid === undefined || gate.exitCode !== null || gate.signalCode !== null) return;
  if (WINDOWS) {
    // By its full path: a bare name is looked for in the working folder first, which is the agent's.
    const taskkill = `${process.env["SystemRoot"]}\\System32\\taskkill.exe`;
    execFile(taskkill, ["/pid", String(gate.pid), "/T", "/F"], { windowsHide: true }, () => {});
    return;
  }
  try {
    process.kill(-gate.pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

/** Whether an idle gate keeps this process from ending. It must not: a script without session_shutdown would hang. */
export function keepAlive(gate: GateProcess, keep: boolean): void {
  // The three streams of a child are sockets.
  for (const part of [gate, gate.stdin, gate.stdout, gate.stderr] as (GateProcess | Socket)[]) {
    if (keep) part.ref();
    else part.unref();
  }
}
