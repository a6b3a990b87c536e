import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { execFile, spawnSync } from "node:child_process";
import { orElse } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
import { LIMITS } from "./clock.ts";

/** Finds a program on PATH, or undefined. A name with a slash is looked at as it is. */
export function findProgram(name: string): string | undefined {
  if (name.includes("/")) return isProgram(name) ? name : undefined;
  return (process.env["PATH"] ?? "").split(delimiter)
    // Deno puts a folder first in PATH in which "node" is Deno again.
    .filter((folder) => basename(folder) !== "node_compat_bin")
    .map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  return orElse(() => (accessSync(file, constants.X_OK), statSync(file).isFile()), false);
}

/**
 * Runs a short program within a time limit, and never throws: a missing program is a result too. The code is null if it
 * could not be started or was killed.
 */
export function runToEnd(
  file: string,
  args: readonly string[],
  cwd?: string,
  timeoutMs: number = LIMITS.shortProgramMs,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      { timeout: timeoutMs, maxBuffer: 16 << 20, ...present({ cwd }) },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, stdout, stderr: stderr || (error !== null && code === null ? error.message : "") });
      },
    );
  });
}

/** Runs a short program and returns its output; throws if it cannot be run. */
export type OutputOf = (file: string, args: readonly string[]) => string;

/** Runs a program of this system. A program that complains, as sysctl does of an unknown name, may still have answered. */
export const outputOf: OutputOf = (file, args) => {
  const { error, stdout } = spawnSync(file, [...args], {
    encoding: "utf8",
    timeout: LIMITS.shortProgramMs,
    env: { ...process.env, LC_ALL: "C" },
  });
  if (error !== undefined) throw error;
  return stdout;
};
