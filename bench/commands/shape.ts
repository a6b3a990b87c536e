import { shellQuoted } from "../basics/shell-quoted.ts";
import { relative } from "node:path";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { publish } from "../result/published.ts";
import { counted } from "../basics/units.ts";
import { readRun } from "../host/read-run.ts";
import { printable, widthOf } from "../report/align.ts";
import { beside } from "../report/beside.ts";
import { harmlessJson } from "../report/harmless.ts";
import { stepLines } from "../report/step-table.ts";
import { markLines } from "../report/verdict-lines.ts";
import { type Context, runFolder } from "./context.ts";

const MARKS = { yes: "✓", no: "✗", unknown: "?" } as const;

/** What is expected, and why: the text before the first semicolon and after it. */
function halves(expected: string): [bounds: string, why: string] {
  const at = expected.indexOf("; ");
  return at < 0 ? [expected, ""] : [expected.slice(0, at), expected.slice(at + 2)];
}

/** `bench shape`: does a run have the shape its suite expects? Exit 3 when a check does not hold. */
export function shapeCommand(context: Context): ExitCode {
  const { args, stdout, outStyle, columns, print } = context;
  const path = runFolder(context, args.words[0]);
  const { run, lines } = readRun(path);
  const { summary } = publish(run, lines);
  const { checks, steps } = summary;
  if (checks.length === 0 && steps.length === 0) {
    throw usageError(
      `run "${run.run}" has nothing to check: suite "${run.plan.suite.name}" expects nothing of its cells`,
      `bench run ${shellQuoted(run.plan.suite.module ?? run.plan.suite.name)} measures more of them`,
    );
  }
  const failed = checks.filter(({ holds }) => holds === "no").length;
  if (args.has("json")) stdout.write(harmlessJson({ run: run.run, checks, steps }) + "\n");
  else {
    print(markLines(summary, outStyle));
    const names = checks.map(({ name }) => printable(name));
    const width = 2 + Math.max(0, ...names.map(widthOf));
    // What does not hold stands last, where it is seen without scrolling.
    const order = ["yes", "unknown", "no"];
    const sorted = checks.map((check, n) => ({ ...check, n }))
      .toSorted((a, b) => order.indexOf(a.holds) - order.indexOf(b.holds));
    // Why something is expected stands once, and beside what does not hold.
    const told = new Set<string>();
    const expectation = ({ holds, expected }: (typeof sorted)[number]) => {
      const [bounds, why] = halves(expected);
      if (why === "" || (holds !== "no" && told.has(why))) return bounds;
      told.add(why);
      return expected;
    };
    const tell = (check: (typeof sorted)[number]) => {
      const { holds, seen, n } = check;
      const paint = holds === "yes" ? outStyle.green : holds === "no" ? outStyle.red : outStyle.yellow;
      const lines = beside(`${MARKS[holds]} ${names[n]!}`, printable(`${seen}; expected ${expectation(check)}`), {
        width,
        columns,
      });
      print(`${paint(MARKS[holds])}${lines.join("\n").slice(1)}\n`);
    };
    if (steps.length > 0) print(`${stepLines(summary, outStyle, columns)}\n`);
    sorted.forEach(tell);
    const held = checks.filter(({ holds }) => holds === "yes").length;
    const open = checks.length - held - failed;
    const where = relative(process.cwd(), path) || path;
    print(
      `${where}: ${held} of ${counted(checks.length, "check")} ${held === 1 ? "holds" : "hold"}, ${failed} ${
        failed === 1 ? "does" : "do"
      } not${open === 0 ? "" : `, ${open} cannot be told`}\n`,
    );
  }
  return failed === 0 ? EXIT.done : EXIT.invalid;
}
