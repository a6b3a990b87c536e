import { relative } from "node:path";
import { EXIT, type ExitCode, usageError } from "../core/errors.ts";
import { publish } from "../core/result/published.ts";
import { shapeOf } from "../core/result/shape.ts";
import { findRun, readRun } from "../host/read-run.ts";
import { stampLines } from "../report/verdict-lines.ts";
import { type Context, resultsDirectory } from "./context.ts";

const MARKS = { yes: "✓", no: "✗", unknown: "?" } as const;

/** `bench shape`: does a run have the shape its stores promise? Exit 3 when a check does not hold. */
export function shapeCommand(context: Context): ExitCode {
  const { args, stdout, outStyle } = context;
  const path = findRun(resultsDirectory(args), args.words[0]);
  const { run, lines } = readRun(path);
  const { summary } = publish(run, lines);
  const checks = shapeOf(lines, summary);
  if (checks.length === 0) {
    throw usageError(`run "${run.run}" has nothing to check`, "it needs sizes tenfold apart, or map and sqlite");
  }
  const failed = checks.filter((check) => check.holds === "no").length;
  if (args.has("json")) stdout.write(JSON.stringify({ run: run.run, checks }) + "\n");
  else {
    stdout.write(stampLines(summary, outStyle));
    const width = Math.max(...checks.map((check) => check.name.length));
    for (const { name, holds, seen, expected } of checks) {
      const paint = holds === "yes" ? outStyle.green : holds === "no" ? outStyle.red : outStyle.yellow;
      stdout.write(`${paint(MARKS[holds])} ${name.padEnd(width)}  ${seen}; expected ${expected}\n`);
    }
    const held = checks.filter((check) => check.holds === "yes").length;
    stdout.write(
      `${relative(process.cwd(), path) || path}: ${held} of ${checks.length} checks hold, ${failed} do not\n`,
    );
  }
  return failed === 0 ? EXIT.done : EXIT.invalid;
}
