import { BenchError } from "../basics/errors.ts";
import { visibleLine } from "../basics/visible.ts";
import type { MeasuredGate } from "../report/gate-outcome.ts";
import { costAt } from "../report/gate-report.ts";
import { driftTexts } from "../report/gate-drift-text.ts";
import { gateSeries } from "../result/gate-drift.ts";
import { BASE, YOURS } from "../result/judge-gate.ts";
import { keepGate, readGates } from "../runs/gate-history.ts";
import { gitIn } from "../sources/git.ts";
import type { Context } from "./context.ts";

/**
 * Adds a measured gate to the folder of --history. Returns what it says of this module's drift, if it has one; a work tree
 * with changes is of no commit and is not kept.
 */
export async function addToHistory({ args, say }: Context, report: MeasuredGate): Promise<readonly string[]> {
  const folder = args.get("history");
  if (folder === undefined) return [];
  const { pair, gate, run, module } = report;
  const commit = pair.head_commit;
  if (pair.head_changed) {
    say(`Not kept: the work tree has changes that ${commit.slice(0, 7)} has not.`);
    return [];
  }
  const { stdout } = await gitIn(process.cwd(), ["show", "--no-patch", "--format=%cI", commit]);
  try {
    keepGate(folder, {
      schema: "levelfield.gated/1",
      ...{ commit, at: stdout.trim(), base_commit: pair.base_commit, module, run: run.run, outcome: gate.outcome },
      cpu_kind: run.machine.cpu_kind,
      runtimes: run.runtimes.map(({ name, version }) => ({ name, version })),
      places: gate.places.map(({ title, comparison: { ratio, interval } }) => ({
        title,
        ...{ base_ns: costAt(report, title, BASE), yours_ns: costAt(report, title, YOURS), ratio },
        interval: interval && [interval.low, interval.high],
      })),
    });
    const series = gateSeries(readGates(folder)).filter((one) => one.module === module);
    return series.filter(({ drift: { kind } }) => kind === "drift" || kind === "step").flatMap(driftTexts);
  } catch (error) {
    if (!(error instanceof BenchError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    say(visibleLine(`Not kept in "${folder}": ${(error as Error).message}`));
    return [];
  }
}
