import assert from "node:assert/strict";
import { madeUpOpenLoop } from "../../tests/fixtures/made-up-latency.ts";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { pageData } from "./shown-run.ts";
import { groupsOf, sceneOf } from "./chart-look.ts";
import { chartsOf } from "./charts.ts";
import { cellsTable } from "./cells-table.ts";
import { markupText } from "./html.ts";

test("over rates that were due a page shows what somebody waits by both clocks, in place of rates that were given", () => {
  const [shown] = pageData([filesOf(makeFixture({ sizes: [10_000], stores: ["map"] }))]).runs;
  const axis = {
    name: "rate",
    title: "Rate",
    role: "scale" as const,
    unit: "req/s",
    option: "rate",
    shown: true,
    values: [1_000, 5_000].map((value) => ({ value, text: `${value / 1_000}k`, facts: {} })),
  };
  const own = shown!.cells.filter(({ cell, requests_per_second }) =>
    cell.label === "main" && requests_per_second !== null
  );
  const cells = own.flatMap((card) =>
    [1_000, 5_000].map((rate) => ({
      ...card,
      name: `${card.name}/${rate}`,
      cell: { ...card.cell, point: { ...card.cell.point, at: { ...card.cell.point.at, rate } } },
      p99_us: rate / 2,
      open_loop: madeUpOpenLoop(rate, rate / 2, 300),
    }))
  );
  const { run } = shown!;
  const rated = { ...shown!, cells, run: { ...run, plan: { ...run.plan, axes: [...run.plan.axes, axis] } } };
  const charts = chartsOf(rated, cells, false);
  assert.ok(charts.every(({ id }) => id !== "scaling" && id !== "rates"));
  const { heads, rows } = charts.find(({ id }) => id === "waits")!.table();
  assert.deepEqual(heads.slice(-4), ["answered", "never sent", "p99 from due", "p99 by the sender's clock"]);
  assert.equal(rows.length, cells.length);
  assert.deepEqual(rows.at(-1)!.slice(-5), ["5k req/s", "99.8 %", "2", "2.50ms", "300µs"]);
});

test("what is measured under unlike conditions is ordered under each, and no chart says who wins", () => {
  const [shown] = pageData([filesOf(makeFixture({ sizes: [10_000, 1_000_000], stores: ["linear", "map"] }))]).runs;
  const { plan } = shown!.run;
  // As where a workload is what differs: nothing that charts draw from left to right.
  const axes = plan.axes.map((axis) => axis.name === "size" ? { ...axis, role: "condition" as const } : axis);
  const apart = { ...shown!, run: { ...shown!.run, plan: { ...plan, axes } } };
  const charts = chartsOf(apart, apart.cells, false);
  const rates = charts.find(({ id }) => id === "rates")!;
  for (const { title, answer } of charts) {
    assert.doesNotMatch(`${title} ${answer ?? ""}`, /\b(who|best|most|least|fastest)\b/i);
  }
  assert.deepEqual(rates.table().heads.slice(0, 3), ["Size", "Runtime", "Store"]);
  const rows = sceneOf(apart, apart.cells);
  assert.deepEqual(groupsOf(rows, rows.focus).map(({ at, spots }) => [at, spots.length]), [["10k users", 6], [
    "1m users",
    6,
  ]]);
  const table = markupText(cellsTable(apart, apart.cells, [], 0));
  const order = [...table.matchAll(/data-cell="[^"]*"[^>]*>[^<]*(10k|1m) users</g)].map(([, size]) => size);
  assert.deepEqual(order, [...Array(6).fill("10k"), ...Array(6).fill("1m")]);
});
