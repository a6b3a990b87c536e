/** Runs bin/bench as a person would, away from the project's own data and results, and looks at what it leaves behind. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { present } from "../bench/basics/present.ts";
import { findProgram } from "../bench/machine/programs.ts";
import { SETTLE_MS } from "../bench/plan/lengths.ts";
import { rememberPlan } from "../bench/sources/known-plans.ts";
import { readPlanFile } from "../bench/options/stored-plan.ts";
import { patiently, printedBy } from "./patience.ts";
import { until as untilFound } from "./testing.ts";
import { LAUNCHER_TOOLS, pathWith as pathIn } from "../lab/path-with.ts";
import type { Ended, Running as AnyRunning } from "../lab/running.ts";
import { gateFolder, mayAskAgain, NotJudged, othersHadMachine } from "./contended.ts";

const BENCH = fileURLToPath(new URL("../bin/bench", import.meta.url));
const ATTEMPTS = 3;
const PAUSE_MS = 4_000;

/** Runtimes the driver runs on. */
export const DRIVERS = ["deno", "node", "bun"] as const;

/** A test with its name. */
type Tester = (name: string, run: () => void | Promise<void>) => void;

/** A test that is skipped while it runs where others had the machine; which only Node counts, on which the gate runs it. */
const judged: Tester = (name, run) =>
  void test(name, async (context) => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof NotJudged)) throw error;
      context.skip(error.message);
    }
  });

/**
 * A test where wrk is and processes can be looked at, a visible skip elsewhere. What it measures, if anything, may be
 * marked as disturbed: only those of `tests/alone` and `tests/long` have the machine to themselves.
 */
export const toolTest: Tester = findProgram("wrk") !== undefined && existsSync("/proc/self/stat") ? judged : test.skip;

export type { Ended };

/** A folder of one test, gone afterwards. Data sets are shared by all tests. */
export interface Site {
  readonly folder: string;
  readonly results: string;
  readonly data: string;
}

/**
 * Runs a test in a folder of its own; again, and said so, where it failed on a machine that others had. Where they have it
 * for good it throws `NotJudged`: a run that others disturbed is marked as it should be, and no more can be asked of it.
 */
export async function onSite(run: (site: Site) => Promise<void>): Promise<void> {
  for (let attempt = 1;; attempt++) {
    const site = makeSite();
    try {
      return await run(site);
    } catch (error) {
      if (!othersHadMachine(site, error as Error)) throw error;
      if (attempt === ATTEMPTS || !mayAskAgain()) {
        throw new NotJudged(`others had the machine all the time: ${(error as Error).message}`, { cause: error });
      }
      process.stderr.write(`others had the machine (attempt ${attempt} of ${ATTEMPTS}): once more\n`);
      await sleep(PAUSE_MS * attempt);
    } finally {
      rmSync(site.folder, { recursive: true, force: true });
    }
  }
}

function makeSite(): Site {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-test-"));
  return { folder, results: join(folder, "results"), data: join(gateFolder(), "data") };
}

/** A test in a folder of its own, where wrk is. */
export const siteTest = (name: string, run: (site: Site) => Promise<void>) => toolTest(name, () => onSite(run));

/** Makes a folder for what several tests look at, gone with this process. */
export function keptSite(): Site {
  const site = makeSite();
  process.once("exit", () => rmSync(site.folder, { recursive: true, force: true }));
  return site;
}

/** A bench at work, with its process. */
export interface Running extends AnyRunning {
  readonly child: ChildProcess;
}

/** The environment of a bench that writes into a site alone, with more in it. */
export const environmentOf = (site: Site, env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  present({
    ...process.env,
    // However wide the terminal of whoever runs the tests is.
    COLUMNS: undefined,
    TMPDIR: site.folder,
    LEVELFIELD_RESULTS: site.results,
    LEVELFIELD_DATA: site.data,
    ...env,
  });

/** Starts bin/bench in a process group of its own. */
export function startBench(
  site: Site,
  args: readonly string[],
  env: Record<string, string | undefined> = {},
  launcher = BENCH,
): Running {
  const child = spawn(launcher, args, {
    cwd: site.folder,
    env: environmentOf(site, env),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let stdout = "", stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text);
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
  const wait = {
    what: `"bench ${args.join(" ")}" to end`,
    there: () => printedBy(stdout, stderr),
    // What it has started ends with it.
    giveUp: () => void child.kill("SIGKILL"),
  };
  return {
    pid: child.pid!,
    get ended() {
      return patiently(ended, wait);
    },
    child,
    stdout: () => stdout,
    stderr: () => stderr,
  };
}

/** Runs a command line to its end, in a process of its own or in this one. */
export type Bench = (site: Site, args: readonly string[], env?: Record<string, string | undefined>) => Promise<Ended>;

/** Runs bin/bench to its end. */
export function bench(
  site: Site,
  args: readonly string[],
  env: Record<string, string | undefined> = {},
  launcher = BENCH,
): Promise<Ended> {
  return startBench(site, args, env, launcher).ended;
}

/** A cell as a printed plan names it. */
export interface PlannedCell {
  readonly label: string;
  readonly point: { readonly at: Readonly<Record<string, string | number>> };
}

/** A plan as `--dry-run --json` prints it, as far as tests change it. */
interface PrintedPlan {
  readonly plan: {
    readonly warmup: { ms: number };
    readonly cells: readonly PlannedCell[];
    readonly solo: readonly { readonly cell: number; readonly rounds: number }[];
    readonly ceilings: readonly { readonly cell: number; readonly stands_for: readonly number[] }[];
  };
}

/** Keeps some cells of a printed plan that measures each alone, and no other. Gives the file it is in then. */
export function withCells(site: Site, printed: PrintedPlan, keeps: (cell: PlannedCell) => boolean): string {
  const { plan } = printed;
  const cells = plan.cells.filter(keeps);
  const placeOf = (place: number) => cells.indexOf(plan.cells[place]!);
  const moved = <T extends { readonly cell: number }>(all: readonly T[]) =>
    all.map((one) => ({ ...one, cell: placeOf(one.cell) })).filter(({ cell }) => cell >= 0);
  const solo = moved(plan.solo);
  const ceilings = moved(plan.ceilings).map((one) => ({
    ...one,
    stands_for: one.stands_for.map(placeOf).filter((place) => place >= 0),
  }));
  Object.assign(plan, { cells, solo, ceilings });
  const file = join(site.folder, "plan.json");
  writeFileSync(file, JSON.stringify(printed));
  // What a test changes of a plan, it changes as the one who made it.
  rememberPlan(readPlanFile(file), site.folder);
  return file;
}

/**
 * Makes a printed plan as short as plans can be: rates of one round, no ceiling, and loads that settle for a moment. What
 * servers do while they warm up is measured, which is enough where only the way is tested. Gives the file it is in then.
 */
export function shortened(
  site: Site,
  printed: PrintedPlan,
  keeps: (cell: PlannedCell) => boolean = () => true,
): string {
  Object.assign(printed.plan, { alone_rounds: 1, ceilings: [], ensemble_ms: 500 });
  printed.plan.warmup.ms = SETTLE_MS;
  return withCells(site, printed, keeps);
}

/** The file of the shortened plan of `bench run` with these arguments. */
async function shortPlan(site: Site, args: readonly string[], keeps?: (cell: PlannedCell) => boolean): Promise<string> {
  const planned = await bench(site, ["run", ...args, "--dry-run", "--json"]);
  assert.equal(planned.code, 0, planned.stderr);
  return shortened(site, JSON.parse(planned.stdout), keeps);
}

/** Runs that plan to its end. */
export async function shortRun(
  site: Site,
  args: readonly string[],
  keeps?: (cell: PlannedCell) => boolean,
): Promise<Ended> {
  return await bench(site, ["run", "--plan", await shortPlan(site, args, keeps), "--json"]);
}

/** Waits until something is there; fails with what it waited for and what the bench said, also where that has ended without. */
export async function until<T>(what: string, find: () => T | undefined | false, running?: Running): Promise<T> {
  return await untilFound(() => {
    const over = running !== undefined && !isRunning(running.pid);
    const found = find();
    if (over && (found === undefined || found === false)) throw new Error(`no ${what}\n${running.stderr()}`);
    return found;
  }, { what, ...(running === undefined ? {} : { there: () => printedBy(running.stdout(), running.stderr()) }) });
}

/** A process as /proc shows it. */
export interface Process {
  readonly pid: number;
  readonly command: string;
}

/** All processes below one, ended ones that nobody has waited for left out. */
export function descendantsOf(ancestor: number): Process[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const found: Process[] = [];
  for (const pid of parents.keys()) {
    let above = parents.get(pid);
    while (above !== undefined && above !== ancestor) above = parents.get(above);
    if (above === ancestor) found.push({ pid, command: commandOf(pid) });
  }
  return found;
}

/** The one process below another whose command line has this text. */
export function descendant(ancestor: number, text: string): Process | undefined {
  return descendantsOf(ancestor).find(({ command }) => command.includes(text));
}

/** Whether a process still runs; one that ended and was not waited for does not. */
export function isRunning(pid: number): boolean {
  return parentOf(pid) !== undefined;
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" || state === "X" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** A folder to use as PATH on which only these programs and those bin/bench needs are. */
export const pathWith = (site: Site, ...programs: string[]): string =>
  pathIn(site.folder, [...LAUNCHER_TOOLS, ...programs]);

/** What is in the folder of runs. */
export function runsIn(site: Site): string[] {
  return existsSync(site.results) ? readdirSync(site.results) : [];
}
