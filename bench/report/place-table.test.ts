import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, bySpeed, ENGINE, GEAR, type Told, UNTOLD } from "../../tests/fixtures/made-up-verdicts.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import type { At } from "../../suites/suite.ts";
import { judgedQuestions, mostDecided, placeTable } from "./place-table.ts";

type Axes = Parameters<typeof answerInput>[0];

const tablesOf = (axes: Axes, judge: (a: At, b: At) => Told, columns = Infinity, whole = false) => {
  const { plan, families, cells } = answerInput(axes, judge);
  const questions = [{ kind: "axis" as const, axis: "engine", comparisons: 3, level: 0.95, level_each: 0.98 }];
  const input = { run: { plan }, summary: { families, cells, questions } } as unknown as Parameters<
    typeof placeTable
  >[0];
  return judgedQuestions(input).map((question) => placeTable(input, question, columns, whole));
};

test("a row is a place, with the slowest value as 1; what is taken is held against the next; signs are explained", () => {
  const [table] = tablesOf([ENGINE, GEAR], (a, b) => a["gear"] === "iron" ? { near: 1.02 } : bySpeed(a, b));
  assert.equal(table!.title, "Requests per CPU second, steam = 1 in each row");
  assert.equal(table!.remark, "? not decided");
  assert.deepEqual([table!.heads, ...table!.rows], [
    ["", "steam", "water", "wind", "wind/water"],
    ["iron", "1", "0.98 ?", "0.98 ?", "0.98 ?"],
    ["wood", "1", "1.3", "1.4", "1.1"],
    ["bone", "1", "1.3", "1.4", "1.1"],
    ["rope", "1", "1.3", "1.4", "1.1"],
  ]);
});

test("with all of it each ratio has the interval that its verdict was read from, and what it rests on", () => {
  const [table] = tablesOf([ENGINE], bySpeed, Infinity, true);
  assert.deepEqual(table!.rows, [["", "1", "1.25 [1.23–1.28]", "1.40 [1.37–1.43]"]]);
  assert.equal(table!.remark, "6 rounds, intervals that all hold with 95 %");
});

test("what has no verdict is its sign alone, and nothing without any verdict has a table", () => {
  const [table] = tablesOf([ENGINE, GEAR], (a, b) => a["gear"] === "iron" ? UNTOLD : bySpeed(a, b));
  assert.deepEqual(table!.rows[0], ["iron", "1", "?", "?", "?"]);
  assert.equal(table!.remark, "? not decided");
  assert.deepEqual(tablesOf([ENGINE, GEAR], () => UNTOLD), []);
});

test("where values do not fit as columns each of them has a row at each place", () => {
  const many = planAxis("engine", ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"], { title: "Engine" });
  const gears = planAxis("gear", ["iron", "wood"], { role: "condition" });
  const judge = (a: At, b: At): Told => ({ faster: String(a["engine"]) < String(b["engine"]) ? 1.2 : 0.8 });
  const at = (columns: number) => tablesOf([many, gears], judge, columns)[0]!;
  assert.equal(at(80).heads.length, 8);
  assert.match(at(80).title, / = 1 in each row$/);
  assert.deepEqual([at(40).heads, at(40).rows.length], [["", "Engine", "zeta = 1"], 10]);
});

test("a ratio that moves with the core's speed stands as its two ends, with a sign that is explained", () => {
  const [table] = tablesOf(
    [ENGINE, GEAR],
    (a, b) =>
      a["gear"] === "iron" && b["engine"] === "wind" && a["engine"] === "steam"
        ? { faster: 1 / 1.4, core: [1 / 1.3, 1 / 1.5] }
        : bySpeed(a, b),
  );
  assert.equal(table!.remark, "a–b from a slow core to a fast one");
  assert.equal(table!.rows[0]![3], "1.3–1.5");
});

test("of several questions the one with the largest share decided has the table", () => {
  const { plan, families, cells } = answerInput(
    [planAxis("engine", ["steam", "wind"]), planAxis("fuel", ["oil", "coal"])],
    (_, __, axis) => axis === "fuel" ? { faster: 2 } : { near: 1.01 },
  );
  const input = { run: { plan }, summary: { families, cells, questions: [] } } as unknown as Parameters<
    typeof placeTable
  >[0];
  assert.equal(mostDecided(judgedQuestions(input))?.axis, "fuel");
  assert.equal(mostDecided([]), undefined);
});
