/** Pi's own tools under whose name another extension does its own work. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const OWN_TOOLS = new Set([
  "read",
  "bash",
  "powershell",
  "edit",
  "write",
  "grep",
  "find",
  "ls",
  "codemode",
  "tool_search",
  "list_mcp_resources",
  "list_mcp_resource_templates",
  "read_mcp_resource",
]);

/** Finds, each once, the tools that bear the name of a tool of Pi and are not Pi's. */
export class Replaced {
  #pi: ExtensionAPI;
  #told = new Set<string>();

  constructor(pi: ExtensionAPI) {
    this.#pi = pi;
  }

  /** Warnings about all tools, or about the one that is named. */
  warnings(name?: string): string[] {
    if (name !== undefined && (!OWN_TOOLS.has(name) || this.#told.has(name))) return [];
    const warnings: string[] = [];
    for (const tool of this.#tools()) {
      if ((name !== undefined && tool.name !== name) || !OWN_TOOLS.has(tool.name)) continue;
      if (tool.sourceInfo.source === "builtin" || this.#told.has(tool.name)) continue;
      this.#told.add(tool.name);
      warnings.push(
        `pigate: the tool ${tool.name} is not Pi's own but comes from ${tool.sourceInfo.path}: ` +
          "it is judged by its name and input, and what it does with them is not known",
      );
    }
    return warnings;
  }

  #tools(): ReturnType<ExtensionAPI["getAllTools"]> {
    try {
      return this.#pi.getAllTools();
    } catch {
      return []; // Pi is still loading, and the next call looks again
    }
  }
}
