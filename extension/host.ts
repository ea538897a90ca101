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

/**
 * Which session began this one as a sub-agent's, as the packages for sub-agents tell it in the environment: they name the
 * session of the person there too, so that one's own id says nothing.
 */
export function parentSession(own: string, env: NodeJS.ProcessEnv = process.env): { parent_session?: string; agent?: string } {
  const parent = env["PI_SUBAGENT_PARENT_SESSION"]?.trim();
  if (!parent || parent === own) return {};
  const agent = (env["PI_SUBAGENT_AGENT"] ?? env["PI_SUBAGENT_NAME"])?.trim();
  return { parent_session: parent, ...(agent ? { agent } : {}) };
}
