/** A whole run over all runtimes and two stores: no digit of it can be changed unseen. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cardFile } from "../../bench/record/cell.ts";
import { cellCard } from "../../bench/record/card.ts";
import { runRecord } from "../../bench/record/run-record.ts";
import { summarySchema } from "../../bench/record/summary.ts";
import { exitOf, undisturbed } from "../contended.ts";
import { assertNoDigitOnDiskIsFree } from "../digits.ts";
import { bench, onSite, runsIn, shortRun, toolTest } from "../run-bench.ts";
import { assertPlain, assertSound, assertWaitsReported, atOf, printed, SMALL, trialsIn } from "../whole-run.ts";

toolTest(
  "a small run over all runtimes publishes sound cells, files and figures, and nothing that can be changed",
  async () => {
    await onSite(async (site) => {
      const args = ["--runtime", "node,deno,bun", "--store", "map,sqlite", "--duration", "1s"];
      const ended = await shortRun(site, [...SMALL, ...args]);
      assertPlain(ended);
      assert.equal(ended.stdout.trimEnd().split("\n").length, 1, "stdout is one line of JSON");
      const { run, cells, summary } = printed.parse(JSON.parse(ended.stdout));
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

      assertWaitsReported(trials, summary);

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
