import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { makeRateRun } from "../../tests/fixtures/rate-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { pageData } from "./shown-run.ts";
import { chartsOf } from "./charts.ts";
import { cellsTable } from "./cells-table.ts";
import { markupText } from "./html.ts";

test("over rates that were given a page has no chart of requests per second, which are nobody's merit", () => {
  const [shown] = pageData([filesOf(makeRateRun({ runtimes: ["bun", "node"] }))]).runs;
  assert.ok(chartsOf(shown!).every(({ id }) => id !== "scaling"));
});

test("what is measured under unlike conditions is ordered under each, and no chart says who wins", () => {
  const [shown] = pageData([filesOf(makeFixture({ sizes: [10_000, 1_000_000], stores: ["linear", "map"] }))]).runs;
  const { plan } = shown!.run;
  // As where a workload is what differs: nothing that charts draw from left to right.
  const axes = plan.axes.map((axis) => axis.name === "size" ? { ...axis, role: "condition" as const } : axis);
  const apart = { ...shown!, run: { ...shown!.run, plan: { ...plan, axes } } };
  const charts = chartsOf(apart);
  const times = charts.find(({ id }) => id === "latency")!;
  for (const { title, answer } of charts) {
    assert.doesNotMatch(`${title} ${answer ?? ""}`, /\b(who|best|most|least|fastest)\b/i);
  }
  assert.deepEqual(times.table().heads.slice(0, 3), ["Size", "Runtime", "Store"]);
  const evidence = new Map(apart.cells.map(({ name }) => [name, name]));
  const table = markupText(cellsTable(apart, [], { field: "columns1", evidence, chosenBy: () => [] }));
  const groups = [...table.matchAll(/data-group="(\d)"[^]*?(10k|1m) users</g)].map(([, group, size]) =>
    `${group} ${size}`
  );
  assert.deepEqual(
    [groups.length, [...new Set(groups)].toSorted()],
    [12, ["0 10k", "1 1m"]],
    "rows are sorted within these",
  );
});
