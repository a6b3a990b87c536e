import { writeFileSync } from "node:fs";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { visibleLine } from "../basics/visible.ts";
import { comparedRun } from "../result/published.ts";
import { findRuns } from "../runs/find-runs.ts";
import { readRun } from "../runs/read-run.ts";
import { faultText } from "../runs/verify-run.ts";
import { harmlessJson, printable } from "../report/align.ts";
import { trackLines, trackRecord } from "../report/track-text.ts";
import { trackRuns } from "../result/track.ts";
import { type Context, resultsDirectory } from "./context.ts";

/** `bench track`: runs of one place in a row, cell by cell, with what changed and which steps are proven. */
export async function trackCommand({ args, stdout, outStyle, columns, print, say }: Context): Promise<ExitCode> {
  const paths = args.words.length === 0 ? [resultsDirectory(args)] : args.words;
  let leftOut = 0;
  const runs = [...findRuns(paths)].flatMap((found) => {
    try {
      if ("fault" in found) throw failure(found.fault);
      const { run, lines } = readRun(found.path);
      return [comparedRun(run, lines, undefined)];
    } catch (error) {
      leftOut++;
      say(visibleLine(`left out: ${found.name}: ${faultText(error)}`));
      return [];
    }
  });
  if (runs.length === 0) throw usageError(`there is no run in "${paths.join(", ")}"`, "bench run, or name its folder");
  const tracks = trackRuns(runs);
  const output = args.get("output");
  if (output !== undefined) {
    const { trackPage } = await import("../page/runs-page.ts");
    (await import("./report.ts")).writeOut(writeFileSync, output, trackPage(tracks));
  }
  if (args.has("json")) stdout.write(harmlessJson({ tracks: tracks.map(trackRecord) }) + "\n");
  else if (output !== undefined) print(`${printable(output)}\n`);
  else print(tracks.map((track) => trackLines(track, outStyle, columns)).join("\n"));
  return leftOut === 0 ? EXIT.done : EXIT.invalid;
}
