/** Whole runs: what they publish, and what they leave behind when something is killed. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { cellCard } from "../bench/core/result/cell-card.ts";
import { runRecord } from "../bench/core/result/run-record.ts";
import { type TrialRecord, trialRecord } from "../bench/core/result/trial-record.ts";
import {
  bench,
  benchTest,
  descendant,
  descendantsOf,
  DRIVERS,
  type Ended,
  isRunning,
  onSite,
  type Running,
  runsIn,
  type Site,
  startBench,
  until,
} from "./run-bench.ts";

const SERVER = "servers/main.ts";
const LOAD = "wrk.lua";
const BUILDER = "stores/prepared/main.ts";

/** What `--json` prints, as far as it is looked at here. */
const printed = z.looseObject({ run: runRecord, cells: z.array(cellCard) });

function trialsIn(site: Site): TrialRecord[] {
  const [run] = runsIn(site);
  const lines = readFileSync(join(site.results, run!, "trials.ndjson"), "utf8").split("\n").filter(Boolean);
  return lines.map((line) => trialRecord.parse(JSON.parse(line)));
}

/**
 * Other programs on the CPUs of a run may break Little's law: such a trial is marked, as it should be. On a machine left
 * alone no trial may be marked.
 */
function assertSound(trial: TrialRecord): void {
  const what = `${trial.cell.runtime}/${trial.cell.store}: ${JSON.stringify([trial.reasons, trial.counters])}`;
  const codes = trial.reasons.map(({ code }) => code);
  const gap = Math.abs(trial.latency!.littles_law_gap);
  const enough = trial.load!.requests >= 100 * trial.load!.connections;
  assert.deepEqual(codes, enough && gap > 0.02 ? ["littles-law-broken"] : [], what);
  if (codes.length > 0) assert.ok(trial.counters!.foreign_share! > 0.02 || trial.counters!.steal_share! > 0.005, what);
}

/** The exit code of a run with these trials. */
const exitOf = (trials: readonly TrialRecord[]) => trials.every(({ status }) => status === "ok") ? 0 : 3;

const SMALL = ["--size", "1k", "--rounds", "1", "--warmup", "1s"];

/** Waits until a server is under load and gives its process. */
const underLoad = (running: Running) =>
  until("a server under load", () => {
    const load = descendant(running.pid, LOAD);
    return load && descendant(running.pid, SERVER);
  }, running);

function assertPlain(ended: Ended): void {
  for (const text of [ended.stdout, ended.stderr]) assert.ok(!text.includes("\u001b"), JSON.stringify(text));
  assert.ok(!ended.stderr.includes("\r"));
}

benchTest("a small run over all runtimes publishes sound cells, files and figures", async () => {
  await onSite(async (site) => {
    const args = ["--runtime", "node,deno,bun", "--store", "map,sqlite", "--duration", "1s", "--seed", "7", "--json"];
    const ended = await bench(site, ["run", ...SMALL, ...args]);
    assertPlain(ended);
    assert.equal(ended.stdout.trimEnd().split("\n").length, 1, "stdout is one line of JSON");
    const { run, cells } = printed.parse(JSON.parse(ended.stdout));
    assert.equal(run.state, "finished");
    assert.deepEqual(run.runtimes.map(({ name }) => name), ["node", "deno", "bun"]);
    assert.equal(cells.length, 6);
    for (const cell of cells.filter(({ status }) => status === "ok")) {
      assert.ok(cell.requests_per_second! > 100 && cell.p50_us! <= cell.p90_us! && cell.p90_us! <= cell.p99_us!);
    }

    const [name, ...others] = runsIn(site);
    assert.deepEqual([name, others], [run.run, []]);
    const folder = join(site.results, name!);
    runRecord.parse(JSON.parse(readFileSync(join(folder, "run.json"), "utf8")));
    const files = readdirSync(join(folder, "cells")).sort();
    assert.deepEqual(files, cells.map(({ cell }) => `${cell.runtime}-${cell.store}-1k.json`).sort());
    for (const file of files) cellCard.parse(JSON.parse(readFileSync(join(folder, "cells", file), "utf8")));

    const trials = trialsIn(site);
    assert.equal(ended.code, exitOf(trials), ended.stderr);
    assert.equal(new Set(trials.map(({ cell }) => `${cell.runtime}/${cell.store}`)).size, 6);
    assert.equal(new Set(trials.map((trial) => trial.draw_seed)).size, 1);
    for (const trial of trials) {
      const what = `${trial.cell.runtime}/${trial.cell.store}`;
      const { load, latency, counters, oracle, server } = trial;
      assertSound(trial);
      assert.equal(latency!.histogram.reduce((sum, [, count]) => sum + count, 0), load!.requests, what);
      const rate = load!.requests / (load!.duration_us / 1e6);
      assert.ok(Math.abs(load!.requests_per_second / rate - 1) < 1e-9, what);
      const { p50_us, p90_us, p99_us, p999_us, max_us } = latency!;
      assert.deepEqual([p50_us, p90_us, p99_us, p999_us, max_us].toSorted((a, b) => a - b), [
        p50_us,
        p90_us,
        p99_us,
        p999_us,
        max_us,
      ], what);
      assert.ok(oracle!.before > 20 && oracle!.after > 20, what);
      assert.ok(counters!.server_cpu_ns! > 0 && counters!.connections_opened! >= load!.connections, what);
      assert.equal(server!.sqlite_version === null, trial.cell.store === "map", what);
    }
  });
});

benchTest("requests for nobody are answered as such and make no fault", async () => {
  await onSite(async (site) => {
    const args = ["--runtime", "node", "--store", "map", "--duration", "1s", "--miss-share", "0.3", "--json"];
    const ended = await bench(site, ["run", ...SMALL, ...args]);
    const trials = trialsIn(site) as [TrialRecord];
    assert.equal(ended.code, exitOf(trials), ended.stderr + ended.stdout);
    assertSound(trials[0]);
    const { load } = trials[0];
    const share = load!.errors.expected_status / load!.requests;
    assert.ok(share > 0.27 && share < 0.33, `${share}`);
    assert.equal(load!.errors.status, load!.errors.expected_status);
  });
});

for (const [how, group] of [["alone", false], ["with its whole process group, as Ctrl-C does it", true]] as const) {
  benchTest(`a driver interrupted ${how} keeps finished trials, leaves no process and exits with 130`, async () => {
    await onSite(async (site) => {
      const args = ["--runtime", "node,bun", "--store", "map", "--duration", "2s", "--json"];
      const running = startBench(site, ["run", ...SMALL, ...args]);
      await until("the first trial's line", () => running.stderr().includes("[1/2]"), running);
      await underLoad(running);
      const children = descendantsOf(running.pid);
      process.kill(group ? -running.pid : running.pid, "SIGINT");
      const ended = await running.ended;
      assert.equal(ended.code, 130, ended.stderr);
      for (const { pid, command } of children) assert.ok(!isRunning(pid), command);
      const { run } = printed.parse(JSON.parse(ended.stdout));
      assert.equal(run.state, "interrupted");
      const trials = trialsIn(site);
      assert.equal(trials.length, 1);
      assertSound(trials[0]!);
      const stored = runRecord.parse(JSON.parse(readFileSync(join(site.results, run.run, "run.json"), "utf8")));
      assert.equal(stored.state, "interrupted");
      assert.ok(!existsSync(join(site.folder, "levelfield.lock")), "the machine was given back");
    });
  });
}

for (const driver of DRIVERS) {
  benchTest(`a driver on ${driver} that is killed leaves no server, no load generator and no builder`, async () => {
    await onSite(async (site) => {
      const gone = async (running: Running) => {
        const children = descendantsOf(running.pid);
        assert.ok(children.length > 0);
        running.child.kill("SIGKILL");
        await running.ended;
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        const left = children.filter(({ pid }) => isRunning(pid));
        for (const { pid } of left) process.kill(pid, "SIGKILL");
        assert.deepEqual(left, []);
      };
      const args = ["run", "--runtime", "deno", "--rounds", "1", "--duration", "30s"];
      const env = { LEVELFIELD_DRIVER: driver };
      const measuring = startBench(site, [...args, "--store", "map", "--size", "1k"], env);
      await underLoad(measuring);
      await gone(measuring);

      const data = join(site.folder, "data");
      const building = startBench(site, [...args, "--store", "sqlite", "--size", "1m", "--data", data], env);
      await until("the builder", () => descendant(building.pid, BUILDER), building);
      await gone(building);
      rmSync(data, { recursive: true, force: true });

      const after = await bench(
        site,
        ["run", ...SMALL, "--runtime", "deno", "--store", "map", "--duration", "1s"],
        env,
      );
      assert.ok(after.code === 0 || after.code === 3, `the lock of a killed run is taken over: ${after.stderr}`);
    });
  });
}

for (
  const [signal, code, words] of [
    ["SIGKILL", "server-crashed", /SIGKILL/],
    ["SIGSTOP", "server-hung", /no reply within/],
  ] as const
) {
  benchTest(
    `a server that gets ${signal} under load makes its cell ${code}, the run goes on and exits with 3`,
    async () => {
      await onSite(async (site) => {
        const args = ["--runtime", "node,deno", "--store", "map", "--duration", "1s", "--json"];
        const running = startBench(site, ["run", ...SMALL, ...args]);
        const server = await underLoad(running);
        process.kill(server.pid, signal);
        const ended = await running.ended;
        assert.equal(ended.code, 3, ended.stderr);
        const { run, cells } = printed.parse(JSON.parse(ended.stdout));
        assert.equal(run.state, "finished");
        assert.equal(cells.filter(({ status }) => status === "failed").length, 1);
        const [hit, other] = trialsIn(site) as [TrialRecord, TrialRecord];
        assert.deepEqual([hit.status, hit.reasons[0]?.code], ["failed", code]);
        assertSound(other);
        assert.match(hit.reasons[0]!.message, words);
        assert.equal(cells.find(({ status }) => status === "failed")!.requests_per_second, null);
        assert.match(ended.stderr, new RegExp(`failed: .*${words.source}`));
        assert.ok(!isRunning(server.pid));
      });
    },
  );
}

benchTest("a second run at the same time is refused with the first one's process id", async () => {
  await onSite(async (site) => {
    const args = ["run", "--runtime", "node", "--store", "map", "--size", "1k", "--rounds", "1", "--duration", "30s"];
    const first = startBench(site, args);
    await underLoad(first);
    const second = await bench(site, args);
    assert.equal(second.code, 1, second.stderr);
    assert.match(second.stderr, new RegExp(`^error: another run is measuring .* process ${first.pid}$`, "m"));
    assert.match(second.stderr, /^ {2}try: /m);
    assert.equal(runsIn(site).length, 1);
    assert.ok(isRunning(first.pid));
    process.kill(first.pid, "SIGINT");
    assert.equal((await first.ended).code, 130);
  });
});
