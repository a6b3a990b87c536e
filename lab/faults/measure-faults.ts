import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failure } from "../../bench/basics/errors.ts";
import { counted } from "../../bench/basics/units.ts";
import type { Measurement } from "../self/measurements.ts";
import type { SelfSite } from "../self/self-site.ts";
import { findProgram } from "../../bench/machine/programs.ts";
import { CATALOGUE } from "./catalogue.ts";
import { tryCells } from "./cell-trials.ts";
import { type BenchFault, type CellFault, type Fault, GROUPS, Missed } from "./fault.ts";
import { writeFaultyWrk } from "./generator-faults.ts";
import { commandOf, planOf, SOUND, SOUND_TOO } from "./small-runs.ts";
import { Stage, type StageSettings } from "./stage.ts";
import { measured } from "../measured.ts";

interface FaultChoice {
  /** Names and groups; all where there are none. */
  readonly names: readonly string[];
  readonly quick: boolean;
}

interface Tally {
  tried: number;
  readonly missed: Map<string, string>;
  readonly skipped: Map<string, string>;
  readonly orphans: string[];
  lost: number;
}

/** Faults there must be in a whole catalogue. */
const LEAST = 100;

/** The faults a choice names. */
export function chosenFaults({ names, quick }: FaultChoice): Fault[] {
  return CATALOGUE.filter(({ name, group, quick: isQuick = false }) =>
    (!quick || isQuick) && (names.length === 0 || names.includes(name) || names.includes(group))
  );
}

/** Injects faults for real, each in its folder. Counts faults found, finished steps lost and processes left. */
export async function measureFaults(site: Pick<SelfSite, "interrupts" | "dataDirectory" | "say">, choice: FaultChoice) {
  if (!existsSync("/proc/self/environ")) {
    throw failure("what is left running cannot be seen here: there is no /proc", "try it on Linux");
  }
  const wrk = findProgram("wrk");
  if (wrk === undefined) throw failure("wrk is not installed", "apt-get install -y wrk");
  const faults = chosenFaults(choice);
  const tally: Tally = { tried: 0, missed: new Map(), skipped: new Map(), orphans: [], lost: 0 };
  const folder = mkdtempSync(join(tmpdir(), "levelfield-faults-"));
  const settings: StageSettings = {
    dataDirectory: site.dataDirectory,
    programs: folder,
    finished: join(folder, "finished"),
    onStart: site.interrupts.onStart,
  };
  try {
    writeFaultyWrk(folder, wrk);
    const cells = faults.filter((fault) => fault.kind === "cell");
    const patient = cells.filter(({ waits = false }) => waits);
    // Faults that only wait run at the same time as others.
    const waiting = patient.length === 0 ? undefined : tryTogether(site, settings, patient, tally);
    await tryAll(site, settings, cells.filter((fault) => !patient.includes(fault)), faults, choice, tally);
    await waiting;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return measurementsOf(tally, choice);
}

type Site = Parameters<typeof measureFaults>[0];

async function tryAll(
  site: Site,
  settings: StageSettings,
  cells: readonly CellFault[],
  faults: readonly Fault[],
  { quick }: FaultChoice,
  tally: Tally,
): Promise<void> {
  const rest = faults.filter((fault) => fault.kind === "bench");
  if (cells.length > 0) await tryTogether(site, settings, cells, tally, quick);
  if (rest.length > 0 && !existsSync(settings.finished) && !site.interrupts.stopped()) {
    await makeFinished(site, settings);
  }
  for (const [n, fault] of rest.entries()) {
    if (site.interrupts.stopped()) return;
    site.say(`faults: ${fault.group}, ${fault.name} (${n + 1}/${rest.length})`);
    const why = fault.impossible?.() ?? null;
    if (why === null) await tryOne(site, settings, fault, tally);
    else tally.skipped.set(fault.name, why);
  }
}

/** A finished run of four steps, which faults of files damage copies of. */
async function makeFinished(site: Site, settings: StageSettings): Promise<void> {
  site.say("faults: a sound run");
  const stage = new Stage(settings);
  try {
    const { code, stderr } = await stage.bench(commandOf(stage, await planOf([SOUND, SOUND_TOO], 2)));
    if (site.interrupts.stopped()) return;
    // Others on this machine may void what is measured; files of a run that says so are files all the same.
    if (code !== 0 && code !== 3) {
      throw failure(`a sound run ends with exit ${code}: ${stderr.trim().split("\n").at(-1)}`, "bench doctor");
    }
    cpSync(join(stage.results, readdirSync(stage.results)[0]!), settings.finished, { recursive: true });
  } finally {
    await stage.orphans();
    stage.close();
  }
}

/** Tries servers and generators as cells of one run; keeps that run for faults of files where it is to serve for them. */
async function tryTogether(
  site: Site,
  settings: StageSettings,
  faults: readonly CellFault[],
  tally: Tally,
  keep = false,
): Promise<void> {
  const stage = new Stage(settings);
  site.say(`faults: ${counted(faults.length, "server or generator", "servers and generators")}`);
  tally.tried += faults.length;
  try {
    const { missed, run } = await tryCells(stage, faults);
    for (const [name, why] of missed) tally.missed.set(name, why);
    if (keep) cpSync(run, settings.finished, { recursive: true });
  } catch (error) {
    if (!(error instanceof Missed)) throw error;
    for (const { name } of faults) tally.missed.set(name, error.message);
  } finally {
    await sweep(stage, tally, "servers and generators");
  }
}

async function tryOne(site: Site, settings: StageSettings, fault: BenchFault, tally: Tally): Promise<void> {
  const stage = new Stage(settings);
  tally.tried++;
  try {
    await fault.inject(stage);
    const left = fault.leavesFiles === true ? [] : stage.leftFiles();
    if (left.length > 0) throw new Missed(`it left ${left.join(", ")} in the folder for temporary files`);
  } catch (error) {
    // An interrupt ends every bench, which is no fault.
    if (site.interrupts.stopped()) tally.tried--;
    else if (error instanceof Missed) tally.missed.set(fault.name, error.message);
    else tally.missed.set(fault.name, `${(error as Error).message.split("\n")[0]}`);
  } finally {
    await sweep(stage, tally, fault.name);
  }
}

async function sweep(stage: Stage, tally: Tally, name: string): Promise<void> {
  for (const { command } of await stage.orphans()) tally.orphans.push(`${name}: ${command.slice(0, 60)}`);
  tally.lost += stage.lost;
  stage.close();
}

const of = measured("faults");
const plain = (text: string) => text.replaceAll(/[^\x20-\x7e\u00a0-\uffff]/g, "?");

function measurementsOf(tally: Tally, { names, quick }: FaultChoice): Measurement[] {
  const { tried, missed, skipped, orphans, lost } = tally;
  const whole = names.length === 0 && !quick;
  const why = [...Map.groupBy(skipped.keys(), (name) => skipped.get(name)!)]
    .map(([reason, same]) => `${same.length}: ${reason}`);
  const left = orphans.slice(0, 5).join("; ");
  return [
    ...[...missed].map(([name, reason]) => of(`missed: ${name}`, null, null, plain(reason))),
    whole
      ? of("faults tried", tried, { least: LEAST }, `of ${CATALOGUE.length} in ${GROUPS.length} groups`)
      : of("faults tried", tried, null, "a part of the catalogue"),
    of("faults found", tried - missed.size, { least: tried }, ""),
    of("lost trials", lost, { most: 0 }, "finished steps that were gone, sound ones that were not measured"),
    of("orphans", orphans.length, { most: 0 }, plain(left)),
    of("faults skipped", skipped.size, null, why.join("; ")),
  ];
}
