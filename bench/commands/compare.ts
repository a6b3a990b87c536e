import { existsSync } from "node:fs";
import { counted } from "../basics/units.ts";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { type ComparedRun, compareRuns } from "../result/compare-runs.ts";
import { SINGLE_RUNS } from "../result/open-comparisons.ts";
import { comparedRun } from "../result/published.ts";
import { slopesOverRuns } from "../result/slopes-over-runs.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { isRunFolder } from "../runs/find-runs.ts";
import { readRun } from "../runs/read-run.ts";
import { comparisonMarkdown, comparisonTable } from "../report/comparison-table.ts";
import { harmlessJson } from "../report/align.ts";
import { type Context, runFolder } from "./context.ts";
import { readEach } from "../runs/verify-run.ts";

/** Returns true if words name runs in order of time: all, those in folders, or more than two. */
const areInOrder = (words: readonly string[]): boolean =>
  words.length === 1
    ? existsSync(words[0]!)
    : words.length !== 2 || words.some((word) => existsSync(word) && !isRunFolder(word));

/**
 * `bench compare A B`: what changed from A to B, proven or not; exit 4 on a proven regression with `--fail-on`. A side is a
 * run, a label of one (`RUN@label`), or several of either, comma-separated. Other runs and folders are compared in order of
 * time.
 */
export async function compareCommand(context: Context): Promise<ExitCode> {
  const { args, give, outStyle, columns, print } = context;
  if (areInOrder(args.words)) return await (await import("./compare-in-order.ts")).compareInOrder(context);
  if (args.words.length < 2) {
    throw usageError("compare needs two runs", "bench compare reference RUN, or RUN@main RUN@label");
  }
  const other = (["all", "output"] as const).find((option) => args.has(option));
  if (other !== undefined) {
    throw usageError(`--${other} belongs to runs in order of time`, "name three runs or more, or a folder of runs");
  }
  if (args.has("json") && args.has("markdown")) {
    throw usageError("--json and --markdown exclude each other", "give one of them");
  }
  const threshold = args.get("fail-on");
  const [a, b] = args.words.map((words) =>
    readEach(words.split(","), (word) => runFrom(context, word!), context.say)
  ) as [ComparedRun[], ComparedRun[]];
  const twice = [...a, ...b].find(({ run, label }, n, all) =>
    all.findIndex((other) => other.run.run === run.run && other.label === label) < n
  );
  if (twice !== undefined) {
    throw usageError(
      `run "${twice.run.run}" with label "${twice.label}" comes twice`,
      "name different runs, or two labels of one",
    );
  }
  const leastRuns = thresholds.leastRuns.value;
  const made = compareRuns(a, b);
  const comparison = { ...made, slopes: made.paired ? [] : slopesOverRuns([...a, ...b]) };
  const few = !comparison.paired && Math.min(a.length, b.length) < leastRuns;
  if (threshold !== undefined && (few || comparison.cpus.length > 1)) {
    const why = !few
      ? `they ran on unlike CPUs (${comparison.cpus.join(", ")})`
      : a.length === 1 && b.length === 1
      ? SINGLE_RUNS
      : `it takes ${counted(leastRuns, "run")} a side`;
    throw usageError(
      `--fail-on cannot be decided: ${why}`,
      "bench compare RUN@main RUN@label of a run --against a revision, or bench compare A1,A2,A3 B1,B2,B3",
    );
  }
  const regressions = threshold === undefined
    ? []
    : comparison.cells.flatMap(({ cell, comparison: { verdict, ratio } }) =>
      verdict === "slower" && ratio !== null && 1 / ratio >= 1 + threshold ? [cell] : []
    );
  if (args.has("json")) give(harmlessJson({ ...comparison, regressions }) + "\n");
  else {
    const names: [string, string] = [args.words[0]!, args.words[1]!];
    // Markdown is for files: its lines stay as they are.
    if (args.has("markdown")) give(comparisonMarkdown(names, comparison));
    else print(comparisonTable(names, comparison, { style: outStyle, columns }));
    if (threshold !== undefined) {
      const limit = `${(100 * threshold).toPrecision(2)} %`;
      print(
        regressions.length === 0
          ? `no cell is proven slower by ${limit} or more\n`
          : `${outStyle.red("regression:")} ${regressions.join(", ")} proven slower, by ${limit} or more\n`,
      );
    }
  }
  if (regressions.length > 0) return EXIT.regression;
  const named = args.words.slice(0, 2).flatMap((word) => word.split(","));
  return named.length === a.length + b.length ? EXIT.done : EXIT.invalid;
}

function runFrom(context: Context, word: string): ComparedRun {
  const at = word.lastIndexOf("@");
  const [name, label] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, undefined];
  const { run, lines } = readRun(runFolder(context, name));
  return comparedRun(run, lines, label);
}
