import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { SOURCE_LAYERS } from "../../suites/registry.ts";
import type { At, Suite } from "../../suites/suite.ts";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { explainCell, type MeasuredPass } from "../core/explain/explain-cell.ts";
import { samplesWithin } from "../core/explain/samples-within.ts";
import { useOfWindow } from "../core/explain/use-of-window.ts";
import { valuesOf } from "../core/make-alone-plan.ts";
import { planAxes } from "../core/plan-axes.ts";
import { askSuite, pointText, probeOf } from "../core/points.ts";
import { type Interrupts, listenForInterrupts } from "../host/interrupts.ts";
import type { LoadedSuite } from "../host/load-suite.ts";
import { levelfieldVersion } from "../host/provenance.ts";
import { findRevision, type Revision } from "../host/revision.ts";
import { PROJECT_ROOT } from "../host/runtimes.ts";
import { withMachine } from "../host/with-machine.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { equip, hostsHere } from "../observe/equip.ts";
import { type CellPasses, explainCells } from "../observe/explain-cells.ts";
import { directoryFor, prepareFiles } from "../observe/prepare-files.ts";
import type { Equipment, Site } from "../observe/site.ts";
import { Stopped } from "../observe/stopped.ts";
import { cellName, MAIN } from "../record/cell.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { type ExplainedCell, type Explanation, explanationSchema } from "../record/explanation-schema.ts";
import { explanationText } from "../report/explanation-text.ts";
import { harmlessJson } from "../report/harmless.ts";
import { preparingText } from "../report/progress.ts";
import { explainedBetween } from "../result/explain/explained-between.ts";
import { oneValueEach } from "../input/axis-values.ts";
import { cellFrom } from "../input/cell-operand.ts";
import { configLine } from "../input/config-meant.ts";
import { asMeasuredBy } from "../input/in-process.ts";
import { recordedAt } from "../input/own-servers.ts";
import { bindRuntimes, runtimeAxisOf } from "../input/runtime-wishes.ts";
import { chosenSuite, isNamed } from "../input/suites.ts";
import { placementWishFrom } from "../input/wishes.ts";
import { revisionOfRun } from "./against.ts";
import { type Context, dataDirectory, resultsDirectory, runtimeCache } from "./context.ts";

/** What is cut from a profile is that much longer than its window: clocks are told apart to milliseconds, and servers rest. */
const WIDER_US = 20_000;

/** Cells to explain, and what they need. */
export interface AskedCells {
  readonly suite: Suite;
  readonly cells: readonly Cell[];
  readonly axes: readonly PlanAxis[];
  readonly equipment: Equipment;
  /** The revision the second cell is of. */
  readonly against: Revision | undefined;
}

/** `bench explain [suite] A [B]`: where a request's CPU time goes, by layer; never ranked. Exit 130 where it was stopped. */
export async function explainCommand(context: Context): Promise<ExitCode> {
  const { args, suites } = context;
  const named = suites.some((each) => isNamed(each, args.words[0]));
  const loaded = chosenSuite(args, suites, named ? args.words[0]! : null);
  const words = args.words.slice(named ? 1 : 0);
  if (words.length > 2) throw usageError("bench explain takes two cells at most", "bench explain --help has examples");
  const configured = configLine(context, loaded);
  if (configured !== undefined) context.say(configured);
  const interrupts = listenForInterrupts();
  return await withMachine(interrupts, async () => {
    const asked = await askedFrom(context, loaded, words);
    const amount = { passes: args.get("rounds")!, windowMs: args.get("duration")! };
    const made = await explainAsked(context, asked, amount, interrupts);
    if (made === null) return EXIT.interrupted;
    show(context, made.explanation, made.folder);
    return EXIT.done;
  });
}

/** How much is measured. */
interface Amount {
  readonly passes: number;
  readonly windowMs: number;
}

/**
 * Measures cells, and writes what that says into a folder of its own beside those of runs; null where it was stopped.
 *
 * @throws BenchError where a server cannot be measured
 */
export async function explainAsked(
  context: Context,
  asked: AskedCells,
  amount: Amount,
  interrupts: Interrupts,
): Promise<{ readonly explanation: Explanation; readonly folder: string } | null> {
  const folder = newFolder(resolve(resultsDirectory(context.args)), new Date());
  try {
    const explanation = await measured(context, asked, amount, folder, interrupts);
    if (interrupts.stopped()) return null;
    writeFileSync(join(folder, "explanation.json"), JSON.stringify(explanation, null, 2) + "\n");
    return { explanation, folder };
  } catch (error) {
    if (interrupts.stopped()) return null;
    if (!(error instanceof Stopped)) throw error;
    throw failure(error.message, "bench explain --help", error);
  } finally {
    context.doing(null);
    // What is half-made would be taken for an explanation.
    if (!existsSync(join(folder, "explanation.json"))) rmSync(folder, { recursive: true, force: true });
  }
}

/** Finds what cells need. Throws a usage error for one that cannot be measured. */
async function askedFrom(context: Context, loaded: LoadedSuite, words: readonly string[]): Promise<AskedCells> {
  const { args } = context;
  const shared = { ...probeOf(loaded.suite), ...oneValueEach(args, loaded.suite) };
  const wanted = words.length === 0 ? [shared] : words.map((word): At => ({ ...shared, ...cellFrom(loaded, word) }));
  const { runtimes, bound } = await bindRuntimes(loaded.suite, valuesOf(loaded.suite, wanted), runtimeCache(context));
  const hosts = hostsHere();
  const { suite: plain, cells: points } = await recordedAt(context, loaded, runtimes, hosts, wanted.map(bound));
  const generator = plain.generator ?? "wrk";
  const suite = asMeasuredBy(generator, plain);
  const own = points.map((at): Cell => ({ point: { suite: suite.name, at: { ...at } }, label: MAIN }));
  for (const { point } of own) {
    const answer = askSuite(suite, point, "supports", () => suite.supports?.(point) ?? true);
    if (answer !== true) throw usageError(`${pointText(suite, point.at)} cannot be measured: ${answer}`);
  }
  const axes = await planAxes(suite, valuesOf(suite, points));
  const ref = args.get("against");
  if (ref !== undefined && (own.length > 1 || loaded.own !== undefined)) {
    throw usageError("--against explains one cell of this project's suites at two revisions", "bench explain --help");
  }
  const against = await revisionOfRun(args, hosts.server, ref === undefined ? undefined : await findRevision(ref));
  const cells = against === undefined ? own : [...own, { ...own[0]!, label: against.label }];
  const equipment = await equip({ generator, threads: null, cells }, placementWishFrom(args), runtimes, hosts);
  return { suite, cells, axes, equipment, against };
}

/** Measures the cells, and what that says. */
async function measured(
  { args, doing }: Context,
  { suite, cells, axes, equipment, against }: AskedCells,
  { passes, windowMs }: Amount,
  folder: string,
  interrupts: Interrupts,
): Promise<Explanation> {
  const say = (text: string) => doing(`explain: ${text}`);
  const specs = suite.files === undefined ? [] : cells.flatMap(({ point }) => suite.files!(point) ?? []);
  const prepared = async (directory: string, root?: string) => {
    const files = await prepareFiles({
      ...{ dataDirectory: directory, specs, onStart: interrupts.onStart },
      onEvent: (event) => event.event === "progress" && say(preparingText(event)),
      ...(root === undefined ? {} : { root }),
    });
    if (files.failed !== null && !interrupts.stopped()) throw failure(files.failed, "bench data");
    return files;
  };
  const files = await prepared(dataDirectory(args));
  const other = against && await prepared(join(against.root, ".data"), against.root);
  const isOther = ({ label }: Cell) => label === against?.label;
  const site: Site = {
    ...equipment,
    suite,
    plan: {
      ...{ duration_ms: windowMs, ensemble_ms: windowMs },
      warmup: { kind: "steady", most_ms: THRESHOLDS.warmupMostMs },
    },
    directoryOf: (cell) => directoryFor(suite.files?.(cell.point) ?? null, isOther(cell) ? other! : files),
    specialOf: (cell) => isOther(cell) ? { root: against!.root } : {},
    onStart: interrupts.onStart,
  };
  const names = cells.map((cell) => cellName(axes, cell));
  const found = await explainCells(cells, site, {
    ...{ passes, windowMs, folder, interrupts, say },
    names: names.map((name, n) => `${n + 1}-${name.replaceAll(/[^\w.@+-]+/g, "-")}`),
  });
  const { machine } = await equipment.hosts.server.facts();
  const { generator, generatorVersion } = equipment.tool;
  const pace = suite.requests(cells[0]!.point).pace;
  const explained = await Promise.all(
    found.map((own, n) => explainedCellOf(own, names[n]!, suite, equipment, against)),
  );
  return explanationSchema.parse({
    schema: "levelfield.explanation/1",
    made_at: new Date().toISOString(),
    levelfield_version: levelfieldVersion(),
    machine: { cpu_model: machine.cpu_model, system: `${machine.os}, kernel ${machine.kernel}` },
    load: `${generator.name} ${generatorVersion}, ${
      "closed" in pace
        ? counted(pace.closed, "connection")
        : counted(pace.perSecond, "request a second", "requests a second")
    }`,
    cells: explained,
    difference: explained.length < 2 ? null : explainedBetween(explained[0]!, explained[1]!),
  });
}

/** What a cell's passes say. */
async function explainedCellOf(
  { cell, version, passes, profiles, systemCalls, marks }: CellPasses,
  name: string,
  suite: Suite,
  { runtimes, hosts }: Equipment,
  against: Revision | undefined,
): Promise<ExplainedCell> {
  const axis = runtimeAxisOf(suite);
  const runtime = axis === undefined ? undefined : runtimes.get(String(cell.point.at[axis.name]));
  const [sha256 = null] = runtime === undefined ? [] : await hosts.server.hashes([runtime.file]);
  return explainCell(
    { cell, name, runtime: runtime?.name ?? null, version: runtime?.version ?? version, sha256, marks: [...marks] },
    passes.map(({ plain, profiled }): MeasuredPass => ({
      plain: useOfWindow(plain),
      profiled: profiled === null || profiles.length === 0 ? null : useOfWindow(profiled),
      profile: profiles[0]?.file ?? null,
      system_calls: systemCalls,
      sampled: profiled === null
        ? []
        : profiles.map(({ profile, behindUs }) =>
          samplesWithin(profile, profiled.fromUs - behindUs - WIDER_US, profiled.toUs - behindUs + WIDER_US)
        ),
    })),
    { layers: SOURCE_LAYERS, roots: [PROJECT_ROOT, ...(against === undefined ? [] : [against.root])] },
  );
}

function show(
  { args, stdout, print, outStyle, columns, say }: Context,
  explanation: Explanation,
  folder: string,
): void {
  const where = relative(process.cwd(), folder) || folder;
  if (args.has("json")) stdout.write(harmlessJson(explanation) + "\n");
  else print(`\n${explanationText(explanation, { style: outStyle, columns })}`);
  say(`Raw profiles, for Chrome or speedscope, and explanation.json in ${where}`);
}

/** A new folder for an explanation, beside those of runs. */
function newFolder(results: string, now: Date): string {
  const stamp = now.toISOString().slice(0, 19).replaceAll(":", "").replace("T", "-");
  for (let n = 1;; n++) {
    const path = join(results, "explanations", n === 1 ? stamp : `${stamp}-${n}`);
    if (existsSync(path)) continue;
    mkdirSync(path, { recursive: true });
    return path;
  }
}
