/** The version of the Pi that loaded this extension, for the record; "unknown" when it cannot be had. */
export async function hostVersion(): Promise<string> {
  try {
    const { VERSION } = await import("@earendil-works/pi-coding-agent");
    return typeof VERSION === "string" ? VERSION : "unknown";
  } catch {
    return "unknown";
  }
}
