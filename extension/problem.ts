/** The words for a gate that does not work. They reach the model as the reason of a block, and the person. */

/** What is wrong, in pigate's voice, with what the gate said on its standard error and what to do next. */
export function problem(what: string, hint: string, said: string[] = []): Error {
  return new Error([`pigate: ${what}`, ...said.map((line) => `  ${line}`), `hint: ${hint}`].join("\n"));
}

export const INSTALL_HINT =
  "install it with `go install github.com/pigate/pigate/cmd/pigate@latest`, or set PIGATE_BIN to its file; " +
  "`pigate doctor` tells more";

export const RETRY_HINT = "nothing ran; the next call starts a fresh gate; `pigate doctor` tells more";

export const SLOW_HINT =
  "nothing ran; the next call starts a fresh gate; PIGATE_TIMEOUT_MS sets how long to wait, `pigate doctor` tells more";

export function notStarted(why: string): Error {
  return problem(`the gate could not be started: ${why}`, INSTALL_HINT);
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
