/** Name of a runtime a store may run on. */
export type RuntimeName = "node" | "deno" | "bun";

/** The runtime this process runs on. */
export function detectRuntime(): RuntimeName {
  const { versions } = process as { versions: Readonly<Record<string, string | undefined>> };
  return versions["bun"] !== undefined ? "bun" : versions["deno"] !== undefined ? "deno" : "node";
}
