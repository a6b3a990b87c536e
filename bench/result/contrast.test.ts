import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Plan } from "../record/plan.ts";
import { makeObservation } from "../../tests/fixtures/made-up-windows.ts";
import { DRAWN, generatorAt, pacedAt } from "../plan/generator-windows.ts";
import { mark } from "../record/mark.ts";
import { contrastTable } from "../report/contrast-table.ts";
import { styleFor } from "../report/style.ts";
import { contrastRows, contrastsOf, ratios } from "./contrast.ts";

/** Three rounds: wrk at 100, 90 and 110, the other at a share of it, one of its windows not sound. */
const rounds = (share: number, change: Parameters<typeof makeObservation>[1] = {}) =>
  [100, 90, 110].map((rate) =>
    makeObservation([
      { at: generatorAt("autocannon", "apart"), rate: rate * share, bound: "generator" },
      { at: generatorAt("wrk", "apart"), rate },
      { at: DRAWN, rate: rate * 0.9 },
      { at: generatorAt("wrk", "one-core"), rate: rate * 0.6 },
      { at: generatorAt("autocannon", "one-core"), rate: rate * 0.2 },
    ], change)
  );

test("ratios are taken round by round, and a window that is not sound takes its round with it", () => {
  const observations = rounds(0.5);
  const [other, wrk] = ["autocannon", "wrk"].map((name) => generatorAt(name, "apart"));
  assert.deepEqual(ratios(observations, other!, wrk!), [0.5, 0.5, 0.5]);
  observations[1]!.windows![0]!.marks = [mark("generator-failed", "out of luck")];
  const [own, row] = contrastRows(observations, ["wrk", "autocannon"]);
  assert.deepEqual([own!.over_wrk, own!.over_wrk_least, own!.over_wrk_most, own!.sound], [1, 1, 1, 3]);
  assert.deepEqual([row!.sound, row!.windows, row!.marks], [2, 3, [mark("generator-failed", "out of luck")]]);
  assert.deepEqual([row!.requests_per_second, row!.bound], [(50 + 55) / 2, "generator"]);
});

test("a generator none of whose windows is sound has no figures", () => {
  const observations = rounds(0.5);
  for (const { windows } of observations) windows![0]!.marks = [mark("generator-failed", "out of luck")];
  const rows = contrastRows(observations, ["wrk", "autocannon"]);
  const row = rows.find(({ generator, place }) => generator === "autocannon" && place === "apart")!;
  assert.deepEqual([row.requests_per_second, row.over_wrk, row.bound], [null, null, "unknown"]);
});

test("each cell of a plan with the axis generator has its rows and what drawn requests cost, other plans have none", () => {
  const { run } = makeFixture({ sizes: [10_000], stores: ["map"], runtimes: ["bun"] });
  const cells = run.plan.cells.slice(0, 1);
  const plan: Plan = {
    ...run.plan,
    cells,
    further: { axis: "generator", generators: ["wrk"], absent: [], request: { method: "GET", path: "/" } },
  };
  const lines = rounds(0.5).map((line) => ({ ...line, members: [{ cell: cells[0]! }] }) as unknown as Observation);
  const [contrast, ...others] = contrastsOf(plan, lines, () => "bun")!;
  assert.deepEqual([contrast!.name, contrast!.drawn_over_one, others], ["bun", 0.9, []]);
  assert.deepEqual(contrast!.rows.map(({ generator, place }) => `${generator} ${place}`), [
    "wrk apart",
    "wrk one-core",
  ]);
  assert.equal(contrastsOf(run.plan, lines, () => "bun"), undefined);
});

test("generators that keep a rate stand side by side, with the waits of one that was late itself withheld", () => {
  const { run } = makeFixture({ sizes: [10_000], stores: ["map"], runtimes: ["bun"] });
  const names = ["ontime", "h2load"];
  const plan: Plan = {
    ...run.plan,
    cells: run.plan.cells.slice(0, 1),
    further: {
      ...{ axis: "generator", generators: ["wrk", ...names], absent: [], open: { generators: names, share: "50%" } },
      request: { method: "GET", path: "/" },
    },
  };
  const windows = names.map((generator) => ({ at: pacedAt(generator, "50%"), rate: 50 }));
  const made = [1, 2, 3].map(() => makeObservation([...windows, { at: generatorAt("ontime", "apart"), rate: 80 }]));
  for (const window of made.flatMap((line) => line.windows!.filter(({ at }) => "pace" in at))) {
    const late = window.at["generator"] === "h2load" ? 31 : 1;
    const lateness = { p50_us: 1, p90_us: 1, p99_us: late, p999_us: late, max_us: late, on_time_share: 1 };
    Object.assign(window, {
      load: { ...window.load!, offered_per_second: 50, dropped: 0, lateness },
      sent: { p50_us: 90, p90_us: 90, p99_us: 250, p999_us: 300, max_us: 300 },
    });
  }
  const lines = made.map((line) => ({ ...line, members: [{ cell: plan.cells[0]! }] }) as unknown as Observation);
  const [contrast] = contrastsOf(plan, lines, () => "bun")!;
  const [ontime, h2load] = contrast!.open!;
  assert.deepEqual([ontime!.generator, ontime!.sound, ontime!.windows, ontime!.marks], ["ontime", 3, 3, []]);
  const { due, late } = ontime!.open_loop!.by_clock;
  assert.deepEqual([due.p99!.us, late.p99!.us], [300, 1]);
  assert.equal(h2load!.open_loop!.by_clock.due.p99, null);
  assert.deepEqual(h2load!.marks.map(({ code }) => code), ["generator-late"]);
  // A closed loop of the same generator is no window at the rate, nor the other way round.
  assert.deepEqual(contrast!.rows.map(({ generator, windows }) => [generator, windows]), [["ontime", 3]]);
  const text = contrastTable({ ...run, plan }, contrast!, [], {
    style: styleFor(false, { NO_COLOR: "1" }),
    columns: 200,
  });
  assert.match(text, /^At 50 % of what wrk reached/m);
  assert.match(text, /^marked h2load, at the rate: 3 of 3 windows sound: has no p99: the generator itself sent/m);
});
