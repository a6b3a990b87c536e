/** Whole runs: what they publish, and what one that is stopped has to say. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { THRESHOLDS } from "../../bench/judge/thresholds.ts";
import { AA, cardFile } from "../../bench/record/cell.ts";
import { cellCard } from "../../bench/record/card.ts";
import type { Observation } from "../../bench/record/observation-record.ts";
import { runRecord } from "../../bench/record/run-record.ts";
import { summarySchema } from "../../bench/record/summary.ts";
import { thresholds } from "../../bench/statistics/thresholds.ts";
import { exitCodeOf, soundOf } from "../by-structure.ts";
import {
  bench,
  descendant,
  descendantsOf,
  isRunning,
  onSite,
  runsIn,
  shortened,
  shortRun,
  startBench,
  toolTest,
  until,
} from "../run-bench.ts";
import {
  assertGivenUp,
  assertPlain,
  assertWaitsReported,
  atOf,
  linesIn,
  LOAD,
  printed,
  SMALL,
  trialsIn,
} from "../whole-run.ts";

toolTest(
  "a small run over all runtimes publishes cells, files and figures that hold together, and what is cut off is found",
  async () => {
    await onSite(async (site) => {
      const args = ["--runtime", "node,deno,bun", "--store", "map,sqlite", "--duration", "1s"];
      // The others in tests/long.
      const ended = await shortRun(
        site,
        [...SMALL, ...args],
        ({ label, point: { at } }) => label === AA || at["store"] === (at["runtime"] === "node" ? "sqlite" : "map"),
      );
      assertPlain(ended);
      assert.equal(ended.stdout.trimEnd().split("\n").length, 1, "stdout is one line of JSON");
      const { run, cells, summary } = printed.parse(JSON.parse(ended.stdout));
      assert.equal(run.state, "finished");
      assert.deepEqual(run.runtimes.map(({ name }) => name), ["node", "deno", "bun"]);
      assert.equal(cells.length, 4, "three cells and one more again");
      for (const cell of soundOf(cells)) {
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
      assert.equal(ended.code, exitCodeOf(cells), ended.stderr);
      assert.equal(trials.length, 4);
      assert.equal(new Set(trials.map((trial) => atOf(trial)["runtime"])).size, 3);
      assert.equal(new Set(trials.map((trial) => trial.draw_seed)).size, 1);
      for (const trial of soundOf(trials)) {
        const what = `${atOf(trial)["runtime"]}/${atOf(trial)["store"]}`;
        const { load, latency, counters } = trial;
        const { oracle, server } = trial.members[0]!;
        const gap = latency!.littles_law_gap!;
        assert.ok(gap <= THRESHOLDS.littlesLawGap && gap > -1, `${what}: ${gap}`);
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

      assertWaitsReported(trials, summary);

      const verified = await bench(site, ["verify", folder]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
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
  },
);

toolTest(
  "a small run stopped by Ctrl-C after its first round is verified and answered, and goes on to compare its servers",
  async () => {
    await onSite(async (site) => {
      const args = ["--duration", "1s", "--warmup", "1s", "--seed", "7"];
      const servers = ["--runtime", "node,bun", "--store", "map", "--size", "1k"];
      const rounds = ["--rounds", String(thresholds.leastRounds.value)];
      const planned = await bench(site, ["run", ...rounds, ...args, ...servers, "--dry-run", "--json"]);
      assert.equal(planned.code, 0, planned.stderr);
      const whole = JSON.parse(planned.stdout);
      // Fewer than verdicts need: what is decided rests on noise.
      whole.plan.rounds = whole.plan.ensembles[0].rounds = 2;
      const running = startBench(site, ["run", "--plan", shortened(site, whole)]);
      const inFirst = (lines: readonly Observation[]) => lines.filter(({ round }) => round === 0).length;
      await until("the first round", () => inFirst(linesIn(site)) === 1, running);
      await until("the next load", () => descendant(running.pid, LOAD), running);
      const children = descendantsOf(running.pid);
      process.kill(-running.pid, "SIGINT");
      const stopped = await running.ended;
      assert.equal(stopped.code, 130, stopped.stderr);
      assertPlain(stopped);
      for (const { pid, command } of children) assert.ok(!isRunning(pid), command);
      const lines = linesIn(site);
      assert.deepEqual(lines.map(({ kind }) => kind), ["ensemble"]);
      const ensemble = lines[0]!;
      assert.deepEqual(ensemble.members.map(({ cell }) => cell.label).sort(), ["aa", "main", "main"]);
      for (const { members } of soundOf([ensemble])) {
        for (const { warmup, alone, cpu_ns, requests, cpu_ns_per_request } of members) {
          assert.equal(warmup!.ended, "planned");
          const { load, latency } = alone!;
          assert.ok(load === null || load.requests > 0 && latency!.p50_us! <= latency!.p99_us!);
          assert.ok(Math.abs(cpu_ns_per_request! / (cpu_ns! / requests!) - 1) < 1e-9);
        }
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
        "0 ensemble true",
        "1 ensemble false",
      ]);
      const [family] = summary.families;
      assert.deepEqual(family!.comparisons.map(({ basis }) => basis), ["together"]);
      assert.equal((await bench(site, ["verify", name])).code, 0);
    });
  },
);
