/** Other load generators end to end: real ones, where they are installed. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { observationRecord } from "../../bench/record/observation-record.ts";
import { runRecord } from "../../bench/record/run-record.ts";
import { summarySchema } from "../../bench/record/summary.ts";
import { findProgram } from "../../bench/machine/programs.ts";
import { bench, onSite, runsIn, toolTest } from "../run-bench.ts";

/** What a command printed with --json. */
function runAndSummary(text: string) {
  const { run, summary } = JSON.parse(text);
  return { run: runRecord.parse(run), summary: summarySchema.parse(summary) };
}

const linesOf = (folder: string) =>
  readFileSync(join(folder, "journal.ndjson"), "utf8").trim().split("\n")
    .map((line) => observationRecord.parse(JSON.parse(line)));

/** `test` where a generator is there and benchmarks can run, a visible skip elsewhere. */
const testWith = (...programs: readonly string[]) =>
  programs.every((program) => findProgram(program) !== undefined) ? toolTest : test.skip;

testWith("wrk")(
  "rates are an axis: a closed loop and a window at each on one server, both clocks, and the run verifies",
  () =>
    onSite(async (site) => {
      const words = ["routes", "--route", "health", "--runtime", "bun", "--rate", "500,500k,10%"];
      const ended = await bench(site, ["run", ...words, "--rounds", "1", "--duration", "1s", "--warmup", "1s"]);
      assert.equal(ended.code, 3, ended.stderr);
      const [name] = runsIn(site);
      const folder = join(site.results, name!);
      const run = runRecord.parse(JSON.parse(readFileSync(join(folder, "run.json"), "utf8")));
      assert.deepEqual(run.plan.axes.at(-1)!.values.map(({ value }) => value), ["closed", "10%", 500, 500_000]);
      for (const { load, windows, status } of linesOf(folder)) {
        assert.equal(load!.offered_per_second, undefined);
        if (status !== "ok") continue;
        assert.deepEqual(windows!.map(({ at }) => String(at["rate"])).toSorted(), ["10%", "500", "500000"]);
        for (const { at, load, sent, marks } of windows!) {
          if (load === null) continue;
          assert.equal(at["rate"] === "10%" || load.offered_per_second === at["rate"], true);
          assert.ok(load.requests === 0 || sent !== undefined && load.lateness !== undefined);
          const short = marks.some(({ code }) => code === "rate-not-kept");
          assert.equal(short, load.offered_per_second === 500_000, JSON.stringify(marks));
        }
      }
      const verified = await bench(site, ["verify", name!]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      const csv = await bench(site, ["report", name!, "--format", "csv"]);
      assert.match(csv.stdout.split("\r\n")[0]!, /,rate,.*offered_per_second,answered_share,dropped,/);
    }),
);

testWith("wrk")(
  "two cells have their windows by turns at the same rates, compared in a line for each rate, and the run verifies",
  () =>
    onSite(async (site) => {
      const words = ["routes", "health/node", "health/bun", "--quick", "--rate", "20%", "--rounds", "2", "--json"];
      const ended = await bench(site, ["latency", ...words]);
      assert.ok([0, 3].includes(ended.code!), ended.stderr);
      const { summary } = runAndSummary(ended.stdout);
      const [name] = runsIn(site);
      const lines = linesOf(join(site.results, name!));
      for (const { kind, round, status, windows } of lines) {
        assert.deepEqual([kind, status], ["ensemble", "ok"]);
        assert.deepEqual(windows!.map(({ member }) => member), round % 2 === 0 ? [0, 1] : [1, 0]);
        assert.equal(new Set(windows!.map(({ per_second }) => per_second)).size, 1);
      }
      const { rates: [rate], sentences } = summary.open_loop!;
      assert.match(rate!.sentence, /^At [\d.]+k?\/s: p99 .*; p50 .*\.$/);
      assert.equal(rate!.p99[0]!.verdict, "no-verdict");
      assert.match(sentences[0]!, /^node and bun: |^bun and node: /);
      const verified = await bench(site, ["verify", name!]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    }),
);

testWith("wrk")(
  "bench latency: windows at shares of the capacity, and the knee step by step",
  () =>
    onSite(async (site) => {
      const ended = await bench(
        site,
        ["latency", "routes", "health/bun", "--slo", "p99<200ms", "--rounds", "1", "--duration", "1s", "--json"],
      );
      assert.ok([0, 3].includes(ended.code!), ended.stderr);
      const { summary } = runAndSummary(ended.stdout);
      const [name] = runsIn(site);
      const lost = linesOf(join(site.results, name!)).find(({ status }) => status !== "ok");
      if (lost !== undefined) throw new Error(JSON.stringify(lost.marks));
      const [cell] = summary.latency!;
      assert.deepEqual(cell!.at_rates.map((name) => name.split("/").at(-1)), ["50%", "70%", "90%"]);
      const { knee } = cell!;
      assert.ok(knee!.steps.length >= 3);
      for (const step of knee!.steps) assert.ok(step.holds === null || step.us !== null);
      const verified = await bench(site, ["verify", name!]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      const page = await bench(site, ["report", name!]);
      assert.equal(page.code, 0, page.stderr);
      assert.match(readFileSync(join(site.results, name!, "report.html"), "utf8"), /id="chart-waits-0"/);
      // A machine whose speed moved is no fault of the command: then it must say so.
      const marks = summary.cells.find(({ name }) => name === cell!.closed)!.marks;
      if (marks.some(({ code }) => code === "rates-contradict")) {
        assert.equal(ended.code, 3);
        assert.match(cell!.sentence, /^contradicts itself, so no rate is known that holds: /);
        return;
      }
      if (knee!.per_second === null) return;
      assert.ok(knee!.steps.filter((step) => step.holds && step.per_second === knee!.per_second).length >= 3);
      assert.match(
        cell!.sentence,
        /(beyond .* the limit of 200 ms is not held|the most that was tried, holds the limit of 200 ms)(; no wait is known at .*)?$/,
      );
    }),
);
