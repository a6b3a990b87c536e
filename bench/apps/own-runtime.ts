import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";

/** Files by which a project is known as one of a runtime's; first come first served. */
const MARKS: readonly (readonly [RuntimeName, readonly string[]])[] = [
  ["deno", ["deno.json", "deno.jsonc", "deno.lock"]],
  ["bun", ["bun.lock", "bun.lockb", "bunfig.toml"]],
];

/** The runtime a project is made for, by its settings and lock files: Node where none of them says otherwise. */
export function runtimeOfProject(home: string): RuntimeName {
  return MARKS.find(([_, files]) => files.some((file) => existsSync(join(home, file))))?.[0] ?? "node";
}
