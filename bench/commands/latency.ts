import type { Value } from "../../suites/suite.ts";
import { type ExitCode, usageError } from "../basics/errors.ts";
import { h2load } from "../generators/h2load.ts";
import { openRates, rateAxis, whyNoRate, withRate } from "../options/with-rate.ts";
import { readValues } from "../options/axis-values.ts";
import { chosenSuite, isNamed } from "../options/suites.ts";
import { inspectGenerator } from "../observe/inspect-generator.ts";
import { planAlongRates } from "../plan/plan-along-rates.ts";
import type { RateAxis } from "../plan/rate-windows.ts";
import { measureAlone } from "./alone.ts";
import type { Context } from "./context.ts";

/** Shares of a server's capacity that it is measured at, besides rates that are given. */
const SHARES: readonly Value[] = ["50%", "70%", "90%"];
/** Connections of a closed loop, from one to more than most suites have. */
const CONNECTIONS = [1, 5, 10, 25, 50, 100, 200, 400];

/** `bench latency [suite] [cell…]`: the plan of `bench run --rate`, with a search for the highest rate that holds a limit. */
export async function latencyCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const named = context.suites.some((each) => isNamed(each, args.words[0]));
  const loaded = chosenSuite(args, context.suites, named ? args.words[0]! : null);
  const words = args.get("rate") as string[] | undefined;
  const given = openRates(words === undefined ? [] : readValues(loaded.suite, rateAxis, words));
  const rates = given.some((rate) => typeof rate === "string") ? given : [...SHARES, ...given];
  return await measureAlone(context, loaded, named ? args.words.slice(1) : args.words, async (suite, cells, hosts) => {
    await inspectGenerator(h2load, hosts.load);
    for (const at of cells) {
      const why = whyNoRate(h2load.name, suite.requests({ suite: suite.name, at }));
      if (why !== null) throw usageError(`suite "${suite.name}": ${why}`, "choose a cell whose requests it can send");
    }
    const axis: RateAxis = {
      axis: "rate",
      generator: h2load.name,
      limit: args.get("slo").text,
      connections: CONNECTIONS,
    };
    return {
      profile: "latency",
      rounds: args.get("rounds")!,
      durationMs: args.get("duration")!,
      along: async (plan, planned) => {
        const rated = withRate(planned);
        return { plan: await planAlongRates(rated, plan, rates, axis), suite: rated };
      },
    };
  });
}
