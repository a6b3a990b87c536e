import type { Equipment, Site } from "../observe/site.ts";
import type { SuiteSource } from "../result/suite-identity.ts";
import { copyFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SOURCE_LAYERS } from "../../suites/registry.ts";
import { failure, orElse } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { explainCell, type MeasuredPass } from "../why/explain-cell.ts";
import { samplesWithin } from "../why/samples-within.ts";
import { useOfWindow } from "../why/use-of-window.ts";
import { EXPLANATIONS, sourceOfCell } from "../runs/find-explanations.ts";
import type { Interrupts } from "../machine/interrupts.ts";
import { levelfieldVersion } from "../runs/provenance.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { makeFolderInside } from "../files/plain-file.ts";
import { checkResultsFolder, newFolder } from "../runs/run-folder.ts";
import { scratchFolder } from "../process/scratch-folder.ts";
import { runtimeAxisOf } from "../options/runtime-specs.ts";
import { type CellPasses, EXPLAIN_LOADS, explainCells, type ExplainRequest } from "../observe/explain-cells.ts";
import { countCells } from "../observe/count-cells.ts";
import { directoryFor, prepareFiles } from "../observe/prepare-files.ts";
import { Stopped } from "../observe/stopped.ts";
import { type ExplainedCell, type Explanation, explanationSchema } from "../record/explanation-schema.ts";
import { preparingText } from "../report/progress.ts";
import { explainedBetween } from "../why/explained-between.ts";
import type { Suite } from "../../suites/suite.ts";
import { present } from "../basics/present.ts";
import type { Revision } from "../sources/revision.ts";
import { cellName } from "../record/cell.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";

/** The µs that are kept of a profile on each side of its window: its clock agrees to milliseconds only. */
const WIDER_US = 20_000;

/** Cells to explain, and what they need. */
export interface CellsToExplain {
  readonly suite: Suite;
  /** The sources of the suite, as a plan has them. */
  readonly madeFrom: SuiteSource;
  readonly cells: readonly Cell[];
  readonly axes: readonly PlanAxis[];
  readonly equipment: Equipment;
  readonly against: Revision | undefined;
}

/** Folders of runs and of servers' files, a signal that stops measuring, and a listener for progress. */
export interface ExplainSite {
  readonly results: string;
  readonly data: string;
  readonly interrupts: Interrupts;
  readonly doing: (text: string | null) => void;
}

/** The amounts of a measurement; loads that are left out are {@link EXPLAIN_LOADS}. */
export type ExplainAmount = Pick<ExplainRequest, "passes" | "windowMs"> & Partial<Pick<ExplainRequest, "loads">>;

/**
 * Measures cells and writes their explanation into a new folder among the runs. Returns null if it was stopped.
 *
 * @throws BenchError if a server cannot be measured
 */
export async function explain(
  choice: CellsToExplain,
  amount: ExplainAmount,
  desk: ExplainSite,
): Promise<{ readonly explanation: Explanation; readonly folder: string } | null> {
  const { interrupts } = desk, results = resolve(desk.results);
  checkResultsFolder(results);
  const startedAt = new Date(), part = scratchFolder("explain");
  try {
    const explanation = await measured(choice, amount, part.path, desk);
    if (interrupts.stopped()) return null;
    writeFileSync(join(part.path, NAME), JSON.stringify(explanation, null, 2) + "\n");
    const folder = newFolder(makeFolderInside(results, EXPLANATIONS), startedAt);
    return { explanation, folder: putWhole(part.path, folder) };
  } catch (error) {
    if (interrupts.stopped()) return null;
    if (!(error instanceof Stopped)) throw error;
    throw failure(error.message, "bench explain --help", error);
  } finally {
    desk.doing(null);
    part.remove();
  }
}

const NAME = "explanation.json";

/** Copies the files of an explanation; the last one makes the folder valid. */
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

/** The place of a look at cells beside a run, with the files their servers need. */
async function siteOf(
  { suite, cells, equipment, against }: CellsToExplain,
  { windowMs, warmup }: { readonly windowMs: number; readonly warmup: Site["plan"]["warmup"] },
  { data, interrupts }: ExplainSite,
  say: (text: string) => void,
): Promise<Site> {
  const specs = suite.files === undefined ? [] : cells.flatMap(({ point }) => suite.files!(point) ?? []);
  const prepared = async (directory: string, root?: string) => {
    const files = await prepareFiles({
      ...present({ dataDirectory: directory, specs, onStart: interrupts.onStart, root }),
      onEvent: (event) => event.event === "progress" && say(preparingText(event)),
    });
    if (files.failed !== null && !interrupts.stopped()) throw failure(files.failed, "bench all --prepare");
    return files;
  };
  const files = await prepared(data);
  const other = against && await prepared(join(against.root, ".data"), against.root);
  const isOther = ({ label }: Cell) => label === against?.label;
  return {
    ...equipment,
    suite,
    plan: { duration_ms: windowMs, ensemble_ms: windowMs, warmup },
    directoryOf: (cell) => directoryFor(suite.files?.(cell.point) ?? null, isOther(cell) ? other! : files),
    specialOf: (cell) => isOther(cell) ? { root: against!.root } : {},
    onStart: interrupts.onStart,
  };
}

/**
 * Counts what servers do for a request, in a look beside a run: see {@link countCells}. No looks if it was stopped.
 *
 * @throws BenchError if a server cannot be measured
 */
export async function countRequests(choice: CellsToExplain, desk: ExplainSite) {
  const say = (text: string) => desk.doing(`counting: ${text}`);
  try {
    say("system calls and bytes to disk of a request");
    const warmup = { kind: "fixed", ms: 1_000, loads: 1 } as const;
    return await countCells(
      choice.cells,
      await siteOf(choice, { windowMs: 1_000, warmup }, desk, say),
      desk.interrupts,
    );
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    throw failure(error.message, undefined, error);
  } finally {
    desk.doing(null);
  }
}

async function measured(
  choice: CellsToExplain,
  { passes, windowMs, loads = EXPLAIN_LOADS }: ExplainAmount,
  folder: string,
  desk: ExplainSite,
): Promise<Explanation> {
  const { suite, cells, axes, equipment } = choice, { interrupts } = desk;
  const say = (text: string) => desk.doing(`explain: ${text}`);
  const site = await siteOf(choice, { windowMs, warmup: loads.warmup }, desk, say);
  const names = cells.map((cell) => cellName(axes, cell));
  const found = await explainCells(cells, site, {
    ...{ passes, windowMs, loads, folder, interrupts, say },
    names: names.map((name, n) => `${n + 1}-${name.replaceAll(/[^\w.@+-]+/g, "-")}`),
  });
  const { machine } = await equipment.hosts.server.facts();
  const { generator, generatorVersion } = equipment.tool;
  const pace = suite.requests(cells[0]!.point).pace;
  const explained = await Promise.all(
    found.map((passes, n) => explainedCellOf(passes, names[n]!, choice)),
  );
  return explanationSchema.parse({
    schema: "levelfield.explanation/2",
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

async function explainedCellOf(
  { cell, home, version, passes, profiles, systemCalls, marks }: CellPasses,
  name: string,
  { suite, madeFrom, axes, equipment: { runtimes, hosts }, against }: CellsToExplain,
): Promise<ExplainedCell> {
  const axis = runtimeAxisOf(suite);
  const source = sourceOfCell(madeFrom, axes, cell);
  const runtime = axis === undefined ? undefined : runtimes.get(String(cell.point.at[axis.name]));
  const [sha256 = null] = runtime === undefined ? [] : await hosts.server.hashes([runtime.file]);
  return explainCell(
    {
      ...present({ cell, name, source }),
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
    {
      layers: SOURCE_LAYERS,
      roots: [PROJECT_ROOT, ...(against === undefined ? [] : [against.root])],
      homes: home === null ? [] : [home, orElse(() => realpathSync(home), home)],
    },
  );
}
