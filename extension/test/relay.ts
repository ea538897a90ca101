/**
 * The process that stands in for the gate: a pipe between its own standard streams and a test. It decides nothing; the
 * test reads each line and says what to write, or to exit. See FakeGates.
 */
import { closeSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

export interface Order {
  out?: string;
  err?: string;
  exit?: number;
  /** Fill standard output without ever ending the line. */
  flood?: true;
  /** Close standard input. */
  deaf?: true;
}

const socket = connect(Number(process.env["RELAY_PORT"]), "127.0.0.1");
const tell = (report: object) => socket.write(`${JSON.stringify(report)}\n`);

tell({ pid: process.pid, args: process.argv.slice(2), cwd: process.cwd(), mark: process.env["RELAY_MARK"] });
const input = createInterface({ input: process.stdin });
input.on("line", (line) => tell({ line }));
input.on("close", () => tell({ eof: true }));
process.stdout.on("error", () => process.exit(9));

createInterface({ input: socket }).on("line", (text) => {
  const order = JSON.parse(text) as Order;
  if (order.out !== undefined) process.stdout.write(order.out);
  if (order.err !== undefined) process.stderr.write(order.err);
  if (order.flood) flood();
  if (order.deaf) deafen();
  const { exit } = order;
  if (exit !== undefined) process.stderr.write("", () => process.stdout.write("", () => process.exit(exit)));
});
// When the test is over, so is its gate.
socket.on("close", () => process.exit(0));
socket.on("error", () => process.exit(0));

/** Node leaves the descriptor of its own standard input open. */
function deafen(): void {
  process.stdin.destroy();
  closeSync(0);
  tell({ eof: true });
}

function flood(): void {
  process.stdout.write("x".repeat(1 << 16), () => setImmediate(flood));
}
