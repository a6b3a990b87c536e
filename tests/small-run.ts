/** A small run over all runtimes, and all that is looked at in what it publishes. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AA, cardFile } from "../bench/record/cell.ts";
import { cellCard } from "../bench/record/card.ts";
import type { Observation } from "../bench/record/observation-record.ts";
import { runRecord } from "../bench/record/run-record.ts";
import { summarySchema } from "../bench/record/summary.ts";
import { bench, onSite, type PlannedCell, runsIn, shortRun } from "./run-bench.ts";
import { assertPlain, assertWaitsReported, atOf, printed, SMALL, trialsIn } from "./whole-run.ts";

/** A cell or an observation with what was found wrong with it. */
interface Judged {
  readonly status: string;
  readonly marks?: readonly { readonly code: string; readonly text: string }[] | null;
}

/** The run: which of its cells are measured, how many that are, and what is asked of them. */
interface SmallRun {
  readonly keep?: (cell: PlannedCell) => boolean;
  readonly count: number;
  /** Asserts that nothing is wrong that the machine does not excuse, and gives those that hold. */
  readonly sound: <T extends Judged>(judged: readonly T[]) => T[];
  readonly exitOf: (cells: readonly Judged[]) => number;
  readonly check?: (trial: Observation) => void;
  /** Looks at the folder of the run once it is verified. */
  readonly look?: (folder: string) => void;
}

/** Measures two stores on all runtimes; cells, files and figures hold together, and what is cut off or newer is found. */
export const smallRun = ({ keep, count, sound, exitOf, check, look }: SmallRun): Promise<void> =>
  onSite(async (site) => {
    const args = ["--runtime", "node,deno,bun", "--store", "map,sqlite", "--duration", "1s"];
    const ended = await shortRun(site, [...SMALL, ...args], keep);
    assertPlain(ended);
    assert.equal(ended.stdout.trimEnd().split("\n").length, 1, "stdout is one line of JSON");
    const { run, cells, summary } = printed.parse(JSON.parse(ended.stdout));
    assert.equal(run.state, "finished");
    assert.deepEqual(run.runtimes.map(({ name }) => name), ["node", "deno", "bun"]);
    assert.equal(cells.length, count);
    for (const cell of sound(cells)) {
      assert.ok(cell.requests_per_second! > 100 && cell.p50_us! <= cell.p90_us! && cell.p90_us! <= cell.p99_us!);
    }

    const [name, ...others] = runsIn(site);
    assert.deepEqual([name, others], [run.run, []]);
    const folder = join(site.results, name!);
    runRecord.parse(JSON.parse(readFileSync(join(folder, "run.json"), "utf8")));
    const files = readdirSync(join(folder, "cells", "users")).map((file) => `cells/users/${file}`).sort();
    assert.deepEqual(files, cells.map(({ cell }) => cardFile(run.plan.axes, cell)).sort());
    for (const file of files) cellCard.parse(JSON.parse(readFileSync(join(folder, file), "utf8")));
    summarySchema.parse(JSON.parse(readFileSync(join(folder, "summary.json"), "utf8")));

    const trials = trialsIn(site);
    assert.equal(ended.code, exitOf(cells), ended.stderr);
    assert.equal(trials.length, count);
    const measured = new Set(trials.map((trial) => `${atOf(trial)["runtime"]}/${atOf(trial)["store"]}`));
    assert.equal(measured.size, trials.filter(({ members }) => members[0]!.cell.label !== AA).length);
    assert.equal(new Set(trials.map((trial) => atOf(trial)["runtime"])).size, 3);
    assert.equal(new Set(trials.map((trial) => trial.draw_seed)).size, 1);
    for (const trial of sound(trials)) {
      const what = `${atOf(trial)["runtime"]}/${atOf(trial)["store"]}`;
      const { load, latency, counters } = trial;
      const { oracle, server } = trial.members[0]!;
      check?.(trial);
      assert.equal(latency!.histogram.reduce((sum, [, count]) => sum + count, 0), load!.requests, what);
      const rate = load!.requests / (load!.duration_us / 1e6);
      assert.ok(Math.abs(load!.requests_per_second / rate - 1) < 1e-9, what);
      const { p50_us, p90_us, p99_us, p999_us, max_us } = latency!;
      const times = [p50_us, p90_us, p99_us, p999_us, max_us];
      assert.deepEqual(times.toSorted((a, b) => a! - b!), times, what);
      assert.ok(oracle!.before > 20 && oracle!.after > 20, what);
      assert.ok(counters!.server_cpu_ns! > 0 && counters!.connections_opened! >= load!.connections, what);
      assert.equal("sqlite_version" in server!.facts, atOf(trial)["store"] !== "map", what);
    }

    assertWaitsReported(trials, summary);

    const verified = await bench(site, ["verify", folder]);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    look?.(folder);
    const journal = readFileSync(join(folder, "journal.ndjson"), "utf8");
    writeFileSync(join(folder, "journal.ndjson"), journal.slice(0, -30));
    const cut = await bench(site, ["verify", folder]);
    assert.equal(cut.code, 3);
    assert.match(cut.stdout, /half a line/);
    const stored = readFileSync(join(folder, "run.json"), "utf8");
    writeFileSync(join(folder, "run.json"), stored.replace(/levelfield\.run\/\d+/, "levelfield.run/9"));
    const newer = await bench(site, ["show", folder]);
    assert.equal(newer.code, 1);
    assert.match(newer.stderr, /version "levelfield\.run\/9"/);
  });
