import { type ExitCode, usageError } from "../basics/errors.ts";
import { MEASURING } from "../generators/registry.ts";
import { makeDuetPlan } from "../plan/make-plan.ts";
import { valuesOf } from "../plan/make-alone-plan.ts";
import { cellsFrom, suiteAndCells } from "../options/axis-values.ts";
import { settledFrom } from "../options/settle.ts";
import type { Context } from "./context.ts";
import { measureChoice } from "./measure.ts";

/** `bench run --pair [suite] A B`: two cells on one core at the same time, and an A/A duet for the noise floor. */
export async function runPairCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const { loaded, words } = suiteAndCells(args, context.suites, 2);
  if (words.length < 2) throw usageError("--pair needs two cells", "bench run --pair --help has examples");
  const settled = settledFrom(args, loaded.suite);
  // The question is how two cells compare, so each is measured together with the other and not alone.
  const amounts = { ensembleMs: args.get("duration") ?? settled.ensembleMs, aloneRounds: 0, profile: "duet" };
  if (!MEASURING[settled.generator]!.abilities.manyServers) {
    throw usageError(
      `a duet loads two servers at once, and ${settled.generator} loads one`,
      "leave out --generator, or compare rates: bench run",
    );
  }
  return await measureChoice(context, {
    loaded,
    cells: cellsFrom(args, loaded, words),
    pinned: ["duets need two processes", "bench run compares solo rates"],
    plan: ({ suite, cells, origin }) =>
      makeDuetPlan(suite, { ...settled, ...amounts, ...origin, values: valuesOf(suite, cells) }, cells),
  }, settled.overruled);
}
