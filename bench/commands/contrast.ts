import type { RequestPlan } from "../../suites/suite.ts";
import type { ExitCode } from "../basics/errors.ts";
import { oneRequest } from "../generators/drawn-requests.ts";
import { whyShown } from "../generators/refuse.ts";
import { GENERATORS } from "../generators/registry.ts";
import { cellsFrom, suiteAndCells } from "../options/axis-values.ts";
import { whyNoRate } from "../options/extra-axes.ts";
import { makeAlonePlan } from "../plan/make-alone-plan.ts";
import { inspectGenerator } from "../observe/equip.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { Context } from "./context.ts";
import { measureChoice } from "./measure.ts";

/** The rate that generators keep, as a share of the closed loop: any sound server holds it. */
const SHARE = "50%";

/** `bench contrast [suite] [cell]`: the same warm server under each load generator there is. */
export async function contrastCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const { loaded, words } = suiteAndCells(args, context.suites, 1);
  const only = (args.get("generator") as string[] | undefined) ?? Object.keys(GENERATORS);
  const seed = args.get("seed") ?? Date.now() % 2 ** 32;
  return await measureChoice(context, {
    loaded,
    cells: cellsFrom(args, loaded, words),
    together: false,
    async plan({ suite, cells, origin }, { hosts }) {
      const one = oneRequest(suite, suite.requests({ suite: suite.name, at: cells[0]! }), seed);
      const { method = "GET", path } = one.mix[0]!;
      const generators = await generatorsFor(only, one, hosts);
      const plan = await makeAlonePlan(suite, {
        ...origin,
        seed,
        profile: "contrast",
        rounds: args.get("rounds")!,
        durationMs: args.get("duration")!,
      }, cells);
      const open = generators.generators.filter((name) => whyNoRate(name, one) === null);
      return {
        ...plan,
        further: {
          ...{ axis: "generator", ...generators, request: { method, path } },
          ...(open.length === 0 ? {} : { open: { generators: open, share: SHARE } }),
        },
      };
    },
  });
}

/** The generators that are installed and show no secret, wrk first as the reference; and the reasons against the others. */
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
