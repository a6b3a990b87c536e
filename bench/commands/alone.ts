import type { At, Suite } from "../../suites/suite.ts";
import type { ExitCode } from "../basics/errors.ts";
import { type AloneChoices, makeAlonePlan, valuesOf } from "../plan/make-alone-plan.ts";
import type { Plan } from "../record/plan.ts";
import { probeOf } from "../plan/points.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { oneValueEach } from "../options/axis-values.ts";
import { cellFrom } from "../options/cell-operand.ts";
import { configLine } from "../options/config-meant.ts";
import { hostsWishFrom, placementWishFrom } from "../options/wishes.ts";
import { recordedAt } from "../options/own-servers.ts";
import { bindRuntimes } from "../options/runtime-wishes.ts";
import { gradeOn, onHosts } from "../observe/connect-hosts.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { suiteSource } from "../apps/app-source.ts";
import { type Context, runtimeCache } from "./context.ts";
import { measure, type Measured } from "./measure.ts";

/** How cells named on the command line are measured, once their suite is known. */
interface Wanted extends Pick<AloneChoices, "profile" | "rounds" | "durationMs"> {
  /** Returns the plan with its further axis, and the suite that it is of. */
  readonly along: (
    plan: Plan,
    suite: Suite,
  ) => Pick<Measured, "plan" | "suite"> | Promise<Pick<Measured, "plan" | "suite">>;
}

/**
 * Measures cells alone, each on servers that go on along a further axis: what `bench latency` and `bench contrast` share.
 *
 * @param words the cells, the suite's probe where there are none
 * @param wantedOf may throw a usage error for a suite and its cells
 */
export async function measureAlone(
  context: Context,
  loaded: LoadedSuite,
  words: readonly string[],
  wantedOf: (suite: Suite, cells: readonly At[], hosts: Hosts, seed: number) => Promise<Wanted>,
): Promise<ExitCode> {
  const { args } = context;
  const { suite: meant, module } = loaded;
  const shared = { ...probeOf(meant), ...oneValueEach(args, meant) };
  const asked: At[] = words.length === 0 ? [shared] : words.map((word) => ({ ...shared, ...cellFrom(loaded, word) }));
  const { runtimes, bound } = await bindRuntimes(meant, valuesOf(meant, asked), runtimeCache(context));
  return await onHosts(hostsWishFrom(args), async (hosts) => {
    const { suite, own, cells } = await recordedAt(context, loaded, runtimes, hosts, asked.map(bound));
    const seed = args.get("seed") ?? Date.now() % 2 ** 32;
    const { along, ...wanted } = await wantedOf(suite, cells, hosts, seed);
    const source = loaded.named ? suiteSource(module, process.cwd()) : undefined;
    const planned = await along(await makeAlonePlan(suite, { ...wanted, module, source, own, seed }, cells), suite);
    const configured = configLine(context, loaded);
    if (configured !== undefined) context.say(configured);
    const grade = await gradeOn(hosts);
    return await measure(context, { ...planned, wish: placementWishFrom(args), grade, runtimes, hosts });
  });
}
