/** The version of this extension. The gate's binary carries the same one; `pigate doctor` compares them. */
export const EXTENSION_VERSION = "0.1.0";
