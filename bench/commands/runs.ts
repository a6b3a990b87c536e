import { join } from "node:path";
import { EXIT, type ExitCode } from "../basics/errors.ts";
import { readPublishedRun } from "../host/published-run.ts";
import { listRuns } from "../host/read-run.ts";
import { harmlessJson } from "../report/harmless.ts";
import { type ListedRun, newestFirst } from "../report/listed-run.ts";
import { runLines, runRecords } from "../report/run-lines.ts";
import { type Context, resultsDirectory } from "./context.ts";

/** `bench runs`: every run there is, the newest first, with what it says to take. */
export function runsCommand({ args, stdout, outStyle, columns, print }: Context): ExitCode {
  const results = resultsDirectory(args);
  const runs = newestFirst(listRuns(results).map((name) => listedRun(results, name)));
  if (args.has("json")) stdout.write(harmlessJson({ runs: runRecords(runs) }) + "\n");
  else print(runLines(runs, outStyle, columns));
  return EXIT.done;
}

/** A run of a folder of results, or why it cannot be read. */
export function listedRun(results: string, name: string): ListedRun {
  try {
    const { run, summary } = readPublishedRun(join(results, name));
    return { name, run, summary };
  } catch (error) {
    return { name, fault: (error as Error).message };
  }
}
