import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, bySpeed, ENGINE, GEAR, type Told, UNTOLD } from "../../tests/fixtures/made-up-verdicts.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import type { At } from "../../suites/suite.ts";
import { ratioTables } from "./ratio-table.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false, {});
const reported = (axes: Parameters<typeof answerInput>[0], judge: (a: At, b: At) => Told, columns = Infinity) => {
  const { plan, families, cells } = answerInput(axes, judge);
  const questions = [{ kind: "axis" as const, axis: "engine", comparisons: 3, level: 0.95, level_each: 0.98 }];
  return ratioTables(
    { plan } as Parameters<typeof ratioTables>[0],
    { families, cells, questions } as Parameters<typeof ratioTables>[1],
    { style: plain, columns },
  );
};

test("a table has the slowest value as 1, ratios with intervals, and bars where something is decided", () => {
  const [table] = reported([ENGINE, GEAR], (a, b) => a["gear"] === "iron" ? { near: 1.02 } : bySpeed(a, b));
  assert.equal(
    table,
    [
      "Engine: speed, steam = 1 (CPU time per request, 6 rounds, 95 %; ~ no difference found)",
      "        steam  water                     wind",
      "  iron  1      0.98 [0.97–0.99] ~        0.98 [0.97–0.99] ~",
      "  wood  1      1.25 [1.24–1.26] ██████▎  1.40 [1.39–1.41] ███████",
      "  bone  1      1.25 [1.24–1.26] ██████▎  1.40 [1.39–1.41] ███████",
      "  rope  1      1.25 [1.24–1.26] ██████▎  1.40 [1.39–1.41] ███████",
      "",
      "",
    ].join("\n"),
  );
});

test("what has no verdict is a question mark, and nothing without any verdict has a table", () => {
  const [table] = reported([ENGINE, GEAR], (a, b) => a["gear"] === "iron" ? UNTOLD : bySpeed(a, b));
  assert.match(table!, /\? no verdict\)/);
  assert.match(table!, /^ {2}iron {2}1 {6}\? +\?$/m);
  assert.deepEqual(reported([ENGINE, GEAR], () => UNTOLD), []);
});

test("where values do not fit as columns places are, and else each pair has a row", () => {
  const many = planAxis("engine", ["a", "b", "c", "d", "e", "f"], { title: "Engine" });
  const place = planAxis("gear", ["iron"], { role: "condition" });
  const judge = (a: At, b: At): Told => ({ faster: String(a["engine"]) < String(b["engine"]) ? 1.2 : 0.8 });
  for (const columns of [80, 50, 40]) {
    const [table] = reported([many, place], judge, columns);
    for (const line of table!.split("\n")) assert.ok(line.length <= columns, line);
    assert.equal(table!.match(/1\.20 \[1\.19–1\.21\]/g)?.length, 5, table!);
  }
});

test("a ratio that moves with the core's speed stands as its two ends, with a sign that is explained", () => {
  const [table] = reported(
    [ENGINE, GEAR],
    (a, b) =>
      a["gear"] === "iron" && b["engine"] === "wind" && a["engine"] === "steam"
        ? { faster: 1 / 1.4, core: [1 / 1.3, 1 / 1.5] }
        : bySpeed(a, b),
  );
  assert.match(table!, /↕ from a slow core to a fast one\)/);
  assert.match(table!, /^ {2}iron .* 1\.30 to 1\.50 ↕/m);
});
