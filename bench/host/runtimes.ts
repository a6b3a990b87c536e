import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RuntimeName } from "../../servers/runtime.ts";
import { failure } from "../core/errors.ts";
import { findProgram } from "./child.ts";
import { runToEnd } from "./run-to-end.ts";

/** The project's own folder. */
export const PROJECT_ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A runtime's binary as it will be run. */
export interface RuntimeBinary {
  readonly name: RuntimeName;
  /** Absolute, links resolved. */
  readonly file: string;
  readonly version: string;
  /** Where it came from. */
  readonly origin: "npm" | "path";
}

/** Arguments between a runtime's binary and the script: each runs `.ts` unbuilt, fetches nothing and asks nothing. */
export const SCRIPT_ARGS: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: [],
  deno: ["run", "--allow-all", "--no-check", "--cached-only", "--quiet"],
  bun: ["run", "--no-install"],
};

/**
 * The variables children see: enough to run, and nothing that changes with who calls. Everything else of the caller's
 * environment stays outside.
 */
export function childEnvironment(): Record<string, string> {
  const env: Record<string, string> = {
    NODE_ENV: "production",
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
    DO_NOT_TRACK: "1",
  };
  for (const name of ["PATH", "HOME", "TMPDIR", "DENO_DIR"]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Finds a runtime: the one npm pinned, else the one on PATH (inside the Nix shell that one is pinned). */
export function locateRuntime(name: RuntimeName): { file: string; origin: "npm" | "path" } {
  const pinned = join(PROJECT_ROOT, "node_modules", ".bin", name);
  if (process.env["LEVELFIELD_TOOLS"] !== "path" && existsSync(pinned)) {
    return { file: realpathSync(pinned), origin: "npm" };
  }
  const found = findProgram(name);
  if (found !== undefined) return { file: realpathSync(found), origin: "path" };
  throw failure(`runtime "${name}" is not installed`, `run "npm ci" here, or leave it out with --runtime`);
}

/** Finds a runtime and asks it for its version. Throws when it is missing or does not run. */
export async function inspectRuntime(name: RuntimeName): Promise<RuntimeBinary> {
  const { file, origin } = locateRuntime(name);
  const { code, stdout, stderr } = await runToEnd(file, ["--version"]);
  const version = /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  if (code !== 0 || version === undefined) {
    throw failure(
      `"${file} --version" does not run: ${(stderr || stdout).trim().split("\n")[0] || `exit ${code}`}`,
      `run "npm ci" here, or leave it out with --runtime`,
    );
  }
  return { name, file, origin, version };
}

/** SHA-256 of a file's bytes, in hexadecimal. */
export function fileSha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
