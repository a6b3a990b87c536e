/** Name of a runtime a store may run on. */
export type RuntimeName = "node" | "deno" | "bun";

/** The runtime this process runs on. */
export function detectRuntime(): RuntimeName {
  const { versions } = process as { versions: Readonly<Record<string, string | undefined>> };
  return versions["bun"] !== undefined ? "bun" : versions["deno"] !== undefined ? "deno" : "node";
}

/** Arguments of a runtime before a script. Node gets those of this process, without its test runner's. */
const BEFORE_SCRIPT: Readonly<Record<RuntimeName, () => readonly string[]>> = {
  node: () => process.execArgv.filter((flag) => !flag.startsWith("--test")),
  deno: () => ["run", "--allow-all", "--no-check", "--cached-only", "--quiet"],
  bun: () => ["run", "--no-install"],
};

/** Arguments with which another process of this runtime runs a script as this one does. */
export const scriptArgs = (): readonly string[] => BEFORE_SCRIPT[detectRuntime()]();
