import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { unknownName } from "../basics/unknown-name.ts";
import {
  type Context,
  dataDirectory,
  explainSiteOf,
  preparingSite,
  resultsDirectory,
  runFolder,
  trustFrom,
  workshopOf,
} from "./context.ts";
import { sayConfig } from "./measure.ts";
import { bindSuite, prepareAgain, requireAnswers, withServers } from "../engine/conductor.ts";
import { type CellsToExplain, explain, type ExplainAmount } from "../engine/explain.ts";
import { revisionOn } from "../engine/measure-plan.ts";
import { oneServer, putBase } from "../engine/revisions.ts";
import { fromHere } from "../files/near-files.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { equip, hostsHere } from "../observe/equip.ts";
import { cellsFrom } from "../options/axis-values.ts";
import { asMeasuredBy } from "../options/in-process.ts";
import { planOfRun } from "../options/stored-plan.ts";
import { chosenSuite, isNamed } from "../options/suites.ts";
import { trustedPlan } from "../options/trusted-plan.ts";
import { cpuOptionsFrom } from "../options/settle.ts";
import { valuesOf } from "../plan/make-alone-plan.ts";
import { planAxes } from "../plan/plan-parts.ts";
import { askSuite, pointText } from "../plan/points.ts";
import { scratchFolder, withMachine } from "../process/scratch-folder.ts";
import type { Cell } from "../record/cell-schema.ts";
import { AA, APP_AXIS, cellName, MAIN } from "../record/cell.ts";
import { explanationText } from "../report/explanation-text.ts";
import { BASE, YOURS } from "../result/judge-gate.ts";
import { REFERENCE } from "../runs/find-reference.ts";
import { readRun } from "../runs/read-run.ts";
import { leaveHook } from "../sources/git.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { findRevision } from "../sources/revision.ts";
import type { At } from "../../suites/suite.ts";
import { join } from "node:path";
import { existsSync } from "node:fs";

/**
 * `bench explain [suite|run] A [B]`: the CPU time of a request by layer; never ranked. Exit 130 if it was stopped.
 *
 * @param shorter amounts in place of those of the command line
 */
export async function explainCommand(context: Context, shorter: Partial<ExplainAmount> = {}): Promise<ExitCode> {
  leaveHook();
  const { args, suites } = context;
  const [first] = args.words;
  const named = suites.some((each) => isNamed(each, first));
  const run = !named && isRun(context, first) ? first : null;
  const words = args.words.slice(named || run !== null ? 1 : 0);
  if (words.length > 2) throw usageError("bench explain takes two cells at most", "bench explain --help has examples");
  const loaded = chosenSuite(args, suites, named ? first! : null);
  if (run === null) sayConfig(context, loaded);
  const interrupts = listenForInterrupts();
  const scratch = scratchFolder("explain");
  try {
    return await withMachine(interrupts, async () => {
      const cells = run === null
        ? await askedOfSuite(context, loaded, words, scratch.path)
        : await askedOfRun(context, run, words);
      const amount = { passes: args.get("rounds")!, windowMs: args.get("duration")!, ...shorter };
      const made = await explain(cells, amount, explainSiteOf(context, interrupts));
      if (made === null) return EXIT.interrupted;
      const look = { style: context.outStyle, columns: context.columns };
      context.show(made.explanation, () => `\n${explanationText(made.explanation, look)}`);
      context.say(`Raw profiles, for Chrome or speedscope, and explanation.json in ${fromHere(made.folder)}`);
      return EXIT.done;
    });
  } finally {
    scratch.remove();
  }
}

/** True if a word names a run: a folder with one, or its name in the folder of runs. */
const isRun = ({ args }: Context, word: string | undefined): word is string =>
  word !== undefined &&
  (word === REFERENCE || [word, join(resultsDirectory(args), word)].some((path) => existsSync(join(path, "run.json"))));

/** Cells of a run by their names in `bench show`, as planned. Throws for one that is not in it or cannot be measured. */
async function askedOfRun(context: Context, word: string, names: readonly string[]): Promise<CellsToExplain> {
  const { args } = context;
  const given = args.axes("flag")[0]?.[0] ?? (args.has("against") ? "against" : undefined);
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
  const { suite, runtimes } = await prepareAgain(preparingSite(context, hosts), stored, cpuOptionsFrom(args));
  const isOld = cells.some(({ label }) => label === run.against?.label);
  const against = await revisionOn(hosts.server, isOld ? run.against : undefined, dataDirectory(args));
  const wish = { generator: stored.plan.generator, threads: null, cells };
  const equipment = await equip(wish, cpuOptionsFrom(args), runtimes, hosts);
  return { suite, madeFrom: stored.plan.suite, cells, axes, equipment, against };
}

/**
 * Cells of a suite by words of the command line. Throws a usage error for one that cannot be measured.
 *
 * @param scratch a folder for another revision of the user's app
 */
async function askedOfSuite(
  context: Context,
  loaded: LoadedSuite,
  words: readonly string[],
  scratch: string,
): Promise<CellsToExplain> {
  const { args } = context;
  const ref = args.get("against");
  if (ref !== undefined && words.length > 1) {
    throw usageError("--against explains one cell at two revisions", "bench explain --help");
  }
  const both = ref === undefined || loaded.draft === undefined
    ? undefined
    : await bothRevisions(context, loaded, ref, scratch);
  const [first, ...others] = cellsFrom(args, both ?? loaded, words);
  const hosts = hostsHere();
  const bound = requireAnswers(
    await bindSuite(preparingSite(context, hosts), {
      loaded: both ?? loaded,
      cells: both === undefined
        ? [first!, ...others]
        : [YOURS, BASE].map((name): At => ({ ...first!, [APP_AXIS]: name })),
      revisions: both !== undefined,
      together: false,
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
  const equipment = await equip(need, cpuOptionsFrom(args), runtimes, hosts);
  return { suite, madeFrom: origin, cells, axes, equipment, against };
}

/** A user's server at two revisions of its repository. Throws a usage error if the second one lacks it. */
async function bothRevisions(context: Context, loaded: LoadedSuite, ref: string, folder: string) {
  const server = oneServer(loaded.draft, "--against", "bench explain --app ./app.ts --against main");
  const pair = await putBase({ ref, since: "revision" }, server, { folder, ...workshopOf(context, loaded) });
  context.doing(null);
  if (pair.head === null) throw usageError(`"${ref}" has no "${pair.module}"`, "--against a revision that has it");
  return withServers(loaded, [pair.base, pair.head]);
}
