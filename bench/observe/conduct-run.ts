import { join } from "node:path";
import type { FilesEvent, Suite } from "../../suites/suite.ts";
import { voidedInARow } from "../judge/status.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Grade } from "../record/finding.ts";
import { failure } from "../basics/errors.ts";
import { paceOf } from "../plan/pace.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { cutSettle, madeRounds, scheduleOf } from "../plan/schedule.ts";
import { workerCpus } from "../plan/workers.ts";
import { sparesExpected } from "../plan/spare-rounds.ts";
import { loadsAlone, type Solo } from "../judge/lines.ts";
import type { Observation } from "../record/observation-record.ts";
import { publish, type Published } from "../result/published.ts";
import { stepsDue } from "../result/steps-due.ts";
import { changesSince } from "../result/run-changes.ts";
import { type RunRecord, runRecord } from "../record/run-record.ts";
import type { Interrupts } from "../machine/interrupts.ts";
import type { Revision } from "../sources/revision.ts";
import { earlierPace, rememberPace } from "../sources/pace-file.ts";
import { lookAtOthers } from "../machine/processes.ts";
import type { BusyProcess } from "../record/samples.ts";
import type { StoredRun } from "../runs/read-run.ts";
import { createRunFolder, reopenRunFolder, resumeCommand } from "../runs/run-folder.ts";
import { sealRun } from "../runs/seal.ts";
import { lostHost } from "./connect-hosts.ts";
import { describeRun } from "./describe-run.ts";
import { extraTool, extraWindows } from "./extra-windows.ts";
import { observeOrLost } from "./observe-once.ts";
import { directoryFor, type PreparedFiles, prepareFiles, preparePoints } from "./prepare-files.ts";
import { nowText } from "./sample-load.ts";
import type { Equipment, Site } from "./site.ts";

/** Receives a run's progress. */
export interface RunObserver {
  prepare(event: FilesEvent): void;
  begin(folder: string, steps: number): void;
  stepBegins(step: PlannedObservation, remainingMs: number): void;
  /** Receives one server of an ensemble that was measured alone; the step continues. */
  measuredAlone?(step: PlannedObservation, solo: Omit<Solo, "line">): void;
  stepEnds(step: PlannedObservation, observation: Observation): void;
  /** Receives several voided observations in a row, and the busiest other processes. The run waits for it. */
  disturbed?(voided: readonly Observation[], busy: readonly BusyProcess[]): Promise<void>;
  /** Called after a round that leaves steps: the run can be summed up. */
  roundEnds?(run: RunRecord, lines: readonly Observation[]): void;
}

/** The inputs of a run. */
export interface RunRequest {
  readonly plan: Plan;
  readonly suite: Suite;
  readonly grade: Grade;
  readonly resultsDirectory: string;
  readonly dataDirectory: string;
  readonly interrupts: Interrupts;
  readonly observer: RunObserver;
  readonly resume?: Pick<StoredRun, "path" | "run" | "lines">;
  /** When the time of a settle is up, by `performance.now()`: it ends with the round that is measured then. */
  readonly untilMs?: number;
  /** Another revision measured in the same run, under another label. */
  readonly against?: Revision;
}

/** A run that has ended. */
export interface FinishedRun extends Published {
  readonly run: RunRecord;
  readonly folder: string;
  readonly lines: readonly Observation[];
  /** Steps made of steps planned, earlier ones included. */
  readonly made: number;
  readonly planned: number;
  /** Milliseconds its servers were under load, warm-ups included. */
  readonly loadedMs: number;
}

/** Prepares files, makes every step of a plan that is not made yet, writes each down at once, publishes at the end. */
export async function conductRun(request: RunRequest, equipment: Equipment): Promise<FinishedRun> {
  const { plan, interrupts, observer, resume, against } = request;
  const { tested, other } = await prepareAll(request, equipment);

  const open = await extraTool(plan, equipment);
  const tools = open === null ? [] : [open];
  const fresh = await describeRun({
    name: resume?.run.run ?? "",
    plan,
    equipment: { ...equipment, tools },
    files: tested.ready,
    grade: request.grade,
    against,
  });
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
  const save = (change: Pick<RunRecord, "state" | "finished_at"> & Partial<Pick<RunRecord, "plan">>) => {
    const next = runRecord.parse({ ...record, ...change });
    folder.writeJson("run.json", next);
    return next;
  };
  const running = save({ state: "running", finished_at: null });

  const lines: Observation[] = [...resume?.lines ?? []];
  const steps = scheduleOf(plan);
  let due = { made: -1, steps: [] as readonly PlannedObservation[] };
  const ahead = () => {
    if (due.made !== lines.length) due = { made: lines.length, steps: stepsDue(running, lines, steps) };
    return due.steps;
  };
  const planned = () => lines.length + ahead().length;
  observer.begin(folder.path, planned());

  const site = siteOf(request, equipment, tested, other);
  await makeSteps(request, site, open, { run: running, lines, ahead, append: folder.journal.append });
  folder.journal.close();

  const lost = lostHost(equipment.hosts);
  const isStopped = interrupts.stopped() || lost !== null;
  const isCut = request.untilMs !== undefined && !isStopped && ahead().length > 0;
  const run = save({
    state: isStopped ? "interrupted" : "finished",
    finished_at: nowText(),
    plan: isCut ? cutSettle(plan, lines.at(-1)!) : plan,
  });
  if (lost !== null && !interrupts.stopped()) throw failure(lost, resumeCommand(folder.path));
  const published = publish(run, lines);
  for (const [file, content] of published.files) folder.writeJson(file, content);
  sealRun(folder.path);
  return {
    ...published,
    run,
    folder: folder.path,
    lines,
    made: lines.length,
    planned: isCut ? lines.length : planned(),
    loadedMs: loadedMs(lines),
  };
}

/** The steps of a run: those made, those ahead, and a way to keep one. */
interface Course {
  readonly run: RunRecord;
  readonly lines: Observation[];
  ahead(): readonly PlannedObservation[];
  append(line: Observation): void;
}

/** The number of voided observations in a row from which the user is asked to wait. */
const VOIDED_IN_A_ROW = 3;

/** Makes the steps in order and writes each down, until none is left, a stop, or the loss of a host. */
async function makeSteps(
  { plan, interrupts, observer, dataDirectory, untilMs = Infinity }: RunRequest,
  site: Site,
  open: Awaited<ReturnType<typeof extraTool>>,
  { run, lines, ahead, append }: Course,
): Promise<void> {
  const roundsMade = () => plan.further === undefined ? madeRounds(plan, lines).rounds : 0;
  let rounds = roundsMade();
  const pace = paceOf(plan, earlierPace(dataDirectory));
  /** The number of lines when the user was last asked. */
  let answeredAt = lines.length;
  const before = lines.length;
  for (let [step] = ahead(); step !== undefined && !interrupts.stopped(); [step] = ahead()) {
    if (lines.length > before && step.round > lines.at(-1)!.round && performance.now() > untilMs) break;
    const others = observer.disturbed === undefined || site.hosts.link !== undefined ? () => [] : lookAtOthers();
    const left = ahead();
    const expectedMs = pace.remainingMs([...left, ...sparesExpected(plan, lines, left)]);
    observer.stepBegins(step, Math.max(expectedMs, unallottedMs(plan, lines)));
    const current = step;
    const onAlone: Site["onAlone"] = (member) => {
      const solo = loadsAlone(member, current.round);
      if (solo !== null) observer.measuredAlone?.(current, solo);
    };
    const pinned = pinnedFor(step, plan, site);
    const { nextWindow } = extraWindows(step, plan, pinned, open, lines);
    const line = await observeOrLost(step, {
      ...pinned,
      ...(nextWindow === undefined
        ? {}
        : { nextWindow: (...seen) => interrupts.stopped() ? null : nextWindow(...seen) }),
      onAlone,
      made: lines,
    });
    // A stop breaks the current step, which says nothing about the cell.
    if (line === null || interrupts.stopped()) break;
    append(line);
    lines.push(line);
    pace.note(step, line.wall_ms);
    observer.stepEnds(step, line);
    const roundsBefore = rounds;
    rounds = roundsMade();
    if (ahead().length === 0) break;
    if (rounds > roundsBefore) observer.roundEnds?.(run, lines);
    const voided = voidedInARow(lines.slice(answeredAt));
    if (voided.length < VOIDED_IN_A_ROW) continue;
    answeredAt = lines.length;
    await observer.disturbed?.(voided, others());
  }
  rememberPace(dataDirectory, pace.taken());
}

/** The rest of a plan's time while no round fixes how many follow; 0 after that, and without a time. */
function unallottedMs(plan: Plan, lines: readonly Observation[]): number {
  if (plan.timed === undefined || lines.some(({ round }) => round > 0)) return 0;
  return Math.max(0, plan.timed.ms - lines.reduce((sum, { wall_ms }) => sum + wall_ms, 0));
}

/** The site of a step with a CPU for each worker; servers of an ensemble have as many. */
function pinnedFor({ cells: [cell] }: PlannedObservation, plan: Plan, site: Site): Site {
  const serverCpus = workerCpus(plan, cell!, site.placement.serverCpus);
  return { ...site, placement: { ...site.placement, serverCpus } as Site["placement"] };
}

/** Returns where a run's cells are measured: those of another revision by its code, with its files. */
function siteOf(
  { plan, suite, interrupts, against }: RunRequest,
  equipment: Equipment,
  tested: PreparedFiles,
  other: PreparedFiles | undefined,
): Site {
  const isOther = ({ label }: Cell) => against !== undefined && label === against.label;
  return {
    ...equipment,
    plan,
    suite,
    directoryOf: (cell) => directoryFor(suite.files?.(cell.point) ?? null, isOther(cell) ? other! : tested, tested),
    specialOf: (cell) => isOther(cell) ? { root: against!.root } : {},
    onStart: interrupts.onStart,
  };
}

/** Milliseconds under load, as the load generator counted them. */
function loadedMs(lines: readonly Observation[]): number {
  const us = lines.flatMap(({ load, warmup, members }) => [
    load?.duration_us ?? 0,
    warmup?.duration_us ?? 0,
    ...members.flatMap((member) => [member.warmup?.duration_us ?? 0, member.alone?.load?.duration_us ?? 0]),
  ]);
  return us.reduce((sum, each) => sum + each, 0) / 1_000;
}

/** Prepares the files of this checkout and, in a separate folder, those of the other revision: formats may differ. */
async function prepareAll(
  { plan, suite, dataDirectory, interrupts, observer, against }: RunRequest,
  { hosts }: Equipment,
) {
  const points = plan.cells.map(({ point }) => point);
  const watch = { onEvent: observer.prepare, onStart: interrupts.onStart };
  const tested = await preparePoints({ suite, points, hosts, dataDirectory, ...watch });
  if (against === undefined) return { tested };
  const specs = points.flatMap((point) => suite.files?.(point) ?? []);
  const there = { host: hosts.server, dataDirectory: join(against.root, ".data"), root: against.root };
  const other = await prepareFiles({ ...watch, ...there, specs });
  return { tested, other };
}
