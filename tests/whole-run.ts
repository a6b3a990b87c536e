/** What tests of whole runs look for: processes by their words, the journal so far, a sound trial, a run given up. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { cellKey, MAIN } from "../bench/record/cell.ts";
import { cellCard } from "../bench/record/card.ts";
import { type Observation, observationRecord } from "../bench/record/observation-record.ts";
import { runRecord } from "../bench/record/run-record.ts";
import { type Summary, summarySchema } from "../bench/record/summary.ts";
import { THRESHOLDS } from "../bench/judge/thresholds.ts";
import { benchHere } from "./command-line.ts";
import { undisturbed } from "./contended.ts";
import {
  descendant,
  descendantsOf,
  type DRIVERS,
  type Ended,
  isRunning,
  onSite,
  type Running,
  runsIn,
  type Site,
  startBench,
  until,
  withCells,
} from "./run-bench.ts";

export const SERVER = "servers/main.ts --module";
export const LOAD = "wrk.lua";
export const BUILDER = "stores/prepared/main.ts";

/** What `--json` prints, as far as it is looked at here. */
export const printed = z.strictObject({ run: runRecord, summary: summarySchema, cells: z.array(cellCard) });

/** The journal of the one run there is, so far: none of its lines before there is one. */
export function linesIn(site: Site): Observation[] {
  const [run] = runsIn(site);
  const journal = join(site.results, run ?? "", "journal.ndjson");
  if (run === undefined || !existsSync(journal)) return [];
  const lines = readFileSync(journal, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => observationRecord.parse(JSON.parse(line)));
}

export const trialsIn = (site: Site) => linesIn(site).filter(({ kind }) => kind === "solo");

export const atOf = (trial: Observation) => trial.members[0]!.cell.point.at;

/**
 * A trial without a fault. Its connections never wait longer than its time holds. They may wait less: for a generator that
 * is nearly full, or that others keep from its CPU. How long is the machine's business; that it is flagged is ours.
 */
export function assertSound(trial: Observation): void {
  if (undisturbed([trial]).length === 0) return;
  const { marks, counters, latency } = trial;
  const at = atOf(trial);
  const what = `${at["runtime"]}/${at["store"]}: ${JSON.stringify([marks, latency?.littles_law_gap, counters])}`;
  const gap = latency!.littles_law_gap!;
  assert.ok(gap <= THRESHOLDS.littlesLawGap && gap > -1, what);
}

/** The summary says of cells of one sound trial that connections waited for the generator just where they did. */
export function assertWaitsReported(trials: readonly Observation[], { cells }: Summary): void {
  for (const { status, load, latency, members } of trials) {
    if (status !== "ok") continue;
    const { name, marks } = cells.find(({ cell }) => cellKey(cell) === cellKey(members[0]!.cell))!;
    const enough = load!.requests >= THRESHOLDS.littlesLawMinRequestsPerConnection * load!.connections;
    const waited = enough && latency!.littles_law_gap! < -THRESHOLDS.littlesLawGap;
    const told = marks.some(({ code }) => code === "generator-wait");
    assert.equal(told, waited, `${name}: ${latency!.littles_law_gap} ${JSON.stringify(marks)}`);
  }
}

export const SMALL = ["--size", "1k", "--rounds", "1", "--warmup", "1s", "--alone", "--seed", "7"];

/** Waits until a server is under load and gives its process. */
const underLoad = (running: Running) =>
  until("a server under load", () => {
    const load = descendant(running.pid, LOAD);
    return load && descendant(running.pid, SERVER);
  }, running);

/** A driver killed under load, and one killed while it builds files, take all they had started with them. */
export const killedLeavesNothing = (driver: (typeof DRIVERS)[number]): Promise<void> =>
  onSite(async (site) => {
    const gone = async (running: Running) => {
      const children = descendantsOf(running.pid);
      assert.ok(children.length > 0);
      running.child.kill("SIGKILL");
      await running.ended;
      await until("all it had started to end", () => children.every(({ pid }) => !isRunning(pid)));
    };
    const args = ["run", "--runtime", "deno", "--rounds", "1", "--duration", "30s", "--alone"];
    const env = { LEVELFIELD_DRIVER: driver };
    const measuring = startBench(site, [...args, "--store", "map", "--size", "1k"], env);
    await underLoad(measuring);
    await gone(measuring);

    assert.ok(existsSync(join(site.folder, "levelfield.lock")), "the lock of a killed run stays, and is taken over");
    const data = join(site.folder, "data");
    const building = startBench(site, [...args, "--store", "sqlite", "--size", "1m", "--data", data], env);
    await until("the builder", () => descendant(building.pid, BUILDER), building);
    await gone(building);
  });

export function assertPlain(ended: Ended): void {
  for (const text of [ended.stdout, ended.stderr]) assert.ok(!text.includes("\u001b"), JSON.stringify(text));
  assert.ok(!ended.stderr.includes("\r"));
}

/** The run is marked as interrupted and the machine was given back. */
export function assertGivenUp(site: Site, name: string): void {
  const stored = runRecord.parse(JSON.parse(readFileSync(join(site.results, name, "run.json"), "utf8")));
  assert.equal(stored.state, "interrupted");
  assert.ok(!existsSync(join(site.folder, "levelfield.lock")), "the machine was given back");
}

/** A load of functions that are called, in milliseconds: no process has to be started for it, so a moment is enough. */
const MOMENT_MS = 300;

/**
 * The file of the plan of `bench run` with these words, each cell alone and without its twin, as short as can be.
 *
 * @param windowMs a second at least where a load generator is started, because wrk counts whole ones
 */
export async function momentaryPlan(site: Site, words: readonly string[], windowMs = MOMENT_MS): Promise<string> {
  const amounts = ["--duration", "1s", "--warmup", "1s", "--alone"];
  const planned = await benchHere(site, ["run", ...words, ...amounts, "--dry-run", "--json"]);
  assert.equal(planned.code, 0, planned.stderr);
  const printed = JSON.parse(planned.stdout);
  Object.assign(printed.plan, { duration_ms: windowMs, ceilings: [] });
  printed.plan.warmup.ms = MOMENT_MS;
  return withCells(site, printed, ({ label }) => label === MAIN);
}
