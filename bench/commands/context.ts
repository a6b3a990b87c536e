import { basename, join } from "node:path";
import { BenchError, usageError } from "../basics/errors.ts";
import { findConfig } from "../options/find-config.ts";
import type { Args } from "../options/args.ts";
import type { ReadConfig } from "../options/config-place.ts";
import { REFERENCE } from "../runs/find-reference.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { dataFolder, referencesFolder, resultsFolder } from "../runtimes/project-folders.ts";
import { findRun } from "../runs/read-run.ts";
import type { RuntimeCache } from "../sources/resolve-runtimes.ts";
import type { Venue } from "../engine/conductor.ts";
import type { Desk } from "../engine/explain.ts";
import type { Interrupts } from "../machine/interrupts.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { printable } from "../report/align.ts";
import type { Style } from "../report/style.ts";

/** What a command gets: its arguments and the two outputs. stdout carries results, stderr progress. */
export interface Context {
  readonly args: Args;
  /** Suites that may be meant: one the command line makes or names a file of, those of a config, those of this project. */
  readonly suites: readonly LoadedSuite[];
  /** The config that was read; null without one. */
  readonly config: ReadConfig | null;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly outStyle: Style;
  readonly errStyle: Style;
  /** Columns that stdout has; Infinity where it is no terminal and nobody says. */
  readonly columns: number;
  /** Writes text for people to stdout, in lines that fit. Data go to stdout as they are. */
  readonly print: (text: string) => void;
  /** Writes a line for people to stderr, in lines that fit. */
  readonly say: (line: string) => void;
  /** Asks on the terminal whether to go on; null where there is nobody to ask. */
  readonly ask: (question: string) => Promise<boolean | null>;
  /** Says what is done at the moment: on a terminal over what was done before, elsewhere in a line. Null clears it. */
  readonly doing: (text: string | null) => void;
}

/** The folder of runs. */
export function resultsDirectory(args: Args): string {
  return args.get("results") ?? resultsFolder();
}

/**
 * The folder of a run as the command line names it: see {@link findRun}. stderr says which run `reference` is where it
 * is of another kind of CPU.
 */
export function runFolder(
  { args, say, config }: Pick<Context, "args" | "say" | "config">,
  wanted: string | undefined,
): string {
  try {
    const folder = args.get("results") ?? (wanted === REFERENCE ? referencesFolder() : resultsFolder());
    return findRun(folder, wanted, (line) => say(printable(line)));
  } catch (error) {
    const unread = config === null && !args.has("no-config") ? findConfig(process.cwd()) : undefined;
    if (!(error instanceof BenchError) || unread === undefined) throw error;
    // It may say another folder of runs.
    throw usageError(error.message, `--config ${basename(unread)}, which only what measures reads unasked`);
  }
}

/** How far a stored plan is trusted; stderr says what it would do. */
export const trustFrom = ({ args, say }: Pick<Context, "args" | "say">) => ({ trust: args.has("trust"), say });

/** The folder of what is built for servers. */
export function dataDirectory(args: Args): string {
  return args.get("data") ?? dataFolder();
}

/** Where runtimes come from: what is missing is fetched, and said so. */
export const runtimeCache = ({ args, say }: Pick<Context, "args" | "say">): RuntimeCache => ({
  folder: join(dataDirectory(args), "runtimes"),
  missing: "fetch",
  tell: say,
});

/** The conductor's part of a command: hosts, fetched runtimes, and lines on stderr. */
export const venueOf = (context: Pick<Context, "args" | "say">, hosts: Hosts): Venue => ({
  hosts,
  cache: runtimeCache(context),
  say: context.say,
});

/** The folders and the line of progress of an explanation. */
export const deskOf = ({ args, doing }: Pick<Context, "args" | "doing">, interrupts: Interrupts): Desk => ({
  ...{ results: resultsDirectory(args), data: dataDirectory(args) },
  ...{ interrupts, doing },
});
