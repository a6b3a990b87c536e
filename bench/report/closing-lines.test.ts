import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { answerLines, closingLines, faultyLines } from "./closing-lines.ts";
import { spokenCeilings } from "./metrics.ts";
import { styleFor } from "./style.ts";
import { mark } from "../record/mark.ts";

const plain = styleFor(false, {});
const made = makeFixture({ stores: ["map", "drizzle"], sizes: [10_000, 1_000_000] });
const { run, cells, summary } = filesOf(made);

test("the answer stands question by question beside its title, then where it holds", () => {
  const text = answerLines(run, summary, { style: plain, columns: Infinity });
  const [runtime, store] = summary.answer.questions.map(({ parts }) => parts[0]!.sentence);
  const lines = text.split("\n");
  assert.deepEqual(lines.slice(0, 2), [`RUNTIME  ${runtime}.`, `STORE    ${store}.`]);
  assert.match(lines[2]!, /^Valid for 10k users and 1m users, read, .*, on AMD EPYC /);
  for (const line of answerLines(run, summary, { style: plain, columns: 60 }).split("\n")) {
    assert.ok(line.length <= 60, line);
  }
});

test("a run closes with how sure it is, and with all of it what its limits were", () => {
  const text = closingLines(run, summary, cells, { style: plain, columns: Infinity });
  assert.match(
    text,
    /^How sure\n {2}12 of 18 comparisons decided, 3 open, 3 without a verdict; differences above about \d/,
  );
  assert.match(text, /the server was the limit in 11 of 12 cells\n/, "a mark names what limited the other");
  assert.doesNotMatch(text, /ceiling|not proven/);
  const all = closingLines(run, summary, cells, { style: plain, columns: Infinity, all: true });
  assert.match(all, /the generator's ceiling is \d+k to \d+k req\/s, by kind of request/);
  assert.match(all, /machine shared: /);
  assert.equal(closingLines(run, summary, [], { style: plain, columns: Infinity }), "");
});

test("an axis whose values are nowhere compared is named", () => {
  const text = (families: typeof summary.families) =>
    closingLines(run, { ...summary, families }, cells, { style: plain, columns: Infinity });
  assert.doesNotMatch(text(summary.families), /not compared/);
  const one = text(summary.families.filter(({ axis }) => axis !== "runtime"));
  assert.match(one, /^ {2}not compared: runtime, as the plan has no two values together, nor each alone/m);
});

test("what the suite expects is counted, and told where it is not met; with all of it each is", () => {
  const check = (name: string, holds: "yes" | "no" | "unknown") => ({ name, holds, seen: `${name} 2`, expected: "1" });
  const text = (checks: typeof summary.checks, all = false) =>
    closingLines(run, { ...summary, checks }, cells, { style: plain, columns: Infinity, all });
  const checks = [check("a", "no"), check("b", "yes"), check("c", "unknown"), check("d", "yes")];
  assert.match(
    text(checks),
    /^ {2}expectations of the suite: 2 of 4 met, 1 not met, 1 open\n {2}not met: a: a 2; expected 1\n/m,
  );
  assert.doesNotMatch(text(checks), / met: [bd]:|open: c:/);
  assert.deepEqual([...text(checks, true).matchAll(/^ {2}(?:met|open|not met): (\w):/gm)].map(([, name]) => name), [
    "b",
    "d",
    "c",
    "a",
  ]);
  assert.match(text([check("b", "yes")]), /suite: 1 of 1 met\n/);
  assert.doesNotMatch(text([]), /expectations/);
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
  assert.ok(
    closingLines(run, summary, spoken, { style: plain, columns: Infinity }).replaceAll(/\s+/g, " ").includes(reported),
  );
  assert.deepEqual(spokenCeilings([at("h2c", 3, null), at("http", 1, 1)]), [], "nobody knows how busy it was");
});

test("a run that has not come to its end closes with the command that goes on with it", () => {
  for (const state of ["running", "interrupted"] as const) {
    const text = closingLines({ ...run, state }, summary, cells, { style: plain, columns: 80 });
    assert.match(text, new RegExp(`goes on with it:\\n {4}bench run --resume ${run.run}\\n`));
    assert.doesNotMatch(text, /would settle/);
  }
  assert.doesNotMatch(closingLines(run, summary, cells, { style: plain, columns: 80 }), /--resume/);
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

test("a server that leaks is named before anything is believed, once", () => {
  const leak = mark("leak", "its memory grows by 2 KiB a request: it seems to leak");
  const [first] = summary.cells.filter(({ cell }) => cell.label === "main");
  const leaking = summary.cells.map((one) => one.cell.point === first!.cell.point ? { ...one, marks: [leak] } : one);
  const text = closingLines(run, { ...summary, cells: leaking }, cells, { style: plain, columns: Infinity });
  assert.deepEqual(text.match(/^ {2}leak: .*$/gm), [`  leak: ${first!.name}: ${leak.text}`]);
});

test("no answer is said as one, with all reasons and the command that settles it", () => {
  const answer = {
    ...summary.answer,
    sentence: "No answer from this run: others used 48 % of the cores.",
    none: [
      mark("machine-contended", "others used 48 % of the cores"),
      mark("undecided", "none of 12 comparisons is decided"),
    ],
    questions: [],
    marks: [],
    settle: { rounds: 20, minutes: 14, sentence: "20 rounds would settle the 12 open comparisons." },
  };
  assert.deepEqual(answerLines(run, { answer }, { style: plain, columns: Infinity }).split("\n").slice(0, 2), [
    "No answer from this run: others used 48 % of the cores.",
    "Besides: none of 12 comparisons is decided.",
  ]);
  assert.match(
    closingLines(run, { ...summary, answer }, cells, { style: plain, columns: Infinity }),
    / {2}20 rounds would settle the 12 open comparisons\. A run of them takes about 14m 0s\.\n {4}bench run users --runtime node,deno,bun --store map,drizzle --size 10k,1m --rounds 20 --duration 3s --warmup 1s --warmup-loads 2\n/,
  );
});

test("commands that go on with a run name it and its folder where they were given by hand", () => {
  const given = { run: "night", results: "my runs" };
  const text = closingLines(run, summary, cells, { style: plain, columns: Infinity, given });
  assert.match(
    text,
    /^ {2}bench show night --results 'my runs' --all: all of it\n {2}bench report night --results 'my runs': /m,
  );
  assert.match(text, /^ {4}bench run users .* --results 'my runs'$/m);
  assert.match(text, /^ {4}bench explain users .* --results 'my runs'$/m);
  const stopped = { ...run, state: "interrupted" as const };
  assert.match(
    closingLines(stopped, summary, cells, { style: plain, columns: Infinity, given }),
    new RegExp(`^ {4}bench run --resume ${run.run} --results 'my runs'$`, "m"),
  );
  const plainText = closingLines(run, summary, cells, { style: plain, columns: Infinity });
  assert.match(plainText, /^ {2}bench show --all: all of it\n {2}bench report: a page with pictures$/m);
});
