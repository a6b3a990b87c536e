import type { At } from "../../suites/suite.ts";
import { type ExitCode, usageError } from "../basics/errors.ts";
import { MEASURING } from "../generators/registry.ts";
import { makeDuetPlan } from "../plan/make-plan.ts";
import { valuesOf } from "../plan/make-alone-plan.ts";
import { probeOf } from "../plan/points.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { gradeOn, onHosts } from "../observe/connect-hosts.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { suiteSource } from "../apps/app-source.ts";
import { oneValueEach } from "../options/axis-values.ts";
import { cellFrom } from "../options/cell-operand.ts";
import { configLine } from "../options/config-meant.ts";
import { type Context, runtimeCache } from "./context.ts";
import { measure } from "./measure.ts";
import { recordedAt } from "../options/own-servers.ts";
import { hostsWishFrom, placementWishFrom } from "../options/wishes.ts";
import { settledFrom } from "../options/plan-of.ts";
import { bindRuntimes } from "../options/runtime-wishes.ts";
import { chosenSuite } from "../options/suites.ts";

/** `bench run --pair [suite] A B`: two cells on one core at the same time, and an A/A duet beside them for the noise floor. */
export async function duetCommand(context: Context): Promise<ExitCode> {
  const { args } = context;
  const loaded = chosenSuite(args, context.suites, args.words.length > 2 ? args.words[0]! : null);
  const { suite: named } = loaded;
  const cells = args.words.slice(-2);
  if (cells.length < 2) throw usageError("--pair needs two cells", "bench run --pair --help has examples");
  const shared = { ...probeOf(named), ...oneValueEach(args, named) };
  const asked = cells.map((text): At => ({ ...shared, ...cellFrom(loaded, text) })) as [At, At];
  return await onHosts(hostsWishFrom(args), (hosts) => duetOn(hosts, context, loaded, asked));
}

async function duetOn(
  hosts: Hosts,
  context: Context,
  loaded: LoadedSuite,
  asked: readonly [At, At],
): Promise<ExitCode> {
  const { args } = context;
  const { suite: named, module } = loaded;
  const source = loaded.named ? suiteSource(module, process.cwd()) : undefined;
  const grade = await gradeOn(hosts);
  if (grade.grade === "advisory") {
    throw usageError(
      `duets need two processes pinned to one core: ${grade.reasons[0]}`,
      "bench run compares solo rates",
    );
  }
  const { runtimes, bound } = await bindRuntimes(named, valuesOf(named, asked), runtimeCache(context));
  const { suite, own, cells: pair } = await recordedAt(context, loaded, runtimes, hosts, asked.map(bound));
  const settled = { ...settledFrom(args, suite), values: valuesOf(suite, pair), profile: "duet" };
  // What is asked is how two compare, so each is measured together with the other and not alone as well.
  const ensembleMs = args.get("duration") ?? settled.ensembleMs;
  const { generator } = settled;
  if (!MEASURING[generator]!.abilities.manyServers) {
    throw usageError(
      `a duet loads two servers at once, and ${generator} loads one`,
      "leave out --generator, or compare rates: bench run",
    );
  }
  const choices = { ...settled, ensembleMs, aloneRounds: 0, module, source, own };
  const plan = await makeDuetPlan(suite, choices, pair);
  const configured = configLine(context, loaded, settled.overruled);
  if (configured !== undefined) context.say(configured);
  return await measure(context, { plan, suite, wish: placementWishFrom(args), grade, runtimes, hosts });
}
