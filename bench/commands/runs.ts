import { join } from "node:path";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { isPublished, listRuns, readRunSummary } from "../runs/read-run.ts";
import { listedRun, newestFirst } from "../report/listed-run.ts";
import { runLines, runRecords } from "../report/run-lines.ts";
import { type Context, resultsDirectory } from "./context.ts";

/** `bench show --list`: all runs, the newest first, with their answers. */
export async function runsCommand({ args, show, outStyle, columns }: Context): Promise<ExitCode> {
  const other = args.words.length > 0 ? `"${args.words[0]}"` : args.has("all") ? "--all" : undefined;
  if (other !== undefined) throw usageError(`--list shows all runs, so ${other} cannot be given`, "bench show --list");
  const results = resultsDirectory(args);
  const names = listRuns(results);
  const published = names.every((name) => isPublished(join(results, name)));
  // A run without a summary is summed up from its lines.
  const read = published ? readRunSummary : (await import("../runs/published-run.ts")).readPublishedRun;
  const runs = newestFirst(names.map((name) => listedRun(name, () => read(join(results, name)))));
  show({ runs: runRecords(runs) }, () => runLines(runs, outStyle, columns));
  return EXIT.done;
}
