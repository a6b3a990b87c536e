import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Failure } from "../basics/failures.ts";
import { orElse } from "../basics/errors.ts";
import type { RuntimeName } from "../../servers/runtime.ts";
import type { UserServer } from "../record/user-spec.ts";
import { foldersUp } from "./tsconfig-paths.ts";

/** Errors of Node, and of tsx, for a module that is read as CommonJS. */
const AS_COMMONJS =
  /Cannot use import statement outside a module|Unexpected token 'export'|await is only valid in async functions|supported with the "cjs" output/;

/** Endings of modules whose kind a package.json decides. */
const UNDECIDED = /\.([jt]s)$/;

/** Returns the failure of a module that Node reads as CommonJS because of its package.json; null for any other. */
export function readAsCommonjs(
  server: UserServer,
  runtime: RuntimeName | undefined,
  folder: string,
  said: string,
): Failure<"read-as-commonjs"> | null {
  if (server.kind !== "app" || runtime !== "node" || !AS_COMMONJS.test(said)) return null;
  const module = resolve(folder, server.module);
  const manifest = foldersUp(dirname(module)).map((each) => join(each, "package.json")).find(existsSync);
  if (manifest === undefined) return null;
  const type = orElse(() => JSON.parse(readFileSync(manifest, "utf8")).type as unknown, null);
  if (type !== "commonjs") return null;
  const file = basename(module);
  const better = UNDECIDED.test(file) ? file.replace(UNDECIDED, ".m$1") : null;
  return { code: "read-as-commonjs", facts: { file, better } };
}
