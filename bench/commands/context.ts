import { basename, join } from "node:path";
import { BenchError, usageError } from "../basics/errors.ts";
import { findConfig, type ReadConfig } from "../options/config.ts";
import type { Args } from "../options/args.ts";
import { REFERENCE } from "../runs/find-reference.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { dataFolder, referencesFolder, resultsFolder } from "../runtimes/project-folders.ts";
import { findRun } from "../runs/read-run.ts";
import type { RuntimeCache } from "../sources/resolve-runtimes.ts";
import type { PreparingSite } from "../engine/conductor.ts";
import type { ExplainSite } from "../engine/explain.ts";
import type { Interrupts } from "../machine/interrupts.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { printable } from "../report/align.ts";
import type { Style } from "../report/style.ts";

/** The arguments of a command and its two outputs: stdout for results, stderr for progress. */
export interface Context {
  readonly args: Args;
  /** Suites to choose from: one of the command line, those of a config, those of this project. */
  readonly suites: readonly LoadedSuite[];
  readonly config: ReadConfig | null;
  /** Why a gate's module cannot be used. */
  readonly refused?: BenchError;
  /** A terminal or not; what is written to it goes through the functions below, and progress through bench/report/. */
  readonly stderr: NodeJS.WriteStream;
  readonly outStyle: Style;
  readonly errStyle: Style;
  /** Columns of stdout; Infinity if it is no terminal and no variable has a number. */
  readonly columns: number;
  /** Writes text for people to stdout, in lines that fit. */
  readonly print: (text: string) => void;
  /** Writes one line to stdout that is never broken: a path or an address, for scripts too. */
  readonly printLine: (line: string) => void;
  /** Writes data to stdout unchanged, except for characters that would control a terminal. */
  readonly give: (data: string) => void;
  /** Writes a result to stdout: its record as JSON with --json, else its text for people. */
  readonly show: (record: unknown, text: () => string) => void;
  /** Writes a line for people to stderr, in lines that fit. */
  readonly say: (line: string) => void;
  /** Writes one line to stderr that is never broken: a command to copy. */
  readonly sayLine: (line: string) => void;
  /** Asks a yes-or-no question on the terminal; null if nobody can answer. */
  readonly ask: (question: string) => Promise<boolean | null>;
  /** Shows the current activity: on a terminal it replaces the previous one, elsewhere it is a line. Null clears it. */
  readonly doing: (text: string | null) => void;
}

/** The folder of runs. */
export function resultsDirectory(args: Args): string {
  return args.get("results") ?? resultsFolder();
}

/**
 * The folder of a run by its name on the command line: see {@link findRun}. If `reference` is of another kind of CPU,
 * stderr names its run.
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
    throw usageError(error.message, `${error.hint}; --config ${basename(unread)} if that names another folder of runs`);
  }
}

/** The trust in a stored plan; stderr lists its actions. */
export const trustFrom = ({ args, say }: Pick<Context, "args" | "say">) => ({ trust: args.has("trust"), say });

/** The folder of files that are built for servers. */
export function dataDirectory(args: Args): string {
  return args.get("data") ?? dataFolder();
}

/** The source of runtimes: missing ones are fetched, with a line each. */
export const runtimeCache = ({ args, say }: Pick<Context, "args" | "say">): RuntimeCache => ({
  folder: join(dataDirectory(args), "runtimes"),
  missing: "fetch",
  say,
});

/** The conductor's part of a command: hosts, fetched runtimes, and lines on stderr. */
export const preparingSite = (context: Pick<Context, "args" | "say">, hosts: Hosts): PreparingSite => ({
  hosts,
  cache: runtimeCache(context),
  say: context.say,
});

/** The folders and the line of progress of an explanation. */
export const explainSiteOf = (
  { args, doing }: Pick<Context, "args" | "doing">,
  interrupts: Interrupts,
): ExplainSite => ({
  ...{ results: resultsDirectory(args), data: dataDirectory(args), interrupts, doing },
});

/** The part of a command line that says how revisions of a user's server are made ready, and who hears of it. */
export const workshopOf = ({ args, doing, say }: Pick<Context, "args" | "doing" | "say">, { draft }: LoadedSuite) => ({
  ...{ install: args.get("install"), carry: args.get("carry") ?? [], env: draft?.env ?? [], doing, say },
});
