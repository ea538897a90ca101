/**
 * Whether the person started this Pi with the word that the project's files may be used. It holds for the run, and Pi
 * keeps no note of it.
 */
export function approved(args: readonly string[] = process.argv.slice(2)): boolean {
  return args.includes("-a") || args.includes("--approve");
}

/** The version of the Pi that loaded this extension, for the record; "unknown" when it cannot be had. */
export async function hostVersion(): Promise<string> {
  try {
    const { VERSION } = await import("@earendil-works/pi-coding-agent");
    return typeof VERSION === "string" ? VERSION : "unknown";
  } catch {
    return "unknown";
  }
}

/** The size of the terminal that Pi draws on, as far as it is known. */
export function terminalSize({ rows, columns }: { rows?: number; columns?: number } = process.stdout): { rows?: number; columns?: number } {
  return { ...(rows ? { rows } : {}), ...(columns ? { columns } : {}) };
}
