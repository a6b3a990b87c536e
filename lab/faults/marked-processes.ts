import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { statFieldsOf } from "../../bench/machine/owner.ts";

/** A process as /proc shows it. */
export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
  readonly environment: string;
}

/**
 * Every other process whose command line, environment or folder names a text. All that a bench starts carries its folder there,
 * whoever its parent is by now. One that has ended and was not waited for is left out.
 */
export function processesWith(mark: string): MarkedProcess[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    const state = statFieldsOf(Number(name))?.[0] ?? "X";
    if (Number(name) === process.pid || state === "Z" || state === "X") return [];
    try {
      const command = textOf(`/proc/${name}/cmdline`);
      const environment = textOf(`/proc/${name}/environ`);
      const named = [command, environment, readlinkSync(`/proc/${name}/cwd`)].some((text) => text.includes(mark));
      return named ? [{ pid: Number(name), command, environment }] : [];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

const textOf = (file: string) => readFileSync(file, "utf8").replaceAll("\0", " ").trim();
