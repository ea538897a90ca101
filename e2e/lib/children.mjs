// The processes that Pi has started.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { WINDOWS } from "./places.mjs";
import { until } from "./wait.mjs";

/** All processes: [{pid, parent, command, dead}]; a dead one has ended, and its parent does not know yet. */
function all() {
  if (process.platform === "linux") return fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap(fromProc);
  if (WINDOWS) return fromPowerShell();
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" }).split("\n").flatMap(fromPs);
}

function fromPs(line) {
  const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
  return pid ? [{ pid: +pid, parent: +parent, command, dead: state.startsWith("Z") }] : [];
}

function fromProc(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    return [{ pid: +pid, parent: +parent, command, dead: state === "Z" }];
  } catch {
    return []; // ended between the two looks
  }
}

function fromPowerShell() {
  const script = "Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,CommandLine | ConvertTo-Json";
  const list = JSON.parse(execFileSync("powershell", ["-NoProfile", "-Command", script], { encoding: "utf8", maxBuffer: 1 << 26 }));
  return list.map((one) => ({ pid: one.ProcessId, parent: one.ParentProcessId, command: one.CommandLine ?? "", dead: false }));
}

/** The gates that this Pi has started and that still run: their process ids. */
export function gatesOf(pi) {
  return all()
    .filter(({ parent, command, dead }) => parent === pi.pid && !dead && /pigate(\.exe)?"?\s+gate\b/.test(command))
    .map(({ pid }) => pid);
}

/** Waits until the process has ended. */
export async function ended(pid) {
  await until(`process ${pid} to end`, () => !all().some((one) => one.pid === pid && !one.dead));
}

/** Ends a process the hardest way, and waits until its parent has been told. */
export async function slay(pid) {
  process.kill(pid, "SIGKILL");
  await until(`the parent of ${pid} to bury it`, () => !all().some((one) => one.pid === pid));
}
