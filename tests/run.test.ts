/**
 * Whole runs: what they publish, and what they leave behind when something is killed. Longer than others, because each
 * case needs the same site and helpers around a real run.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { cellCard } from "../bench/core/result/cell-card.ts";
import { runRecord } from "../bench/core/result/run-record.ts";
import { summarySchema } from "../bench/core/result/summary.ts";
import { cardFile } from "../bench/core/cell.ts";
import { type Observation, observationRecord } from "../bench/core/result/observation-record.ts";
import { exitOf, undisturbed } from "./contended.ts";
import { assertNoDigitOnDiskIsFree } from "./digits.ts";
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
  shortRun,
  type Site,
  startBench,
  until,
} from "./run-bench.ts";

const SERVER = "servers/main.ts --module";
const LOAD = "wrk.lua";
const BUILDER = "stores/prepared/main.ts";

/** What `--json` prints, as far as it is looked at here. */
const printed = z.strictObject({ run: runRecord, summary: summarySchema, cells: z.array(cellCard) });

/** The journal of the one run there is, so far. */
function linesIn(site: Site): Observation[] {
  const [run] = runsIn(site);
  if (run === undefined) return [];
  const lines = readFileSync(join(site.results, run, "journal.ndjson"), "utf8").split("\n").filter(Boolean);
  return lines.map((line) => observationRecord.parse(JSON.parse(line)));
}

const trialsIn = (site: Site) => linesIn(site).filter(({ kind }) => kind === "solo");

const atOf = (trial: Observation) => trial.members[0]!.cell.point.at;

/**
 * A trial without a fault. Other programs on its CPUs may keep connections waiting, which is flagged and no fault, and a
 * generator that is nearly full does so by a few per cent; else rate and latency agree.
 */
function assertSound(trial: Observation): void {
  const { reasons, counters, latency } = trial;
  const at = atOf(trial);
  const what = `${at["runtime"]}/${at["store"]}: ${JSON.stringify([reasons, latency?.littles_law_gap, counters])}`;
  if (undisturbed([trial]).length === 0) return;
  assert.ok(latency!.littles_law_gap! <= 0.02, what);
  const disturbed = counters!.foreign_share! > 0.02 || counters!.steal_share! > 0.005;
  assert.ok(latency!.littles_law_gap! >= -0.06 || disturbed, what);
}

const SMALL = ["--size", "1k", "--rounds", "1", "--warmup", "1s", "--alone", "--seed", "7"];

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

/** The run is marked as interrupted and the machine was given back. */
function assertGivenUp(site: Site, name: string): void {
  const stored = runRecord.parse(JSON.parse(readFileSync(join(site.results, name, "run.json"), "utf8")));
  assert.equal(stored.state, "interrupted");
  assert.ok(!existsSync(join(site.folder, "levelfield.lock")), "the machine was given back");
}

benchTest(
  "a small run over all runtimes publishes sound cells, files and figures, and nothing that can be changed",
  async () => {
    await onSite(async (site) => {
      const args = ["--runtime", "node,deno,bun", "--store", "map,sqlite", "--duration", "1s"];
      const ended = await shortRun(site, [...SMALL, ...args]);
      assertPlain(ended);
      assert.equal(ended.stdout.trimEnd().split("\n").length, 1, "stdout is one line of JSON");
      const { run, cells } = printed.parse(JSON.parse(ended.stdout));
      assert.equal(run.state, "finished");
      assert.deepEqual(run.runtimes.map(({ name }) => name), ["node", "deno", "bun"]);
      assert.equal(cells.length, 7, "six cells and one of them again");
      for (const cell of undisturbed(cells)) {
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
      assert.equal(trials.length, 7);
      assert.equal(new Set(trials.map((trial) => `${atOf(trial)["runtime"]}/${atOf(trial)["store"]}`)).size, 6);
      assert.equal(new Set(trials.map((trial) => trial.draw_seed)).size, 1);
      for (const trial of trials) {
        const what = `${atOf(trial)["runtime"]}/${atOf(trial)["store"]}`;
        const { load, latency, counters } = trial;
        const { oracle, server } = trial.members[0]!;
        assertSound(trial);
        assert.equal(latency!.histogram.reduce((sum, [, count]) => sum + count, 0), load!.requests, what);
        const rate = load!.requests / (load!.duration_us / 1e6);
        assert.ok(Math.abs(load!.requests_per_second / rate - 1) < 1e-9, what);
        const { p50_us, p90_us, p99_us, p999_us, max_us } = latency!;
        assert.deepEqual([p50_us, p90_us, p99_us, p999_us, max_us].toSorted((a, b) => a! - b!), [
          p50_us,
          p90_us,
          p99_us,
          p999_us,
          max_us,
        ], what);
        assert.ok(oracle!.before > 20 && oracle!.after > 20, what);
        assert.ok(counters!.server_cpu_ns! > 0 && counters!.connections_opened! >= load!.connections, what);
        assert.equal("sqlite_version" in server!.facts, atOf(trial)["store"] !== "map", what);
      }

      const verified = await bench(site, ["verify", folder]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      assertNoDigitOnDiskIsFree(folder);
      const journal = readFileSync(join(folder, "journal.ndjson"), "utf8");
      writeFileSync(join(folder, "journal.ndjson"), journal.slice(0, -30));
      const cut = await bench(site, ["verify", folder]);
      assert.equal(cut.code, 3);
      assert.match(cut.stdout, /half a line/);
      const stored = readFileSync(join(folder, "run.json"), "utf8");
      writeFileSync(join(folder, "run.json"), stored.replace(/levelfield\.run\/\d+/, "levelfield.run/9"));
      const newer = await bench(site, ["shape", folder]);
      assert.equal(newer.code, 1);
      assert.match(newer.stderr, /version "levelfield\.run\/9"/);
    });
  },
);

benchTest("requests for nobody are answered as such and make no fault", async () => {
  await onSite(async (site) => {
    const args = ["--runtime", "node", "--store", "map", "--duration", "1s", "--miss-share", "0.3", "--json"];
    const ended = await bench(site, ["run", ...SMALL, ...args]);
    const trials = trialsIn(site) as [Observation];
    assert.equal(ended.code, exitOf(trials), ended.stderr + ended.stdout);
    assertSound(trials[0]);
    const ceiling = linesIn(site).find(({ kind }) => kind === "ceiling")!;
    undisturbed([ceiling]);
    const { load } = trials[0];
    const share = load!.errors.expected_status / load!.requests;
    assert.ok(share > 0.27 && share < 0.33, `${share}`);
    assert.equal(load!.errors.status, load!.errors.expected_status);
  });
});

benchTest(
  "a small run stopped by Ctrl-C after its first round is verified and answered, and goes on to compare its servers",
  async () => {
    await onSite(async (site) => {
      const args = [
        "--quick",
        "--warmup",
        "1s",
        "--seed",
        "7",
        "--runtime",
        "node,bun",
        "--store",
        "map",
        "--size",
        "1k",
      ];
      const running = startBench(site, ["run", ...args]);
      const inFirst = (lines: readonly Observation[]) => lines.filter(({ round }) => round === 0).length;
      await until("the first round", () => inFirst(linesIn(site)) === 2, running);
      await until("the next load", () => descendant(running.pid, LOAD), running);
      const children = descendantsOf(running.pid);
      process.kill(-running.pid, "SIGINT");
      const stopped = await running.ended;
      assert.equal(stopped.code, 130, stopped.stderr);
      assertPlain(stopped);
      for (const { pid, command } of children) assert.ok(!isRunning(pid), command);
      const lines = linesIn(site);
      assert.deepEqual(lines.map(({ kind }) => kind).sort(), ["ceiling", "ensemble"]);
      const ensemble = lines.find(({ kind }) => kind === "ensemble")!;
      undisturbed([ensemble]);
      assert.deepEqual(ensemble.members.map(({ cell }) => cell.label).sort(), ["aa", "main", "main"]);
      for (const { warmup, alone, reasons, cpu_ns, requests, cpu_ns_per_request } of ensemble.members) {
        assert.deepEqual([warmup!.ended, reasons], ["planned", []]);
        undisturbed([{ status: alone!.reasons.length === 0 ? "ok" : "invalid", reasons: alone!.reasons }]);
        assert.ok(alone!.load!.requests > 100 && alone!.latency!.p50_us! <= alone!.latency!.p99_us!);
        assert.ok(Math.abs(cpu_ns_per_request! / (cpu_ns! / requests!) - 1) < 1e-9);
      }

      const [name] = runsIn(site) as [string];
      assertGivenUp(site, name);
      const verified = await bench(site, ["verify", name]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      assert.match(stopped.stdout, /No answer from this run: ./);
      const page = join(site.folder, "report.html");
      const reported = await bench(site, ["report", name, "--output", page]);
      assert.equal(reported.code, 0, reported.stderr);
      assert.match(readFileSync(page, "utf8"), /No answer from this run/);

      const resumed = await bench(site, ["run", "--resume", name, "--json"]);
      const { run, summary } = printed.parse(JSON.parse(resumed.stdout));
      assert.equal(run.state, "finished", resumed.stderr);
      assert.deepEqual(linesIn(site).map(({ kind, round, alone }) => `${round} ${kind} ${alone}`).toSorted(), [
        "0 ceiling true",
        "0 ensemble true",
        "1 ensemble false",
        "2 ensemble false",
        "3 ensemble false",
      ]);
      const [family] = summary.families;
      assert.deepEqual(family!.verdicts.map(({ basis }) => basis), ["together"]);
      assert.equal((await bench(site, ["verify", name])).code, 0);
    });
  },
);

benchTest("a driver interrupted alone keeps finished trials, leaves no process and exits with 130", async () => {
  await onSite(async (site) => {
    const args = ["--runtime", "bun", "--store", "map", "--duration", "1s", "--json"];
    const running = startBench(site, ["run", ...SMALL, ...args]);
    await until("the first trial's line", () => trialsIn(site).length > 0, running);
    await until("the next load", () => descendant(running.pid, LOAD), running);
    const children = descendantsOf(running.pid);
    const finished = linesIn(site);
    process.kill(running.pid, "SIGINT");
    const ended = await running.ended;
    assert.equal(ended.code, 130, ended.stderr);
    for (const { pid, command } of children) assert.ok(!isRunning(pid), command);
    const { run } = printed.parse(JSON.parse(ended.stdout));
    assert.equal(run.state, "interrupted");
    assert.deepEqual(linesIn(site), finished);
    assertGivenUp(site, run.run);

    const resumed = await bench(site, ["run", "--resume", run.run, "--json"]);
    const finishing = printed.parse(JSON.parse(resumed.stdout));
    assert.equal(finishing.run.state, "finished");
    undisturbed(finishing.cells);
    assert.equal(resumed.code, exitOf(finishing.cells), resumed.stderr);
    const all = linesIn(site);
    assert.deepEqual(all.slice(0, finished.length), finished, "what was measured is not measured again");
    assert.deepEqual(all.map(({ index }) => index).toSorted((a, b) => a - b), [0, 1, 2]);
  });
});

for (const driver of DRIVERS) {
  benchTest(`a driver on ${driver} that is killed leaves no server, no load generator and no builder`, async () => {
    await onSite(async (site) => {
      const gone = async (running: Running) => {
        const children = descendantsOf(running.pid);
        assert.ok(children.length > 0);
        running.child.kill("SIGKILL");
        await running.ended;
        const left = () => children.filter(({ pid }) => isRunning(pid));
        for (let tries = 0; tries < 100 && left().length > 0; tries++) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        const stayed = left();
        for (const { pid } of stayed) process.kill(pid, "SIGKILL");
        assert.deepEqual(stayed, []);
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
  });
}

for (
  const [signal, runtime, code, words] of [
    ["SIGKILL", "node", "server-crashed", /SIGKILL/],
    ["SIGSTOP", "deno", "server-hung", /no reply within/],
  ] as const
) {
  benchTest(
    `a server that gets ${signal} under load makes its cell ${code}, the run goes on and exits with 3`,
    async () => {
      await onSite(async (site) => {
        const args = ["--runtime", runtime, "--store", "map", "--duration", "1s", "--timeout", "2s", "--json"];
        const running = startBench(site, ["run", ...SMALL, ...args]);
        const server = await underLoad(running);
        process.kill(server.pid, signal);
        const ended = await running.ended;
        assert.equal(ended.code, 3, ended.stderr);
        const { run, cells } = printed.parse(JSON.parse(ended.stdout));
        assert.equal(run.state, "finished");
        assert.equal(cells.filter(({ status }) => status === "failed").length, 1);
        const trials = trialsIn(site);
        assert.equal(trials.length, 2);
        const [hit, other] = trials as [Observation, Observation];
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
    const args = [
      "run",
      "--runtime",
      "node",
      "--store",
      "map",
      "--size",
      "1k",
      "--rounds",
      "1",
      "--duration",
      "30s",
      "--alone",
    ];
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
