import { join } from "node:path";
import type { PrepareEvent } from "../../stores/prepared/main.ts";
import type { Grade } from "../core/doctor/grade.ts";
import { paceOf } from "../core/pace.ts";
import { cellsOf, type Plan, type PlannedStep, scheduleOf } from "../core/plan.ts";
import { type JournalLine, journalLine } from "../core/result/journal-line.ts";
import { publish, type Published } from "../core/result/published.ts";
import { type RunRecord, runRecord } from "../core/result/run-record.ts";
import { changesSince } from "../core/result/run-changes.ts";
import { failure } from "../core/errors.ts";
import type { Interrupts } from "../host/interrupts.ts";
import type { Revision } from "../host/revision.ts";
import { createRunFolder, reopenRunFolder } from "../host/run-folder.ts";
import { sealRun } from "../host/seal.ts";
import { conductCeiling } from "./conduct-ceiling.ts";
import { conductDuet } from "./conduct-duet.ts";
import { conductTrial, type TrialSite } from "./conduct-trial.ts";
import { describeRun } from "./describe-run.ts";
import type { Equipment } from "./equip.ts";
import { prepareData } from "./prepare-data.ts";

/** Told of a run's progress. */
export interface RunObserver {
  prepare(event: PrepareEvent): void;
  begin(folder: string, steps: number): void;
  stepBegins(step: PlannedStep, remainingMs: number): void;
  stepEnds(step: PlannedStep, line: JournalLine): void;
}

/** A run to go on with: what its folder holds. */
export interface EarlierRun {
  readonly path: string;
  readonly run: RunRecord;
  readonly lines: readonly JournalLine[];
}

/** What a run is made from. */
export interface RunRequest {
  readonly plan: Plan;
  readonly grade: Grade;
  readonly resultsDirectory: string;
  readonly dataDirectory: string;
  readonly interrupts: Interrupts;
  readonly observer: RunObserver;
  readonly resume?: EarlierRun;
  /** Another revision measured in the same run, under its own label. */
  readonly against?: Revision;
}

/** A run that has ended. */
export interface FinishedRun extends Published {
  readonly run: RunRecord;
  readonly folder: string;
  /** Steps made of steps planned, earlier ones included. */
  readonly made: number;
  readonly planned: number;
}

/** Prepares data, makes every step of a plan that is not made yet, writes each down at once, publishes at the end. */
export async function conductRun(request: RunRequest, equipment: Equipment): Promise<FinishedRun> {
  const { plan, interrupts, observer, resume } = request;
  const data = await prepareFor(request);

  const fresh = await describeRun(
    resume?.run.run ?? "",
    plan,
    equipment,
    data.own.parts,
    request.grade,
    request.against,
  );
  if (resume !== undefined) {
    const changes = changesSince(resume.run, fresh);
    if (changes.length > 0) {
      throw failure(`run "${resume.run.run}" cannot be continued: ${changes.join("; ")}`, "start a new run");
    }
  }
  const folder = resume === undefined
    ? createRunFolder(request.resultsDirectory, new Date())
    : reopenRunFolder(resume.path);
  const record = resume?.run ?? { ...fresh, run: folder.name };
  const save = (change: Pick<RunRecord, "state" | "finished_at">) => {
    const next = runRecord.parse({ ...record, ...change });
    folder.writeJson("run.json", next);
    return next;
  };
  save({ state: "running", finished_at: null });

  const lines: JournalLine[] = [...resume?.lines ?? []];
  const done = new Set(lines.map((line) => line.index));
  const steps = scheduleOf(plan);
  const ahead = steps.filter((step) => !done.has(step.index));
  observer.begin(folder.path, steps.length);

  const site: TrialSite = {
    ...equipment,
    plan,
    runtime: (name) => equipment.runtimes.get(name)!,
    runtimeForCeiling: [...equipment.runtimes.values()].find(({ name }) => name === "bun") ??
      [...equipment.runtimes.values()][0]!,
    storeDirectory(store, size, label) {
      const { parts, failed } = label === request.against?.label ? data.other! : data.own;
      const part = parts.find((candidate) => candidate.part === store && candidate.size === size);
      return part === undefined ? { failed: failed ?? "it was not built" } : { directory: part.directory };
    },
    specialOf: (label) => label === request.against?.label ? { root: request.against.root } : {},
    onStart: interrupts.onStart,
  };
  const pace = paceOf(plan);
  for (const [n, step] of ahead.entries()) {
    if (interrupts.stopped()) break;
    observer.stepBegins(step, pace.remainingMs(ahead.slice(n)));
    const made = await conduct(step, site);
    // A stop breaks the step it falls into: that says nothing about the cell.
    if (interrupts.stopped()) break;
    const line = journalLine.parse(made);
    folder.journal.append(line);
    lines.push(line);
    pace.note(step, line.wall_ms);
    observer.stepEnds(step, line);
  }
  folder.journal.close();

  const run = save({
    state: interrupts.stopped() ? "interrupted" : "finished",
    finished_at: new Date().toISOString(),
  });
  const published = publish(run, lines);
  for (const [file, content] of published.files) folder.writeJson(file, content);
  sealRun(folder.path);
  return { ...published, run, folder: folder.path, made: lines.length, planned: steps.length };
}

/** The data of this checkout and, in a folder of its own, that of the other revision: its files may have another form. */
async function prepareFor({ plan, dataDirectory, interrupts, observer, against }: RunRequest) {
  const cells = cellsOf(plan);
  const wanted = {
    seed: plan.dataSeed,
    sizes: [...new Set(cells.map((cell) => cell.size))],
    stores: [...new Set(cells.map((cell) => cell.store))],
    onEvent: observer.prepare,
    onStart: interrupts.onStart,
  };
  const own = await prepareData({ ...wanted, dataDirectory });
  if (against === undefined) return { own };
  const other = await prepareData({ ...wanted, dataDirectory: join(against.root, ".data"), root: against.root });
  return { own, other };
}

function conduct(step: PlannedStep, site: TrialSite): Promise<JournalLine> {
  switch (step.kind) {
    case "trial":
      return conductTrial(step, site);
    case "duet":
      return conductDuet(step, site);
    case "ceiling":
      return conductCeiling(step, site);
  }
}
