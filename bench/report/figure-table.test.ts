import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { mark } from "../record/mark.ts";
import { figureTable } from "./figure-table.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false, {});
const { run, summary, cells } = filesOf(makeFixture({ stores: ["map", "sqlite"], sizes: [10_000] }));

test("the figures are of each runtime with the store that the answer takes, and say of how many samples", () => {
  const lines = figureTable(run, summary, cells, { style: plain, columns: Infinity }).split("\n");
  assert.equal(lines[0], "Each server alone (median of 6)");
  assert.match(lines[1]!, /^ +listens +memory +p50 +p99 +req\/s$/);
  assert.equal(summary.answer.questions[1]!.parts[0]!.picks[0], "map");
  assert.deepEqual(lines.slice(2, 5).map((line) => line.match(/^ {2}(\w+ with \w+)/)?.[1]), [
    "node with map",
    "deno with map",
    "bun with map",
  ]);
  const once = cells.map((card) => ({ ...card, observations_ok: 1 }));
  assert.match(
    figureTable(run, summary, once, { style: plain, columns: Infinity }),
    /^Each server alone \(one sample\)$/m,
  );
});

test("a cell whose verdicts are withheld is marked where its figures stand, with the reason below", () => {
  const withheld = [mark("never-steady", "it changed to the end")];
  const marked = {
    ...summary,
    cells: summary.cells.map((one) => one.name === "node/map/10k" ? { ...one, marks: withheld } : one),
  };
  const text = figureTable(run, marked, cells, { style: plain, columns: Infinity });
  assert.match(text, /^ {2}node with map ⚠ /m);
  assert.match(text, /^ {2}⚠ node\/map\/10k: never steady$/m);
  assert.equal(figureTable(run, summary, [], { style: plain, columns: Infinity }), "");
});

test("of the only cell of a run all marks are said in full, as no comparison gives a reason", () => {
  const one = filesOf(makeFixture({ stores: ["map"], sizes: [10_000], runtimes: ["node"] }));
  assert.deepEqual(one.summary.answer.questions, []);
  const marks = [mark("later-work", "it works on"), mark("spread", "rates vary"), mark("leak", "it may keep memory")];
  const marked = { ...one.summary, cells: one.summary.cells.map((cell) => ({ ...cell, marks })) };
  const text = figureTable(one.run, marked, one.cells, { style: plain, columns: Infinity });
  const [{ name }] = one.cells as [typeof one.cells[number]];
  assert.ok(text.includes(`  ${name} ⚠ `) && text.includes(`  ⚠ ${name}: it works on\n`), text);
  assert.doesNotMatch(text, /rates vary/, "notes stand in the whole table");
});
