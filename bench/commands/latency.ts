import { CLOSED_LOOP, RATE } from "../record/cell.ts";
import type { Value } from "../../suites/suite.ts";
import { type ExitCode, usageError } from "../basics/errors.ts";
import { MEASURING } from "../generators/registry.ts";
import { inspectGenerator } from "../observe/equip.ts";
import { cellsFrom, readValues, suiteAndCells } from "../options/axis-values.ts";
import { openRates, rateAxis, rateAxisOf, rateGenerator, whyNoRate, withRate } from "../options/extra-axes.ts";
import { makeAlonePlan } from "../plan/make-alone-plan.ts";
import { ensemblesIn } from "../plan/make-plan.ts";
import { planAlongRates, roundsToTellApart, SPARE_AT_RATES } from "../plan/plan-along-rates.ts";
import type { Context } from "./context.ts";
import { measureChoice } from "./measure.ts";

/** Shares of a server's capacity at which it is measured, in addition to given rates; and those of a quick run. */
const SHARES: readonly Value[] = ["50%", "70%", "90%"], QUICK_SHARES: readonly Value[] = ["50%", "90%"];

/**
 * `bench latency [suite] [cell…]`: the plan of `bench run --rate`, with a search for the highest rate that holds a limit.
 * Several cells are compared. A quick run has no search unless a limit is given.
 */
export async function latencyCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const { loaded, words } = suiteAndCells(args, context.suites, Infinity);
  const given = openRates(readValues(loaded.suite, rateAxis, args.get("rate") as string[] | undefined ?? []));
  const quick = args.has("quick");
  const rates = given.some((rate) => typeof rate === "string") ? given : [...quick ? QUICK_SHARES : SHARES, ...given];
  const seed = args.get("seed") ?? Date.now() % 2 ** 32;
  return await measureChoice(context, {
    loaded,
    cells: cellsFrom(args, loaded, words),
    adapt: withRate,
    async plan({ suite, cells, origin }, { hosts }) {
      const closed = cells.map((at) => ({ ...at, [RATE]: CLOSED_LOOP }));
      const workloads = closed.map((at) => suite.requests({ suite: suite.name, at }));
      const measuring = workloads.some(({ websocket }) => websocket !== undefined) ? "websocket" : "wrk";
      const generator = rateGenerator(measuring, workloads.map(({ protocol }) => protocol));
      const limit = quick && args.from("slo") === undefined ? null : args.get("slo").text;
      const axis = rateAxisOf(generator, limit, args.get("schedule"));
      await inspectGenerator(MEASURING[generator]!, hosts.load);
      for (const requests of workloads) {
        const why = whyNoRate(generator, requests);
        if (why !== null) throw usageError(`suite "${suite.name}": ${why}`, "choose a cell whose requests it can send");
      }
      const durationMs = quick && args.from("duration") === undefined ? 1_000 : args.get("duration")!;
      const alone = await makeAlonePlan(suite, { ...origin, seed, profile: "latency", rounds: 1, durationMs }, closed);
      const ensembles = ensemblesIn(suite, alone.cells).map((some) => ({
        purpose: "pair" as const,
        cells: some.map((cell) => alone.cells.indexOf(cell)),
        rounds: alone.rounds,
      }));
      const plan = { ...alone, generator: measuring, ensembles };
      const rounds = args.get("rounds") ?? roundsToTellApart(plan, rates.length);
      const spare = ensembles.length === 0 ? {} : { spare_rounds: SPARE_AT_RATES };
      return await planAlongRates(suite, { ...plan, ...spare, rounds }, rates, axis);
    },
  });
}
