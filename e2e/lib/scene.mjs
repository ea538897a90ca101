// The start of most tests: a sandbox with pigate, and Pi waiting for its first prompt.
import { Rpc } from "./rpc.mjs";
import { Sandbox } from "./sandbox.mjs";

/**
 * @param {import("node:test").TestContext} t
 * @param {Parameters<typeof Sandbox.make>[0] & {args?: string[], env?: object}} [wish] what Sandbox.make takes, and
 *   Pi's own arguments and environment
 * @returns {Promise<{sandbox: Sandbox, pi: Rpc}>}
 */
export async function scene(t, { args, env, ...wish } = {}) {
  const sandbox = await Sandbox.for(t, wish);
  return { sandbox, pi: Rpc.for(t, sandbox, args, env) };
}
