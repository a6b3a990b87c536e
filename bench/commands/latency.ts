import type { ExitCode } from "../basics/errors.ts";
import { ROUNDS_AFTER_TAILS } from "../plan/rate-windows.ts";
import { h2load } from "../generators/h2load.ts";
import { cellsFrom, suiteAndCells } from "../options/cell-operand.ts";
import { makeAlonePlan } from "../plan/make-alone-plan.ts";
import { requireRates } from "../observe/further-windows.ts";
import { inspectGenerator } from "../observe/inspect-generator.ts";
import type { Context } from "./context.ts";
import { measureChoice } from "./measure.ts";

/** Shares of a cell's own capacity at which its tails are looked at. */
const SHARES = [0.5, 0.7, 0.9];
/** Connections of a closed loop, from one to more than most servers are asked for. */
const CONNECTIONS = [1, 5, 10, 25, 50, 100, 200, 400];

/** `bench latency [suite] [cell…]`: what somebody waits at fixed rates, and the highest rate that holds a limit. */
export async function latencyCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const { loaded, words } = suiteAndCells(args, context.suites, Infinity);
  const seed = args.get("seed") ?? Date.now() % 2 ** 32;
  return await measureChoice(context, {
    loaded,
    cells: cellsFrom(args, loaded, words),
    async plan({ suite, cells, origin }, { hosts }) {
      const open = await inspectGenerator(h2load, hosts.load);
      for (const at of cells) requireRates(suite.name, suite.requests({ suite: suite.name, at }), open);
      return await makeAlonePlan(suite, {
        ...origin,
        seed,
        profile: "latency",
        rounds: args.get("rounds")! + ROUNDS_AFTER_TAILS,
        durationMs: args.get("duration")!,
        further: {
          axis: "rate",
          generator: open.generator.name,
          shares: SHARES,
          rate: (args.get("rate") as number | undefined) ?? null,
          limit: args.get("slo").text,
          connections: CONNECTIONS,
        },
      }, cells);
    },
  });
}
