// A gate inside Pi's own process, without a journal: for each call it reads both configuration files again and turns
// every rule into a regular expression. It stands for the usual way of such extensions and is here to be measured.
import fs from "node:fs";

const escape = (text) => text.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");

function pattern(rule) {
  const text = escape(rule).replaceAll("*", "[^]*").replaceAll("?", "[^]");
  return new RegExp(`^${text.endsWith(" [^]*") ? `${text.slice(0, -5)}( [^]*)?` : text}$`);
}

function* parts(command) {
  let part = "";
  let quote = "";
  for (const letter of command) {
    if (quote) {
      if (letter === quote) quote = "";
    } else if (letter === "'" || letter === '"') {
      quote = letter;
    } else if ("&|;\n()".includes(letter)) {
      if (part.trim()) yield part.trim();
      part = "";
      continue;
    }
    part += letter;
  }
  if (part.trim()) yield part.trim();
}

/** @returns {"allow" | "deny" | "ask"} */
export function decide(globalFile, projectFile, command) {
  const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
  const { allow, deny } = { ...read(globalFile), ...read(projectFile) };
  const patterns = (rules) => rules.filter((rule) => rule.startsWith("shell:")).map((rule) => pattern(rule.slice(6)));
  const commands = [...parts(command)];
  if (patterns(deny).some((one) => commands.some((text) => one.test(text)))) return "deny";
  if (command.includes(">")) return "ask";
  const allowed = patterns(allow);
  return commands.every((text) => allowed.some((one) => one.test(text))) ? "allow" : "ask";
}
