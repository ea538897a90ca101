// Where the things under test are, and how long a test waits before it gives up.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const WINDOWS = process.platform === "win32";

/** The root of the checkout. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

/** A file of the end-to-end tests, by its path below e2e/. */
export const e2eFile = (...parts) => path.join(ROOT, "e2e", ...parts);

/** The folder with the gate's binary, as `make build` leaves it. */
export const BIN = path.join(ROOT, "bin");

/** The gate's binary itself, for the commands a person types. */
export const PIGATE = path.join(BIN, WINDOWS ? "pigate.exe" : "pigate");

/** The Node that runs these tests also runs Pi. */
export const NODE = process.execPath;

const piPackage = path.join(ROOT, "node_modules", "@earendil-works", "pi-coding-agent");

/** The script that is Pi's command. */
export const PI = path.join(piPackage, JSON.parse(fs.readFileSync(path.join(piPackage, "package.json"), "utf8")).bin.pi);

/**
 * The limit of every wait, in milliseconds. It only ends a test that would hang; none is faster or slower for it.
 */
export const PATIENCE = 60_000;
