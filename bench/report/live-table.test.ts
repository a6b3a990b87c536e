import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { test } from "node:test";
import { publish } from "../core/result/published.ts";
import { closingLines } from "./closing-lines.ts";
import { makeFixture } from "./fixture.ts";
import { createLiveTable } from "./live-table.ts";
import { barLine } from "./progress.ts";
import { formatRate, formatSize } from "../core/units.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false, {});
const coloured = styleFor(true, { FORCE_COLOR: "1" });
const { run, lines } = makeFixture({ stores: ["map", "drizzle"], sizes: [10_000, 1_000_000] });

test("the live table fills in with medians, bounds and marks, and warns of a bound once", () => {
  const table = createLiveTable();
  assert.deepEqual(table.lines(80, 24, plain), []);
  const warnings = lines.map((line) => table.add(line)).filter((warning) => warning !== undefined);
  assert.deepEqual(warnings, ["bun/map/10k: the load generator was the limit, its rate is a lower bound"]);
  const [head, ...rows] = table.lines(80, 24, plain).map((line) => line.trim().split(/ {2,}/));
  assert.deepEqual(head, ["bun", "deno", "node"]);
  assert.deepEqual(rows.map(([name]) => name), ["10k drizzle", "10k map", "1m drizzle", "1m map"]);
  for (const { cell, label, requests_per_second: rate, bound, status } of publish(run, lines).cards) {
    if (label !== "main") continue;
    const row = rows.find(([name]) => name === `${formatSize(cell.size)} ${cell.store}`)!;
    const mark = status !== "ok" ? "✗ " : bound === "generator" ? "≥ " : "";
    assert.equal(row[1 + head!.indexOf(cell.runtime)], `${mark}${formatRate(rate!)}`, `${cell.runtime}/${row[0]}`);
  }
});

test("the live table fits: one size where it is too high, none where it is too wide, colour takes no room", () => {
  const table = createLiveTable();
  for (const line of lines) table.add(line);
  assert.equal(table.lines(80, 3, plain).length, 3);
  assert.deepEqual(table.lines(80, 2, plain), []);
  assert.deepEqual(table.lines(30, 24, plain), []);
  for (const columns of [44, 60, 120]) {
    const shown = table.lines(columns, 24, coloured).map(stripVTControlCharacters);
    assert.ok(shown.length > 0 && shown.every((line) => line.length <= columns));
    assert.deepEqual(shown, table.lines(columns, 24, plain));
  }
});

test("the bar fits any width, the ETA stays longest", () => {
  const step = { kind: "trial", index: 3, round: 1, drawSeed: 1, ...run.plan.subjects[0]! } as const;
  const state = { step, total: 40, rounds: 6, eta: "3m 20s", last: "bun/map/10k 69.0k req/s" };
  assert.match(barLine(state, 200, plain), /█░.*4\/40 +round 2\/6 +node\/map\/10k +ETA 3m 20s +last bun/);
  for (let columns = 10; columns <= 140; columns++) {
    const line = barLine(state, columns, coloured);
    assert.ok(stripVTControlCharacters(line).length <= columns, `${columns}: ${line}`);
    assert.match(line, /ETA 3m 20s/);
  }
  assert.equal(barLine(state, 6, plain).length, 6);
});

test("a run closes with what to take at each size, then bound, noise and grade", () => {
  const { cards, summary } = publish(run, lines);
  const text = closingLines(run, summary, cards, plain);
  assert.match(text, /10k users: map on bun/);
  assert.match(text, /1m users: map on bun is the fastest ranked: .* req\/s \[/);
  assert.match(text, /bound: the server was the limit in 11 of 12 cells; the load generator in 1, shown as "≥"/);
  assert.match(text, /noise: duets tell differences from \d/);
  assert.match(text, /grade: shared, /);
  assert.equal(closingLines(run, summary, [], plain), "");
});
