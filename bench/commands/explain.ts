import { copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { SOURCE_LAYERS } from "../../suites/registry.ts";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { explainCell, type MeasuredPass } from "../why/explain-cell.ts";
import { samplesWithin } from "../why/samples-within.ts";
import { useOfWindow } from "../why/use-of-window.ts";
import { EXPLANATIONS, sourceOfCell } from "../runs/find-explanations.ts";
import { leaveHook } from "../sources/git.ts";
import { type Interrupts, listenForInterrupts } from "../machine/interrupts.ts";
import { levelfieldVersion } from "../runs/provenance.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { makeFolderInside } from "../files/plain-file.ts";
import { checkResultsFolder, newFolder } from "../runs/run-folder.ts";
import { scratchFolder } from "../process/scratch-folder.ts";
import { withMachine } from "../process/with-machine.ts";
import { configLine } from "../options/config-meant.ts";
import { runtimeAxisOf } from "../options/runtime-wishes.ts";
import { chosenSuite, isNamed } from "../options/suites.ts";
import { type CellPasses, EXPLAIN_LOADS, explainCells, type ExplainRequest } from "../observe/explain-cells.ts";
import { directoryFor, prepareFiles } from "../observe/prepare-files.ts";
import type { Site } from "../observe/site.ts";
import { Stopped } from "../observe/stopped.ts";
import { cellName } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import { type ExplainedCell, type Explanation, explanationSchema } from "../record/explanation-schema.ts";
import { explanationText } from "../report/explanation-text.ts";
import { harmlessJson } from "../report/align.ts";
import { preparingText } from "../report/progress.ts";
import { explainedBetween } from "../why/explained-between.ts";
import { type AskedCells, askedOfRun, askedOfSuite, isRun } from "./asked-cells.ts";
import { type Context, dataDirectory, resultsDirectory } from "./context.ts";

/** What is cut from a profile is that much longer than its window: clocks are told apart to milliseconds, and servers rest. */
const WIDER_US = 20_000;

/**
 * `bench explain [suite|run] A [B]`: where a request's CPU time goes, by layer; never ranked. Exit 130 where it was stopped.
 *
 * @param shorter amounts in place of those of the command line
 */
export async function explainCommand(context: Context, shorter: Partial<Amount> = {}): Promise<ExitCode> {
  leaveHook();
  const { args, suites } = context;
  const [first] = args.words;
  const named = suites.some((each) => isNamed(each, first));
  const run = !named && isRun(context, first) ? first : null;
  const words = args.words.slice(named || run !== null ? 1 : 0);
  if (words.length > 2) throw usageError("bench explain takes two cells at most", "bench explain --help has examples");
  const loaded = chosenSuite(args, suites, named ? first! : null);
  const configured = run === null ? configLine(context, loaded) : undefined;
  if (configured !== undefined) context.say(configured);
  const interrupts = listenForInterrupts();
  const scratch = scratchFolder("explain");
  try {
    return await withMachine(interrupts, async () => {
      const asked = run === null
        ? await askedOfSuite(context, loaded, words, scratch.path)
        : await askedOfRun(context, run, words);
      const amount = { passes: args.get("rounds")!, windowMs: args.get("duration")!, ...shorter };
      const made = await explainAsked(context, asked, amount, interrupts);
      if (made === null) return EXIT.interrupted;
      show(context, made.explanation, made.folder);
      return EXIT.done;
    });
  } finally {
    scratch.remove();
  }
}

/** How much is measured; loads that are left out are {@link EXPLAIN_LOADS}. */
type Amount = Pick<ExplainRequest, "passes" | "windowMs"> & Partial<Pick<ExplainRequest, "loads">>;

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
  const results = resolve(resultsDirectory(context.args));
  checkResultsFolder(results);
  const startedAt = new Date(), part = scratchFolder("explain");
  try {
    const explanation = await measured(context, asked, amount, part.path, interrupts);
    if (interrupts.stopped()) return null;
    writeFileSync(join(part.path, NAME), JSON.stringify(explanation, null, 2) + "\n");
    const folder = newFolder(makeFolderInside(results, EXPLANATIONS), startedAt);
    return { explanation, folder: putWhole(part.path, folder) };
  } catch (error) {
    if (interrupts.stopped()) return null;
    if (!(error instanceof Stopped)) throw error;
    throw failure(error.message, "bench explain --help", error);
  } finally {
    context.doing(null);
    part.remove();
  }
}

/** The file that makes a folder an explanation. */
const NAME = "explanation.json";

/** Copies the files of an explanation, and last the one that makes it whole: what is half-made would be taken for one. */
function putWhole(from: string, folder: string): string {
  try {
    const names = readdirSync(from).filter((name) => name !== NAME);
    for (const name of [...names, NAME]) copyFileSync(join(from, name), join(folder, name));
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Measures the cells, and what that says. */
async function measured(
  { args, doing }: Context,
  asked: AskedCells,
  { passes, windowMs, loads = EXPLAIN_LOADS }: Amount,
  folder: string,
  interrupts: Interrupts,
): Promise<Explanation> {
  const { suite, cells, axes, equipment, against } = asked;
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
      warmup: loads.warmup,
    },
    directoryOf: (cell) => directoryFor(suite.files?.(cell.point) ?? null, isOther(cell) ? other! : files),
    specialOf: (cell) => isOther(cell) ? { root: against!.root } : {},
    onStart: interrupts.onStart,
  };
  const names = cells.map((cell) => cellName(axes, cell));
  const found = await explainCells(cells, site, {
    ...{ passes, windowMs, loads, folder, interrupts, say },
    names: names.map((name, n) => `${n + 1}-${name.replaceAll(/[^\w.@+-]+/g, "-")}`),
  });
  const { machine } = await equipment.hosts.server.facts();
  const { generator, generatorVersion } = equipment.tool;
  const pace = suite.requests(cells[0]!.point).pace;
  const explained = await Promise.all(
    found.map((own, n) => explainedCellOf(own, names[n]!, asked)),
  );
  return explanationSchema.parse({
    schema: "levelfield.explanation/1",
    generator: generator.name,
    made_at: new Date().toISOString(),
    levelfield_version: levelfieldVersion(),
    machine: { cpu_model: machine.cpu_model, system: `${machine.os}, kernel ${machine.kernel}` },
    load: `${generator.name} ${generatorVersion}, ${
      "closed" in pace
        ? counted(pace.closed, "connection")
        : counted(pace.perSecond, "request a second", "requests a second")
    }`,
    cells: explained,
    difference: explained.length < 2
      ? null
      : explainedBetween(explained[0]!, explained[1]!, { generator: generator.name }),
  });
}

/** What a cell's passes say. */
async function explainedCellOf(
  { cell, version, passes, profiles, systemCalls, marks }: CellPasses,
  name: string,
  { suite, madeFrom, axes, equipment: { runtimes, hosts }, against }: AskedCells,
): Promise<ExplainedCell> {
  const axis = runtimeAxisOf(suite);
  const source = sourceOfCell(madeFrom, axes, cell);
  const runtime = axis === undefined ? undefined : runtimes.get(String(cell.point.at[axis.name]));
  const [sha256 = null] = runtime === undefined ? [] : await hosts.server.hashes([runtime.file]);
  return explainCell(
    {
      ...{ cell, name, ...(source === null ? {} : { source }) },
      ...{ runtime: runtime?.name ?? null, version: runtime?.version ?? version, sha256, marks: [...marks] },
    },
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
