import { spawnSync } from "node:child_process";
import { LAST_RESORT } from "./last-resort.ts";

/** Runs a short program and gives what it printed; throws when it cannot be run. */
export type Ask = (file: string, args: readonly string[]) => string;

/** Asks this system. A program that complains, as sysctl does of a name it does not know, may still have answered. */
export const ask: Ask = (file, args) => {
  const { error, stdout } = spawnSync(file, [...args], {
    encoding: "utf8",
    timeout: LAST_RESORT.shortProgramMs,
    env: { ...process.env, LC_ALL: "C" },
  });
  if (error !== undefined) throw error;
  return stdout;
};
