import { AA, MAIN } from "../core/cell.ts";
import { EXIT, type ExitCode, usageError } from "../core/errors.ts";
import { type ComparedRun, compareRuns, type RunComparison } from "../core/result/compare-runs.ts";
import { publish } from "../core/result/published.ts";
import { findRun, readRun } from "../host/read-run.ts";
import { comparisonMarkdown, comparisonTable } from "../report/comparison-table.ts";
import { type Context, resultsDirectory } from "./context.ts";

/** `bench compare A B`: what changed from A to B, proven or not; exit 4 on a proven regression when asked to. */
export function compareCommand(context: Context): ExitCode {
  const { args, stdout, outStyle } = context;
  if (args.words.length < 2) {
    throw usageError("compare needs two runs", "bench compare reference RUN, or RUN@main RUN@label");
  }
  const threshold = thresholdFrom(args.value("fail-on"));
  const results = resultsDirectory(args);
  const [a, b] = args.words.map((word) => sideFrom(results, word)) as [ComparedRun, ComparedRun];
  if (a.run.run === b.run.run && a.label === b.label) {
    throw usageError(`"${args.words[0]}" and "${args.words[1]}" are the same`, "name two runs, or two labels of one");
  }
  const comparison = compareRuns(a, b);
  const regressions = threshold === undefined ? [] : regressionsOf(comparison, threshold);
  if (args.has("json")) stdout.write(JSON.stringify({ ...comparison, regressions }) + "\n");
  else {
    const names: [string, string] = [args.words[0]!, args.words[1]!];
    stdout.write(
      args.has("markdown") ? comparisonMarkdown(names, comparison) : comparisonTable(names, comparison, outStyle),
    );
    if (threshold !== undefined) {
      const limit = `${(100 * threshold).toPrecision(2)} %`;
      stdout.write(
        regressions.length === 0
          ? `no cell is proven slower by ${limit} or more\n`
          : `${outStyle.red("regression:")} ${regressions.join(", ")} proven slower, by ${limit} or more\n`,
      );
    }
  }
  return regressions.length === 0 ? EXIT.done : EXIT.regression;
}

/** Cells proven slower in the second, by at least a share: a `faster` verdict for the first and a ratio above it. */
function regressionsOf({ cells }: RunComparison, threshold: number): string[] {
  return cells.flatMap(({ cell, verdict }) =>
    verdict.verdict === "faster" && verdict.winner === "a" && verdict.ratio >= 1 + threshold ? [cell] : []
  );
}

function thresholdFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const percent = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim())?.[1];
  if (percent === undefined) throw usageError(`--fail-on "${text}" is no percentage`, "for example --fail-on 5%");
  return Number(percent) / 100;
}

function sideFrom(results: string, word: string): ComparedRun {
  const at = word.lastIndexOf("@");
  const [name, label] = at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, undefined];
  const { run, lines } = readRun(findRun(results, name));
  const labels = [...new Set(run.plan.cells.map((cell) => cell.label))].filter((known) => known !== AA);
  const chosen = label ?? (labels.includes(MAIN) ? MAIN : labels[0] ?? MAIN);
  if (!labels.includes(chosen)) {
    throw usageError(`run "${run.run}" has no label "${chosen}"`, `it has ${labels.join(", ")}`);
  }
  return { run, lines, summary: publish(run, lines).summary, label: chosen };
}
