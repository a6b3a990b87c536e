import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import type { UserSpec } from "../record/user-spec.ts";
import { fileSha256 } from "../runtimes/runtimes.ts";
import { homeOf, type SourceHash, sourceHash } from "../sources/source-hash.ts";

/** The files a command's words name, each with its hash: its program where it is a path, and scripts. */
export function filesOfCommand(command: readonly string[], folder: string): { path: string; sha256: string }[] {
  return command.flatMap((word) => {
    const path = join(folder, word);
    const file = word.startsWith("/") ? word : path;
    return existsSync(file) && statSync(file).isFile() ? [{ path: word, sha256: fileSha256(file) }] : [];
  });
}

/** The same of a suite's module and the folder it lives in; undefined for a suite without one. */
export const suiteSource = (module: string | null, folder: string): SourceHash | undefined =>
  module === null ? undefined : sourceHash(resolve(folder, module), homeOf(resolve(folder, module)));

/** The difference between the sources of a spec and the files that are there now, in words; null without one. */
export function changeOf({ servers, env }: UserSpec, folder: string): string | null {
  for (const server of servers) {
    if (server.kind === "app") {
      const module = resolve(folder, server.module);
      if (!existsSync(module)) return `app "${server.name}" was planned from "${server.module}", which is not here`;
      if (sourceHash(module, resolve(folder, server.home)).sha256 !== server.sha256) {
        return `app "${server.name}" is not the planned one any more: its source has changed`;
      }
    }
    if (server.kind !== "command") continue;
    const now = filesOfCommand(server.command, resolve(folder, server.home ?? "."));
    const changed = server.files.find(({ path, sha256 }) => now.find((one) => one.path === path)?.sha256 !== sha256);
    if (changed !== undefined) return `"${changed.path}" of "${server.name}" is not the planned one any more`;
  }
  const missing = env.find((name) => process.env[name] === undefined);
  return missing === undefined ? null : `the variable ${missing} is not set, which the plan's servers see`;
}

/** Files that mark a project of a runtime; the first match counts. */
const MARKS: readonly (readonly [RuntimeName, readonly string[]])[] = [
  ["deno", ["deno.json", "deno.jsonc", "deno.lock"]],
  ["bun", ["bun.lock", "bun.lockb", "bunfig.toml"]],
];

/** Returns the runtime a project is made for, by its settings and lock files: Node without any. */
export function runtimeOfProject(home: string): RuntimeName {
  return MARKS.find(([_, files]) => files.some((file) => existsSync(join(home, file))))?.[0] ?? "node";
}
