import type { Suite } from "../../suites/suite.ts";
import { BenchError } from "../basics/errors.ts";
import { visibleLine } from "../basics/visible.ts";
import { type CellsToExplain, countRequests, explain } from "../engine/explain.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { equip } from "../observe/equip.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { BoundSuite } from "../engine/conductor.ts";
import { cpuOptionsFrom } from "../options/settle.ts";
import { withMachine } from "../process/scratch-folder.ts";
import type { Explanation } from "../record/explanation-schema.ts";
import { isOfCalls } from "../record/in-words.ts";
import { comparedCells, type MeasuredGate } from "../report/gate-outcome.ts";
import { type CountRow, countRows } from "../result/gate-counts.ts";
import { type Context, explainSiteOf } from "./context.ts";

/** Counts and explanation of a gate, made outside its rounds. No verdict rests on them. */
interface GateLooks {
  readonly counts?: readonly CountRow[];
  readonly explanation?: Explanation;
}

/** Counts what base and yours do for a request, and explains a proven regression. What fails is said, and left out. */
export async function countAndExplain(
  context: Context,
  report: MeasuredGate,
  { suite, runtimes, hosts }: {
    readonly suite: Suite;
    readonly runtimes: BoundSuite["runtimes"];
    readonly hosts: Hosts;
  },
): Promise<GateLooks> {
  const { plan, hosts: others } = report.run;
  const cells = comparedCells(report);
  if (others !== undefined || isOfCalls(plan) || cells.length < 2) return {};
  const wish = cpuOptionsFrom(context.args);
  const equipment = await equip({ generator: plan.generator, threads: null, cells }, wish, runtimes, hosts);
  const choice: CellsToExplain = { suite, madeFrom: plan.suite, cells, axes: plan.axes, equipment, against: undefined };
  const looks = await looked(context, "What a request does is not counted", (desk) => countRequests(choice, desk));
  const [base, yours] = looks ?? [];
  const counts = base === undefined || yours === undefined ? {} : { counts: countRows(base, yours) };
  if (report.gate.outcome !== "regression" || context.args.has("no-explain")) return counts;
  const made = await looked(
    context,
    "What grew is not known",
    (desk) => explain(choice, { passes: 3, windowMs: 2_000 }, desk),
  );
  return { ...counts, ...(made === null ? {} : { explanation: made.explanation }) };
}

/** Looks at servers with the machine to itself. If that fails, a line says so and nothing is returned. */
async function looked<T>(
  context: Context,
  what: string,
  look: (desk: ReturnType<typeof explainSiteOf>) => Promise<T>,
): Promise<T | null> {
  const interrupts = listenForInterrupts();
  try {
    return await withMachine(interrupts, () => look(explainSiteOf(context, interrupts)));
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    context.say(visibleLine(`${what}: ${error.message}`));
    return null;
  }
}
