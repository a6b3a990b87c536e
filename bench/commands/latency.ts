import { CLOSED, RATE } from "../record/cell.ts";
import type { Value } from "../../suites/suite.ts";
import { type ExitCode, usageError } from "../basics/errors.ts";
import { GENERATORS } from "../generators/registry.ts";
import { inspectGenerator } from "../observe/inspect-generator.ts";
import { readValues } from "../options/axis-values.ts";
import { cellsFrom, suiteAndCells } from "../options/cell-operand.ts";
import { openRates, rateAxis, rateGenerator, whyNoRate, withRate } from "../options/with-rate.ts";
import { makeAlonePlan } from "../plan/make-alone-plan.ts";
import { planAlongRates } from "../plan/plan-along-rates.ts";
import type { Context } from "./context.ts";
import { measureChoice } from "./measure.ts";

/** Shares of a server's capacity that it is measured at, besides rates that are given. */
const SHARES: readonly Value[] = ["50%", "70%", "90%"];

/** `bench latency [suite] [cell…]`: the plan of `bench run --rate`, with a search for the highest rate that holds a limit. */
export async function latencyCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const { loaded, words } = suiteAndCells(args, context.suites, Infinity);
  const given = openRates(readValues(loaded.suite, rateAxis, args.get("rate") as string[] | undefined ?? []));
  const rates = given.some((rate) => typeof rate === "string") ? given : [...SHARES, ...given];
  const seed = args.get("seed") ?? Date.now() % 2 ** 32;
  return await measureChoice(context, {
    loaded,
    cells: cellsFrom(args, loaded, words),
    adapt: withRate,
    async plan({ suite, cells, origin }, { hosts }) {
      const closed = cells.map((at) => ({ ...at, [RATE]: CLOSED }));
      const workloads = closed.map((at) => suite.requests({ suite: suite.name, at }));
      const generator = rateGenerator("wrk", workloads.map(({ protocol }) => protocol));
      await inspectGenerator(GENERATORS[generator]!, hosts.load);
      for (const requests of workloads) {
        const why = whyNoRate(generator, requests);
        if (why !== null) throw usageError(`suite "${suite.name}": ${why}`, "choose a cell whose requests it can send");
      }
      const choices = {
        ...{ ...origin, seed, profile: "latency" },
        ...{ rounds: args.get("rounds")!, durationMs: args.get("duration")! },
      };
      return await planAlongRates(suite, await makeAlonePlan(suite, choices, closed), rates, {
        axis: "rate",
        generator,
        limit: args.get("slo").text,
      });
    },
  });
}
