import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { test } from "node:test";
import { scheduleOf } from "../plan/schedule.ts";
import type { Solo } from "../judge/lines.ts";
import type { Member, Observation } from "../record/observation-record.ts";
import { formatRate } from "../basics/units.ts";
import { makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { widthOf } from "./align.ts";
import { createLiveTable } from "./live-table.ts";
import { barLine } from "./progress.ts";
import { styleFor } from "./style.ts";
import { mark } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";

const plain = styleFor(false, {});
const coloured = styleFor(true, { FORCE_COLOR: "1" });
const made = makeFixture({ stores: ["map", "drizzle"], sizes: [10_000, 1_000_000] });
const odd = makeOddFixture();

test("the live table is whole from the start and fills in with medians, bounds and marks, and warns of a bound once", () => {
  const { run, cells } = filesOf(made);
  const table = createLiveTable(run.plan);
  const shown = () => table.lines(80, 24, plain).map((line) => line.trim().split(/ {2,}/));
  const empty = shown();
  assert.deepEqual(empty[0], ["req/s", "10k users", "1m users"]);
  assert.deepEqual(empty.slice(1).flatMap(([_, ...figures]) => figures), Array(12).fill("·"));
  const warnings = made.lines.flatMap((line) => table.add(line));
  assert.deepEqual(warnings, ["bun/map/10k: the load generator was the limit, its rate is a lower bound"]);
  const [head, ...rows] = shown();
  assert.deepEqual(head, empty[0]);
  assert.deepEqual(rows.map(([name]) => name), empty.slice(1).map(([name]) => name));
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

/** A live table of the small plan, with as much of a record as it looks at. */
function smallTable() {
  const table = createLiveTable(smallPlan);
  const alone = (rate: number, ...marks: readonly Mark[]) => ({
    load: { requests_per_second: rate },
    bound: "server",
    marks,
  });
  const record = (part: object) => table.add({ status: "ok", marks: [], ...part } as unknown as Observation);
  return {
    alone,
    record,
    together: (...members: object[]) =>
      record({ kind: "ensemble", alone: true, members: members.map((member) => ({ marks: [], ...member })) }),
    early(cell: Member["cell"], rate: number, marks: readonly Mark[] = [], bound = "server") {
      const status = marks.length === 0 ? "ok" : "invalid";
      table.addEarly({ ...alone(rate, ...marks), bound, round: 0, status, member: { cell } } as unknown as Solo);
    },
    rows: () => table.lines(80, 24, plain).map((line) => line.trim().split(/ {2,}/)),
  };
}

test("what servers reached alone beside others fills the table, too; what cannot be is a dash", () => {
  const { alone, record, together, rows } = smallTable();
  const [steam, water, wind] = smallPlan.cells;
  together({ cell: steam, alone: alone(100) }, { cell: water, alone: alone(200) });
  together({ cell: steam, alone: alone(200) }, { cell: water, alone: alone(9, mark("contended", "busy")) });
  record({ kind: "ensemble", alone: false, members: [{ cell: steam, alone: null }] });
  record({ kind: "solo", status: "unsupported", bound: "unknown", load: null, members: [{ cell: wind }] });
  assert.deepEqual(rows().slice(0, 4), [
    ["req/s", "1000 kg", "10000 kg"],
    ["iron steam", "150", "·"],
    ["iron water", "✗ 200", "·"],
    ["iron wind", "–", "·"],
  ]);
});

test("what one of several servers reached alone is shown while their step goes on, and counts once when it has ended", () => {
  const { alone, early, together, rows } = smallTable();
  const [steam, water] = smallPlan.cells;
  const shown = () => rows().slice(1, 3).map(([, figure]) => figure);
  early(steam!, 100);
  early(water!, 50, [mark("contended", "busy")]);
  assert.deepEqual(shown(), ["100", "·"]);
  early(steam!, 90, [], "generator");
  assert.deepEqual(shown(), ["≥ 90.0", "·"]);
  together({ cell: steam, alone: alone(100) }, { cell: water, alone: alone(200) });
  assert.deepEqual(shown(), ["100", "200"]);
  early(steam!, 300);
  assert.deepEqual(shown(), ["200", "200"]);
  together({ cell: steam, alone: alone(300) }, { cell: water, alone: alone(200) });
  assert.deepEqual(shown(), ["200", "200"]);
});

test("the bar fits any width, the ETA stays longest", () => {
  for (const { run: { plan } } of [made, odd]) {
    const step = scheduleOf(plan).find(({ kind, round }) => kind === "solo" && round === 1)!;
    const state = { plan, step, total: 120, share: 0.25, eta: "3m 20s", last: "bun/map/10k 69.0k req/s" };
    assert.match(barLine(state, 300, plain), /^█{6}░{18} {2}25 % {2}round 2\/6 +\S.*ETA 3m 20s +last bun/);
    for (let columns = 10; columns <= 140; columns++) {
      const line = barLine(state, columns, coloured);
      assert.ok(widthOf(stripVTControlCharacters(line)) <= columns, `${columns}: ${line}`);
      assert.match(line, /ETA 3m 20s/);
    }
    assert.equal(barLine(state, 6, plain).length, 6);
  }
});
