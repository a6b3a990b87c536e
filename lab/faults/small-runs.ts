import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { orElse } from "../../bench/basics/errors.ts";
import { SETTLE_MS } from "../../bench/plan/lengths.ts";
import { planAxes } from "../../bench/plan/plan-parts.ts";
import { MAIN } from "../../bench/record/cell.ts";
import type { Mark } from "../../bench/record/outcome-schema.ts";
import { type Plan, planSchema } from "../../bench/record/plan.ts";
import type { Observation } from "../../bench/record/observation-record.ts";
import { rememberPlan } from "../../bench/sources/known-plans.ts";
import { readPlanFile } from "../../bench/options/stored-plan.ts";
import { counted } from "../../bench/basics/units.ts";
import { inJson } from "./damage.ts";
import { suite } from "./faulty-suite.ts";
import { Missed, OF_OTHERS } from "./fault.ts";
import type { Stage } from "./stage.ts";

/** Where it is. */
export const FAULTY_SUITE = fileURLToPath(new URL("./faulty-suite.ts", import.meta.url));

/** A server of the suite of faults. */
export interface FaultPoint {
  /** See behaviours.ts. */
  readonly behaviour: string;
  readonly runtime: string;
  readonly as: string;
}

/** A sound server. */
export const SOUND: FaultPoint = { behaviour: "sound", runtime: "bun", as: "app" };
/** Another one. */
export const SOUND_TOO: FaultPoint = { ...SOUND, behaviour: "sound-too" };

/** A plan of these servers, each measured alone for a second after a second of warm-up, so many times. */
export async function planOf(points: readonly FaultPoint[], rounds = 1, seed = 1): Promise<Plan> {
  const values = (name: keyof FaultPoint) => [...new Set(points.map((point) => point[name]))];
  return {
    schema: "levelfield.plan/2",
    suite: { name: suite.name, title: suite.title, module: FAULTY_SUITE },
    axes: await planAxes(suite, { behaviour: values("behaviour"), runtime: values("runtime"), as: values("as") }),
    cells: points.map((at) => ({ point: { suite: suite.name, at: { ...at } }, label: MAIN })),
    solo: points.map((_, cell) => ({ cell, rounds })),
    ensembles: [],
    alone_rounds: 0,
    ceilings: [],
    unsupported: [],
    rounds,
    duration_ms: 1_000,
    ensemble_ms: 1_000,
    warmup: { kind: "fixed", ms: SETTLE_MS, loads: 1 },
    generator: "wrk",
    threads: null,
    seed,
    profile: "faults",
    preset: null,
    expectations: [],
  };
}

/** Writes a plan into a stage's folder, as one that was made there; gives the command that runs it. */
export function commandOf(stage: Stage, plan: unknown): string[] {
  const file = join(stage.folder, "plan.json");
  writeFileSync(file, JSON.stringify(plan));
  const made = planSchema.safeParse(plan);
  if (made.success) rememberPlan({ plan: made.data, wanted: null, against: undefined }, stage.folder);
  return ["run", "--plan", file];
}

/** Lines of a run's journal, as they stand there. */
export function linesIn(folder: string): string[] {
  return orElse(() => readFileSync(join(folder, "journal.ndjson"), "utf8").split("\n").slice(0, -1), []);
}

/** The state that a run's record says. */
export const stateOf = (run: string): string => JSON.parse(readFileSync(join(run, "run.json"), "utf8")).state;

/** Every reason in a line of a journal, the observation's and its servers'. */
export function marksOf({ marks, members }: Observation): Mark[] {
  return [...marks, ...members.flatMap((member) => member.marks)];
}

/** The first mark in a line of a journal that others on this machine do not explain; undefined where there is none. */
export function harmIn(line: Observation): Mark | undefined {
  return marksOf(line).find(({ code }) => !OF_OTHERS.includes(code));
}

/** Makes the plan of a run one that was made in the stage's folder. */
export const madeHere = (stage: Stage, path: string): void =>
  rememberPlan(readPlanFile(join(path, "run.json")), stage.folder);

/** A copy of a finished run of four steps, by its path. */
export function finishedRun(stage: Stage, name = "finished", folder = stage.results): string {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  cpSync(stage.settings.finished, path, { recursive: true });
  return path;
}

/** The same as a bench leaves it that was killed after two of its four steps. */
export function stoppedRun(stage: Stage, name = "stopped"): string {
  const path = finishedRun(stage, name);
  const [first, second] = linesIn(path);
  truncateSync(join(path, "journal.ndjson"), Buffer.byteLength(`${first}\n${second}\n`));
  for (const file of ["SHA256SUMS", "summary.json", "cells"]) rmSync(join(path, file), { recursive: true });
  inJson("run.json", (run) => ({ ...run, run: name, state: "running", finished_at: null }))(path);
  return path;
}

/** A file in a stage's folder, for where a folder is meant. */
export function fileIn(stage: Stage): string {
  const file = join(stage.folder, "file");
  writeFileSync(file, "nothing to see\n");
  return file;
}

/** The lines of a run, which must have those it had before; what is gone counts as lost. Throws a {@link Missed}. */
export function keptLines(stage: Stage, path: string, before: readonly string[]): string[] {
  const after = linesIn(path);
  const gone = before.filter((line) => !after.includes(line)).length;
  stage.lost += gone;
  if (gone > 0) throw new Missed(`${gone} of ${before.length} finished steps are gone`);
  return after;
}

/**
 * Goes on with a run, which must become whole: no line is lost, each step stands there once, and the run verifies. Throws
 * a {@link Missed}.
 */
export async function becomesWhole(
  stage: Stage,
  path: string,
  before: readonly string[],
  steps: number,
  verified: readonly [code: number, says: RegExp] = [0, /all published figures follow/],
): Promise<void> {
  await stage.expect(["run", "--resume", path], [0, 3], /results in/);
  const after = keptLines(stage, path, before);
  if (after.length !== steps) throw new Missed(`${counted(after.length, "step")} in the end, not ${steps}`);
  await stage.expect(["verify", path], ...verified);
}
