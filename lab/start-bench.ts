import { join } from "node:path";
import { type Child, startChild } from "../bench/host/child.ts";
import { LAUNCHER } from "../bench/host/runtimes.ts";
import type { SelfSite } from "../bench/self/self-site.ts";

/** A bench that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A bench at work. */
export interface Running {
  /** The driver's own: what starts it becomes it. */
  readonly pid: number;
  readonly ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
}

/** Those of some variables that are set. */
export const defined = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined));

/**
 * Starts bin/bench as a person would. All it writes but data goes below a folder; an interrupt ends it.
 *
 * @param cwd where it is started; where this process is, by default
 * @param env variables besides this process's own
 */
export function startBench(
  { dataDirectory, interrupts }: Pick<SelfSite, "dataDirectory" | "interrupts">,
  folder: string,
  args: readonly string[],
  cwd?: string,
  env: Readonly<Record<string, string>> = {},
): Child {
  const child = startChild({
    file: LAUNCHER,
    args,
    cpus: null,
    ...(cwd === undefined ? {} : { cwd }),
    env: defined({
      ...process.env,
      ...env,
      TMPDIR: folder,
      LEVELFIELD_RESULTS: join(folder, "results"),
      LEVELFIELD_DATA: dataDirectory,
    }),
  });
  interrupts.onStart(() => child.kill("SIGTERM"));
  return child;
}
