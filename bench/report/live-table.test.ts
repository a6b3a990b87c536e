import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { test } from "node:test";
import { scheduleOf } from "../core/plan.ts";
import { formatRate } from "../core/units.ts";
import { makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { widthOf } from "./align.ts";
import { closingLines } from "./closing-lines.ts";
import { createLiveTable } from "./live-table.ts";
import { barLine } from "./progress.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false, {});
const coloured = styleFor(true, { FORCE_COLOR: "1" });
const made = makeFixture({ stores: ["map", "drizzle"], sizes: [10_000, 1_000_000] });
const odd = makeOddFixture();

test("the live table fills in with medians, bounds and marks, and warns of a bound once", () => {
  const { run, cells } = filesOf(made);
  const table = createLiveTable(run.plan);
  assert.deepEqual(table.lines(80, 24, plain), []);
  const warnings = made.lines.map((line) => table.add(line)).filter((warning) => warning !== undefined);
  assert.deepEqual(warnings, ["bun/map/10k: the load generator was the limit, its rate is a lower bound"]);
  const [head, ...rows] = table.lines(80, 24, plain).map((line) => line.trim().split(/ {2,}/));
  assert.deepEqual(head, ["10k users", "1m users"]);
  const stores = ["map", "drizzle"], runtimes = ["node", "deno", "bun"];
  assert.deepEqual(rows.map(([name]) => name), stores.flatMap((store) => runtimes.map((each) => `${store} ${each}`)));
  for (const { cell: { point: { at }, label }, requests_per_second: rate, bound, status } of cells) {
    if (label !== "main") continue;
    const row = rows.find(([name]) => name === `${at["store"]} ${at["runtime"]}`)!;
    const mark = status !== "ok" ? "✗ " : bound === "generator" ? "≥ " : "";
    assert.equal(row[at["size"] === 10_000 ? 1 : 2], `${mark}${formatRate(rate!)}`, String(row[0]));
  }
});

test("the live table fits: fewer rows where it is too high, none where it is too wide, colour takes no room", () => {
  for (const { run, lines } of [made, odd]) {
    const table = createLiveTable(run.plan);
    for (const line of lines) table.add(line);
    const whole = table.lines(200, 24, plain);
    const part = table.lines(200, whole.length - 1, plain);
    assert.ok(part.length > 1 && part.length < whole.length);
    assert.deepEqual(table.lines(200, 1, plain), []);
    assert.deepEqual(table.lines(20, 24, plain), []);
    for (const columns of [36, 60, 110, 200]) {
      const shown = table.lines(columns, 24, coloured).map(stripVTControlCharacters);
      assert.ok(shown.every((line) => widthOf(line) <= columns), String(columns));
      assert.deepEqual(shown, table.lines(columns, 24, plain));
    }
  }
});

test("the bar fits any width, the ETA stays longest", () => {
  for (const { run: { plan } } of [made, odd]) {
    const step = scheduleOf(plan).find(({ kind, round }) => kind === "solo" && round === 1)!;
    const state = { plan, step, total: 120, eta: "3m 20s", last: "bun/map/10k 69.0k req/s" };
    assert.match(barLine(state, 300, plain), /█░.*\/120 +round 2\/6 +\S.*ETA 3m 20s +last bun/);
    for (let columns = 10; columns <= 140; columns++) {
      const line = barLine(state, columns, coloured);
      assert.ok(widthOf(stripVTControlCharacters(line)) <= columns, `${columns}: ${line}`);
      assert.match(line, /ETA 3m 20s/);
    }
    assert.equal(barLine(state, 6, plain).length, 6);
  }
});

test("a run closes with what to take under each condition, then bound, noise and grade", () => {
  const { run, cells, summary } = filesOf(made);
  const text = closingLines(run, summary, cells, plain);
  assert.match(text, /10k users: bun with map is faster than deno with map by verdict/);
  assert.match(text, /1m users: bun with map is the fastest ranked: .* req\/s \[/);
  assert.match(text, /bound: the server was the limit in 11 of 12 cells; the load generator in 1, shown as "≥"/);
  assert.match(text, /the generator's ceiling is \d+k to \d+k req\/s, by kind of request/);
  assert.match(text, /noise: duets tell differences from \d/);
  assert.match(text, /grade: shared, /);
  assert.equal(closingLines(run, summary, [], plain), "");
});
