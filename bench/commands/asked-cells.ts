import { existsSync } from "node:fs";
import { join } from "node:path";
import type { At, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { valuesOf } from "../plan/make-alone-plan.ts";
import { APP_AXIS } from "../plan/own-words.ts";
import type { SuiteSource } from "../result/suite-identity.ts";
import { planAxes } from "../plan/plan-parts.ts";
import { askSuite, pointText } from "../plan/points.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { readRun } from "../runs/read-run.ts";
import { findRevision, type Revision } from "../sources/revision.ts";
import { cellsFrom } from "../options/cell-operand.ts";
import { asMeasuredBy } from "../options/in-process.ts";
import { planOfRun } from "../options/stored-plan.ts";
import { trustedPlan } from "../options/trusted-plan.ts";
import { placementWishFrom } from "../options/wishes.ts";
import { equip, hostsHere } from "../observe/equip.ts";
import type { Equipment } from "../observe/site.ts";
import { AA, cellName, MAIN } from "../record/cell.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { BASE, YOURS } from "../result/judge-gate.ts";
import { REFERENCE } from "../runs/find-reference.ts";
import { answering, bindSuite, prepareAgain, withServers } from "../engine/conductor.ts";
import { revisionOn } from "../engine/measure-plan.ts";
import { oneServer, putBase } from "../engine/revisions.ts";
import { type Context, dataDirectory, resultsDirectory, runFolder, trustFrom, venueOf } from "./context.ts";

/** Cells to explain, and what they need. */
export interface AskedCells {
  readonly suite: Suite;
  /** What the suite was made from, as a plan has it. */
  readonly madeFrom: SuiteSource;
  readonly cells: readonly Cell[];
  readonly axes: readonly PlanAxis[];
  readonly equipment: Equipment;
  /** The revision of this project that some are of. */
  readonly against: Revision | undefined;
}

/** Whether a word names a run: a folder with one, or its name in the folder of runs. */
export const isRun = ({ args }: Context, word: string | undefined): word is string =>
  word !== undefined &&
  (word === REFERENCE || [word, join(resultsDirectory(args), word)].some((path) => existsSync(join(path, "run.json"))));

/** Cells of a run by their names in `bench show`, as they were planned. Throws for one that is not in it or cannot be measured. */
export async function askedOfRun(context: Context, word: string, names: readonly string[]): Promise<AskedCells> {
  const { args } = context;
  const given = [...args.axes.keys(), "against"].find((name) => args.from(name as "against") === "flag");
  if (given !== undefined) throw usageError(`--${given} has no use here: a run says all of its cells`, "leave it out");
  const path = runFolder(context, word);
  const { run } = readRun(path);
  const { axes } = run.plan;
  const known = run.plan.cells.filter(({ label }) => label !== AA);
  const cells = names.map((name) => {
    const found = known.find((cell) => cellName(axes, cell) === name);
    if (found === undefined) throw unknownName("cell", name, known.map((cell) => cellName(axes, cell)));
    return found;
  });
  if (cells.length === 0) {
    throw usageError(
      `which cells of run "${run.run}"?`,
      known.slice(0, 2).map((cell) => cellName(axes, cell)).join(" "),
    );
  }
  const stored = trustedPlan(planOfRun(run, path), trustFrom(context));
  const hosts = hostsHere();
  const { suite, runtimes } = await prepareAgain(venueOf(context, hosts), stored, placementWishFrom(args));
  const isOld = cells.some(({ label }) => label === run.against?.label);
  const against = await revisionOn(hosts.server, isOld ? run.against : undefined, dataDirectory(args));
  const wish = { generator: stored.plan.generator, threads: null, cells };
  const equipment = await equip(wish, placementWishFrom(args), runtimes, hosts);
  return { suite, madeFrom: stored.plan.suite, cells, axes, equipment, against };
}

/**
 * Cells of a suite, as words name them. Throws a usage error for one that cannot be measured.
 * @param scratch where another revision of one's own app is written out
 */
export async function askedOfSuite(
  context: Context,
  loaded: LoadedSuite,
  words: readonly string[],
  scratch: string,
): Promise<AskedCells> {
  const { args } = context;
  const ref = args.get("against");
  if (ref !== undefined && words.length > 1) {
    throw usageError("--against explains one cell at two revisions", "bench explain --help");
  }
  const both = ref === undefined || loaded.own === undefined
    ? undefined
    : await bothRevisions(context, loaded, ref, scratch);
  const [first, ...others] = cellsFrom(args, both ?? loaded, words);
  const hosts = hostsHere();
  const bound = answering(
    await bindSuite(venueOf(context, hosts), {
      loaded: both ?? loaded,
      cells: both === undefined
        ? [first!, ...others]
        : [YOURS, BASE].map((name): At => ({ ...first!, [APP_AXIS]: name })),
      revisions: both !== undefined,
      adapt: (suite) => asMeasuredBy(suite.generator ?? "wrk", suite),
    }),
  );
  const { suite, cells: points, runtimes, origin } = bound;
  const named = points.map((at): Cell => ({ point: { suite: suite.name, at: { ...at } }, label: MAIN }));
  for (const { point } of named) {
    const answer = askSuite(suite, point, "supports", () => suite.supports?.(point) ?? true);
    if (answer !== true) throw usageError(`${pointText(suite, point.at)} cannot be measured: ${answer}`);
  }
  const axes = await planAxes(suite, valuesOf(suite, points));
  const old = ref === undefined || both !== undefined ? undefined : await findRevision(ref);
  const against = await revisionOn(hosts.server, old, dataDirectory(args));
  const cells = against === undefined ? named : [...named, { ...named[0]!, label: against.label }];
  const need = { generator: suite.generator ?? "wrk", threads: null, cells };
  const equipment = await equip(need, placementWishFrom(args), runtimes, hosts);
  return { suite, madeFrom: origin, cells, axes, equipment, against };
}

/** A user's server at two revisions of its repository. Throws a usage error if the other one has none. */
async function bothRevisions(
  { args, doing }: Context,
  loaded: LoadedSuite,
  ref: string,
  folder: string,
): Promise<LoadedSuite> {
  const server = oneServer(loaded.own, "--against", "bench explain --app ./app.ts --against main");
  const pair = await putBase(ref, server, { folder, install: args.get("install"), doing });
  doing(null);
  if (pair.head === null) throw usageError(`"${ref}" has no "${pair.module}"`, "--against a revision that has it");
  return withServers(loaded, [pair.base, pair.head]);
}
