/** The runtimes a server can run on, in the order tables show them. */
export const RUNTIME_NAMES = ["node", "deno", "bun"] as const;

/** Name of a runtime. */
export type RuntimeName = (typeof RUNTIME_NAMES)[number];

/** Which runtime this process really is, by its own version table; Deno and Bun list `node` too, so they come first. */
export function detectRuntime(): { readonly name: RuntimeName; readonly version: string } {
  const versions: Record<string, string | undefined> = process.versions;
  for (const name of ["deno", "bun", "node"] as const) {
    const version = versions[name];
    if (version !== undefined) return { name, version };
  }
  throw new Error("this runtime names itself neither node, deno nor bun");
}
