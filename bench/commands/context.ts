import { join } from "node:path";
import type { Args } from "../args/read-args.ts";
import type { LoadedSuite } from "../host/load-suite.ts";
import { findRun } from "../host/read-run.ts";
import { PROJECT_ROOT } from "../host/runtimes.ts";
import { printable } from "../report/align.ts";
import type { Style } from "../report/style.ts";

/** What a command gets: its arguments and the two outputs. stdout carries results, stderr progress. */
export interface Context {
  readonly args: Args;
  /** Suites that may be meant: the one in a file the command line names, then those of this project. */
  readonly suites: readonly LoadedSuite[];
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly outStyle: Style;
  readonly errStyle: Style;
  /** Which parser read the command line. */
  readonly parser: string;
}

/** The folder of runs. */
export function resultsDirectory(args: Args): string {
  return args.value("results") ?? (process.env["LEVELFIELD_RESULTS"] || join(PROJECT_ROOT, "results"));
}

/**
 * The folder of a run as the command line names it: see {@link findRun}. stderr says which run `reference` is where it
 * is of another kind of CPU.
 */
export function runFolder({ args, stderr }: Pick<Context, "args" | "stderr">, wanted: string | undefined): string {
  return findRun(resultsDirectory(args), wanted, (line) => stderr.write(`${printable(line)}\n`));
}

/** The folder of what is built for servers. */
export function dataDirectory(args: Args): string {
  return args.value("data") ?? (process.env["LEVELFIELD_DATA"] || join(PROJECT_ROOT, ".data"));
}

/** The folder of runtimes that were fetched. */
export function runtimesDirectory(args: Args): string {
  return join(dataDirectory(args), "runtimes");
}
