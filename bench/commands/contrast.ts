import type { RequestPlan } from "../../suites/suite.ts";
import type { ExitCode } from "../basics/errors.ts";
import { oneRequest } from "../generators/one-request.ts";
import { whyShown } from "../generators/refuse.ts";
import { GENERATORS } from "../generators/registry.ts";
import { chosenSuite, isNamed } from "../options/suites.ts";
import { inspectGenerator } from "../observe/inspect-generator.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { measureAlone } from "./alone.ts";
import type { Context } from "./context.ts";

/** `bench contrast [suite] [cell]`: the same warm server under each load generator there is. */
export async function contrastCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const [first, second] = args.words;
  const named = second !== undefined || context.suites.some((each) => isNamed(each, first));
  const loaded = chosenSuite(args, context.suites, named ? first ?? null : null);
  const cell = named ? second : first;
  const only = (args.get("generator") as string[] | undefined) ?? Object.keys(GENERATORS);
  return await measureAlone(context, loaded, cell === undefined ? [] : [cell], async (suite, [at], hosts, seed) => {
    const one = oneRequest(suite, suite.requests({ suite: suite.name, at: at! }), seed);
    const { method = "GET", path } = one.mix[0]!;
    const generators = await generatorsFor(only, one, hosts);
    const further = { axis: "generator", ...generators, request: { method, path } } as const;
    return {
      profile: "contrast",
      rounds: args.get("rounds")!,
      durationMs: args.get("duration")!,
      along: (plan, suite) => ({ plan: { ...plan, further }, suite }),
    };
  });
}

/** The generators that are installed and show no secret, wrk first, the reference of the others; and why others are not. */
export async function generatorsFor(names: readonly string[], one: RequestPlan, hosts: Hosts) {
  const generators = ["wrk"];
  const absent: { name: string; reason: string }[] = [];
  for (const name of names.filter((each) => each !== "wrk")) {
    const shown = whyShown(GENERATORS[name]!, one);
    if (shown !== null) {
      absent.push({ name, reason: shown });
      continue;
    }
    try {
      await inspectGenerator(GENERATORS[name]!, hosts.load);
      generators.push(name);
    } catch (error) {
      const { message, hint } = error as Error & { hint?: string };
      absent.push({ name, reason: hint === undefined ? message : `${message}: ${hint}` });
    }
  }
  return { generators, absent };
}
