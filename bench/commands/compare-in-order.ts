import { existsSync, writeFileSync } from "node:fs";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { visibleLine } from "../basics/visible.ts";
import { slopeTexts } from "../report/comparison-table.ts";
import { comparedRun } from "../result/published.ts";
import { slopesOverRuns } from "../result/slopes-over-runs.ts";
import { findRuns } from "../runs/find-runs.ts";
import { readRun } from "../runs/read-run.ts";
import { faultText } from "../runs/verify-run.ts";
import { gateSeries } from "../result/gate-drift.ts";
import { isGateHistory, readGates } from "../runs/gate-history.ts";
import { driftTexts, gateSeriesLines } from "../report/gate-drift-text.ts";
import { styleFor } from "../report/style.ts";
import { printable } from "../report/align.ts";
import { trackLines, trackRecord } from "../report/track-text.ts";
import { trackRuns } from "../result/track.ts";
import { type Context, resultsDirectory, runFolder } from "./context.ts";

/** `bench compare [RUN…]` over time: each cell from run to run, the changes between them, and the steps that are proven. */
export async function compareInOrder(context: Context): Promise<ExitCode> {
  const { args, say } = context;
  const other = (["fail-on", "markdown"] as const).find((option) => args.from(option) === "flag");
  if (other !== undefined) {
    const least = args.get("fail-on") ?? 0;
    const value = other === "fail-on" ? ` ${Number((100 * least).toPrecision(6))}%` : "";
    throw usageError(`--${other} belongs to two runs`, `bench compare RUN RUN --${other}${value}`);
  }
  const paths = args.words.length === 0
    ? [resultsDirectory(args)]
    : args.words.map((word) => existsSync(word) ? word : runFolder(context, word));
  const histories = paths.filter(isGateHistory);
  if (histories.length > 0) {
    const series = gateSeries(histories.flatMap(readGates));
    return shown(
      context,
      { gates: series.map((one) => ({ ...one, sentences: driftTexts(one) })) },
      (look) => gateSeriesLines(series, look),
    );
  }
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
  const slopes = runs.length < 2 ? [] : slopesOverRuns(runs);
  await shown(context, { tracks: tracks.map(trackRecord), slopes }, (look) =>
    [
      tracks.map((track) => trackLines(track, look)).join("\n"),
      ...slopeTexts(slopes).map((text) => `${printable(text)}\n`),
    ].join(""));
  return leftOut === 0 ? EXIT.done : EXIT.invalid;
}

/** Shows what a time brought: as a page with --output, else as a text or JSON. */
async function shown(
  { args, show, outStyle, columns }: Context,
  record: object,
  text: (look: Parameters<typeof trackLines>[1]) => string,
): Promise<ExitCode> {
  const output = args.get("output");
  if (output !== undefined) {
    const { trackPage } = await import("../page/page-frame.ts");
    const whole = text({ style: styleFor(false, {}), columns: Infinity, all: true });
    (await import("./report.ts")).writeOut(writeFileSync, output, trackPage(whole));
  }
  show(
    record,
    () => output === undefined ? text({ style: outStyle, columns, all: args.has("all") }) : `${printable(output)}\n`,
  );
  return EXIT.done;
}
