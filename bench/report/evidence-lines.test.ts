import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { evidenceLines, faultyLines, noteTexts } from "./evidence-lines.ts";
import { spokenCeilings } from "./metrics.ts";
import { styleFor } from "./style.ts";
import { mark } from "../record/mark.ts";

const plain = styleFor(false, {});
const options = { style: plain, columns: Infinity };
const made = makeFixture({ stores: ["map", "drizzle"], sizes: [10_000, 1_000_000] });
const { run, cells, summary } = filesOf(made);

test("the evidence of a run is how much it decided, its limits and its machine", () => {
  const text = evidenceLines(run, summary, cells, options);
  assert.match(text, /^How sure\n {2}12 of 18 comparisons decided, 3 open, 3 without a verdict\n/);
  assert.match(text, /the server was the limit in 11 of 12 cells; /);
  assert.match(text, /the generator's ceiling is \d+k to \d+k req\/s, by kind of request/);
  assert.match(text, /machine shared: /);
  assert.equal(evidenceLines(run, summary, [], options), "");
});

test("an axis whose values are nowhere compared is named", () => {
  const text = (families: typeof summary.families) => evidenceLines(run, { ...summary, families }, cells, options);
  assert.doesNotMatch(text(summary.families), /not compared/);
  const one = text(summary.families.filter(({ axis }) => axis !== "runtime"));
  assert.match(one, /^ {2}not compared: runtime, as the plan has no two values together, nor each alone/m);
});

test("each expectation of the suite is told, failures last; these are notes of the answer, too", () => {
  const check = (name: string, holds: "yes" | "no" | "unknown") => ({ name, holds, seen: `${name} 2`, expected: "1" });
  const checks = [check("a", "no"), check("b", "yes"), check("c", "unknown"), check("d", "yes")];
  const text = evidenceLines(run, { ...summary, checks }, cells, options);
  assert.deepEqual([...text.matchAll(/^ {2}(?:met|open|not met): (\w):/gm)].map(([, name]) => name), [
    "b",
    "d",
    "c",
    "a",
  ]);
  assert.deepEqual(noteTexts({ cells: [], checks }), ["not met: a: a 2; expected 1"]);
});

test("what the generator could do over the fastest cell is told of each protocol but plain HTTP/1.1", () => {
  const at = (protocol: string, requests_per_second: number | null, generator_share: number | null) => {
    const { cell: { point, label }, ...card } = cells[0]!;
    const cell = { label, point: { ...point, at: { ...point.at, protocol } } };
    return { ...card, cell, requests_per_second, generator_share };
  };
  const spoken = [
    at("http", 9, 0.9),
    at("https", 5, 0.8),
    at("https", 7, 0.5),
    at("https", null, null),
    at("h2", 3, 0.99),
  ];
  const reported =
    "over https the generator could do 2.00 × its fastest cell; over h2 the generator could do 1.01 × its";
  assert.ok(evidenceLines(run, summary, spoken, options).replaceAll(/\s+/g, " ").includes(reported));
  assert.deepEqual(spokenCeilings([at("h2c", 3, null), at("http", 1, 1)]), [], "nobody knows how busy it was");
});

test("what was not measured well enough stands in a line for each reason", () => {
  const odd = cells.map((card, n) =>
    n < 2 ? { ...card, status: "failed" as const, marks: [mark("server-crashed", "it fell")] } : card
  );
  assert.equal(
    faultyLines(odd.slice(0, 2), { style: plain, columns: 80 }),
    `✗ ${odd[0]!.name}, ${odd[1]!.name}: failed: it fell\n\n`,
  );
  assert.equal(faultyLines(cells.slice(0, 2), { style: plain, columns: 80 }), "");
});

test("a server that leaks is a note, once", () => {
  const leak = mark("leak", "its memory grows by 2 KiB a request: it seems to leak");
  const [first] = summary.cells.filter(({ cell }) => cell.label === "main");
  const leaking = summary.cells.map((one) => one.cell.point === first!.cell.point ? { ...one, marks: [leak] } : one);
  assert.deepEqual(noteTexts({ cells: leaking, checks: [] }), [`leak: ${first!.name}: ${leak.text}`]);
});
