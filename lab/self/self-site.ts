import { AA, MAIN } from "../../bench/record/cell.ts";
import type { Cell } from "../../bench/record/cell-schema.ts";
import { pointsOf, probeOf } from "../../bench/plan/points.ts";
import type { Observation } from "../../bench/record/observation-record.ts";
import type { At, FilesSpec, RequestPlan, Suite } from "../../suites/suite.ts";
import type { LoadPlan } from "../../bench/generators/generator.ts";
import type { Interrupts } from "../../bench/machine/interrupts.ts";
import { startLoad } from "../../bench/observe/load-process.ts";
import { observeOnce } from "../../bench/observe/observe-once.ts";
import type { PreparedFiles } from "../../bench/observe/prepare-files.ts";
import type { Equipment } from "../../bench/observe/site.ts";
import { medianOfKnown } from "../../bench/statistics/median.ts";

/** The machine, files and settings that the parts of `bench self` share. */
export interface SelfSite {
  readonly equipment: Equipment;
  /** The suite whose probe points are measured. */
  readonly suite: Suite;
  readonly files: PreparedFiles;
  readonly dataDirectory: string;
  readonly rounds: number;
  readonly interrupts: Interrupts;
  say(text: string): void;
}

/** Name of the axis that binds runtimes. */
export const runtimeAxisName = (suite: Suite): string => suite.axes.find(({ binds }) => binds === "runtime")!.name;

/** The suite's probe point with some values changed: quick and steady. */
export function probeCell(suite: Suite, change: At = {}, label: string = MAIN): Cell {
  return { point: { suite: suite.name, at: { ...probeOf(suite), ...change } }, label };
}

/** Files of every point under the conditions of the suite's probe. */
export function probeFiles(suite: Suite): FilesSpec[] {
  const probe = probeOf(suite);
  const values = suite.axes.map(({ name, role, values }) => [name, role === "contrast" ? values : [probe[name]!]]);
  return pointsOf(suite, Object.fromEntries(values)).points.flatMap((point) => suite.files?.(point) ?? []);
}

/** One observation outside any run. */
interface SelfObservation {
  readonly cells: readonly Cell[];
  readonly round: number;
  /** Window of one alone, or for each of several. */
  readonly windowMs: number;
  /** Units of extra work a request, by label; see servers/ballast.ts. */
  readonly work?: Readonly<Record<string, number>>;
  readonly connections?: number;
}

/** Makes one observation as a run would. */
async function observeSelf(
  site: SelfSite,
  { cells, round, windowMs, work = {}, connections }: SelfObservation,
): Promise<Observation> {
  const { suite, files, interrupts: { onStart } } = site;
  return await observeOnce({
    suite: connections === undefined ? suite : {
      ...suite,
      requests: (point) => ({ ...suite.requests(point), pace: { closed: connections } }),
    },
    cells,
    files,
    round,
    drawSeed: round + 1,
    durationMs: windowMs,
    specialOf: ({ label }) => ({ ballast: work[label] ?? 0 }),
    onStart,
  }, site.equipment);
}

/** CPU time per request of each server of an observation in nanoseconds, or null when it is not valid. */
export async function costsOnce(site: SelfSite, observation: SelfObservation): Promise<number[] | null> {
  const { status, members, marks } = await observeSelf(site, observation);
  const costs = members.flatMap((member) => member.marks.length === 0 ? member.cpu_ns_per_request ?? [] : []);
  if (status === "ok" && costs.length === members.length) return costs;
  const [why] = [...marks, ...members.flatMap((member) => member.marks)];
  site.say(`a round is lost: ${why?.text ?? status}`);
  return null;
}

/** A twin of a cell: the same point under another label. */
export const twinOf = (cell: Cell, label: string = AA): Cell => ({ ...cell, label });

/** Loads a running server once and returns its rate in requests a second. Throws if the generator fails. */
export async function rateOnce(
  { equipment, interrupts }: Pick<SelfSite, "equipment" | "interrupts">,
  url: string,
  requests: RequestPlan,
  plain: boolean,
): Promise<number> {
  const plan: LoadPlan = {
    targets: [{ url, requests }],
    threads: equipment.threads,
    durationMs: 1_000,
    timeoutMs: 10_000,
    seed: 1,
    load: 0,
    plain,
  };
  const load = await startLoad({ ...equipment, onStart: interrupts.onStart }, plan);
  const result = await load.result;
  if ("failed" in result) throw new Error(result.failed);
  return result.requests / (result.durationUs / 1e6);
}

/** Median over rounds of the ratios a / b of two measurements taken right after each other, the order turned each round. */
export async function ratioOf(
  site: Pick<SelfSite, "rounds" | "interrupts">,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<{ ratio: number | null; ratios: number[] }> {
  const ratios: number[] = [];
  for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
    let first: number, second: number;
    if (round % 2 === 0) [first, second] = [await a(), await b()];
    else {
      second = await b();
      first = await a();
    }
    ratios.push(first / second);
  }
  return { ratio: medianOfKnown(ratios), ratios };
}

/** `median of 9, 0.94 to 0.99`. */
export function spreadText(ratios: readonly number[]): string {
  if (ratios.length === 0) return "not measured";
  return `median of ${ratios.length}, ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
}
