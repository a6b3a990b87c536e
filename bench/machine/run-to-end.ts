import { execFile } from "node:child_process";
import { LAST_RESORT } from "./last-resort.ts";

/**
 * Runs a short program, no longer than a last resort unless told otherwise, and never throws: not being there is an answer too. The
 * code is null when it could not be started or was killed.
 */
export function runToEnd(
  file: string,
  args: readonly string[],
  cwd?: string,
  timeoutMs: number = LAST_RESORT.shortProgramMs,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      { timeout: timeoutMs, maxBuffer: 16 << 20, ...(cwd === undefined ? {} : { cwd }) },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, stdout, stderr: stderr || (error !== null && code === null ? error.message : "") });
      },
    );
  });
}
