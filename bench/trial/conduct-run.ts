import type { PrepareEvent } from "../../stores/prepared/main.ts";
import { detectRuntime, type RuntimeName } from "../../servers/runtime.ts";
import { cellFileStem, cellName } from "../core/cell.ts";
import { type Placement, type PlacementWish, placeProcesses } from "../core/placement.ts";
import { type Plan, type PlannedTrial, remainingMs, scheduleOf } from "../core/plan.ts";
import { type CellCard, cellCard, makeCellCards } from "../core/result/cell-card.ts";
import { type RunRecord, runRecord } from "../core/result/run-record.ts";
import { type TrialRecord, trialRecord } from "../core/result/trial-record.ts";
import { GENERATORS } from "../generators/registry.ts";
import type { Interrupts } from "../host/interrupts.ts";
import { describeMachine, describeProject } from "../host/provenance.ts";
import { createRunFolder } from "../host/run-folder.ts";
import { fileSha256, inspectRuntime, type RuntimeBinary } from "../host/runtimes.ts";
import { thisMachine } from "../host/this-machine.ts";
import { conductTrial, type TrialSite } from "./conduct-trial.ts";
import { inspectGenerator } from "./inspect-generator.ts";
import { prepareData, type PreparedPart } from "./prepare-data.ts";

/** Told of a run's progress. */
export interface RunObserver {
  prepare(event: PrepareEvent): void;
  begin(
    run: { readonly plan: Plan; readonly placement: Placement; readonly folder: string; readonly trials: number },
  ): void;
  trialBegins(trial: PlannedTrial, remainingMs: number): void;
  trialEnds(trial: PlannedTrial, record: TrialRecord): void;
}

/** What a run is made from. */
export interface RunRequest {
  readonly plan: Plan;
  readonly wish: PlacementWish;
  readonly resultsDirectory: string;
  readonly dataDirectory: string;
  readonly interrupts: Interrupts;
  readonly observer: RunObserver;
}

/** A run that has ended. */
export interface FinishedRun {
  readonly run: RunRecord;
  readonly cards: readonly CellCard[];
  readonly folder: string;
  /** Trials made of trials planned. */
  readonly made: number;
  readonly planned: number;
}

/** Everything a run needs of this machine, looked up and checked before the first trial. */
export async function equip(plan: Plan, wish: PlacementWish, runtimeNames: readonly RuntimeName[]): Promise<Equipment> {
  const generator = GENERATORS[plan.generator]!;
  const machine = thisMachine();
  const placement = placeProcesses(machine.topology(), wish);
  const { program, version } = await inspectGenerator(generator);
  const runtimes = new Map<string, RuntimeBinary>();
  for (const name of runtimeNames) runtimes.set(name, await inspectRuntime(name));
  const threads = Math.max(1, Math.min(placement.loadCpus?.length ?? 1, plan.connections));
  return { machine, placement, generator, program, generatorVersion: version, runtimes, threads };
}

/** See {@link equip}. */
export interface Equipment extends Pick<TrialSite, "machine" | "placement" | "generator" | "program" | "threads"> {
  readonly generatorVersion: string;
  readonly runtimes: ReadonlyMap<string, RuntimeBinary>;
}

/** Prepares data, makes every trial of a plan, writes each down at once and the cards at the end. */
export async function conductRun(request: RunRequest, equipment: Equipment): Promise<FinishedRun> {
  const { plan, interrupts, observer } = request;
  const sizes = [...new Set(plan.cells.map((cell) => cell.size))];
  const stores = [...new Set(plan.cells.map((cell) => cell.store))];
  const data = await prepareData({
    dataDirectory: request.dataDirectory,
    seed: plan.dataSeed,
    sizes,
    stores,
    onEvent: observer.prepare,
    onStart: interrupts.onStart,
  });
  const files = (store: string, size: number) => {
    const part = data.parts.find((candidate) => candidate.part === store && candidate.size === size);
    return part === undefined ? { failed: data.failed ?? "it was not built" } : { directory: part.directory };
  };

  const folder = createRunFolder(request.resultsDirectory, new Date());
  const trials = scheduleOf(plan);
  const record = await describeRun(folder.name, plan, equipment, data.parts);
  const save = (change: Pick<RunRecord, "state" | "finished_at">) => {
    const next = runRecord.parse({ ...record, ...change });
    folder.writeJson("run.json", next);
    return next;
  };
  save({ state: "running", finished_at: null });
  observer.begin({ plan, placement: equipment.placement, folder: folder.path, trials: trials.length });

  const site: TrialSite = {
    ...equipment,
    plan,
    runtime: (name) => equipment.runtimes.get(name)!,
    storeDirectory: files,
    onStart: interrupts.onStart,
  };
  const records: TrialRecord[] = [];
  const spentMs = new Map<string, number[]>();
  for (const trial of trials) {
    if (interrupts.stopped()) break;
    observer.trialBegins(trial, remainingMs(plan, trials.slice(trial.index), spentMs));
    const made = await conductTrial(trial, site);
    // A stop breaks the trial it falls into: that says nothing about the cell.
    if (interrupts.stopped()) break;
    const checked = trialRecord.parse(made);
    folder.journal.append(checked);
    records.push(checked);
    const name = cellName(trial.cell);
    spentMs.set(name, [...(spentMs.get(name) ?? []), checked.wall_ms]);
    observer.trialEnds(trial, checked);
  }
  folder.journal.close();

  const cards = makeCellCards(folder.name, records).map((card) => cellCard.parse(card));
  const order = new Map(plan.cells.map((cell, index) => [cellName(cell), index]));
  cards.sort((a, b) => order.get(cellName(a.cell))! - order.get(cellName(b.cell))!);
  for (const card of cards) folder.writeJson(`cells/${cellFileStem(card.cell)}.json`, card);
  const run = save({
    state: interrupts.stopped() ? "interrupted" : "finished",
    finished_at: new Date().toISOString(),
  });
  return { run, cards, folder: folder.path, made: records.length, planned: trials.length };
}

async function describeRun(
  name: string,
  plan: Plan,
  equipment: Equipment,
  parts: readonly PreparedPart[],
): Promise<RunRecord> {
  const { placement, runtimes, generator, program, generatorVersion, threads } = equipment;
  const driver = detectRuntime();
  return {
    schema: "levelfield.run/1",
    run: name,
    started_at: new Date().toISOString(),
    finished_at: null,
    state: "running",
    levelfield: await describeProject(),
    plan: {
      profile: plan.profile,
      cells: plan.cells.map((cell) => ({ ...cell })),
      rounds: plan.rounds,
      duration_ms: plan.durationMs,
      warmup_ms: plan.warmupMs,
      connections: plan.connections,
      generator_threads: threads,
      seed: plan.seed,
      data_seed: plan.dataSeed,
      miss_share: plan.missShare,
      engine: plan.engine,
    },
    placement: {
      pinning: placement.pinning,
      server_cpus: placement.serverCpus && [...placement.serverCpus],
      load_cpus: placement.loadCpus && [...placement.loadCpus],
      note: placement.note,
    },
    machine: describeMachine(),
    runtimes: [...runtimes.values()].map(({ name, version, file, origin }) => ({
      name,
      version,
      sha256: fileSha256(file),
      origin,
    })),
    generator: { name: generator.name, version: generatorVersion, sha256: fileSha256(program) },
    driver: { runtime: driver.name, version: driver.version },
    data_sets: parts.filter((part) => part.part === "dataset").map((part) => ({
      size: part.size,
      seed: plan.dataSeed,
      sha256: part.sha256!,
    })),
  };
}
