import type { ExitCode } from "../basics/errors.ts";
import { ROUNDS_AFTER_TAILS } from "../plan/rate-windows.ts";
import { h2load } from "../generators/h2load.ts";
import { chosenSuite, isNamed } from "../options/suites.ts";
import { requireRates } from "../observe/further-windows.ts";
import { inspectGenerator } from "../observe/inspect-generator.ts";
import { measureAlone } from "./alone.ts";
import type { Context } from "./context.ts";

/** Shares of a cell's own capacity at which its tails are looked at. */
const SHARES = [0.5, 0.7, 0.9];
/** Connections of a closed loop, from one to more than most servers are asked for. */
const CONNECTIONS = [1, 5, 10, 25, 50, 100, 200, 400];

/** `bench latency [suite] [cell…]`: what somebody waits at fixed rates, and the highest rate that holds a limit. */
export async function latencyCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const named = context.suites.some((each) => isNamed(each, args.words[0]));
  const loaded = chosenSuite(args, context.suites, named ? args.words[0]! : null);
  return await measureAlone(context, loaded, named ? args.words.slice(1) : args.words, async (suite, cells, hosts) => {
    const open = await inspectGenerator(h2load, hosts.load);
    for (const at of cells) requireRates(suite.name, suite.requests({ suite: suite.name, at }), open);
    return {
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
    };
  });
}
