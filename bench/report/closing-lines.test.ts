import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { closingLines } from "./closing-lines.ts";
import { styleFor } from "./style.ts";
import { mark } from "../record/mark.ts";

const plain = styleFor(false, {});
const made = makeFixture({ stores: ["map", "drizzle"], sizes: [10_000, 1_000_000] });
const { run, cells, summary } = filesOf(made);

test("a run closes with its answer, question by question, then bound, noise and grade", () => {
  const text = closingLines(run, summary, cells, plain);
  const [head, sentence, ...rest] = text.split("\n");
  const [runtime, store] = summary.answer.questions.map(({ parts }) => parts[0]!.sentence);
  assert.deepEqual([head, sentence], ["What to take", `  Runtime: ${runtime}.`]);
  assert.equal(rest[0], `  Store: ${store}.`);
  assert.match(rest[1]!, /^ {2}Valid for 10k users and 1m users, read, .*, on AMD EPYC /);
  assert.match(text, /bound: the server was the limit in 11 of 12 cells; the load generator in 1, shown as "≥"/);
  assert.match(text, /the generator's ceiling is \d+k to \d+k req\/s, by kind of request/);
  assert.match(text, /noise: servers measured together tell differences from \d/);
  assert.match(text, /grade: shared, /);
  assert.doesNotMatch(text, /not proven/);
  assert.equal(closingLines(run, summary, [], plain), "");
});

test("a server that leaks is named before anything is believed, once", () => {
  const own = mark("leak", "its memory grows by 2 KiB a request: it seems to leak");
  const [first] = summary.cells.filter(({ cell }) => cell.label === "main");
  const leaking = summary.cells.map((one) => one.cell.point === first!.cell.point ? { ...one, marks: [own] } : one);
  const text = closingLines(run, { ...summary, cells: leaking }, cells, plain);
  assert.deepEqual(text.match(/^ {2}leak: .*$/gm), [`  leak: ${first!.name}: ${own.text}`]);
});

test("no answer is said as one, with all reasons and the command that settles it", () => {
  const answer = {
    ...summary.answer,
    sentence: "No answer from this run: others used 48 % of the cores.",
    none: ["others used 48 % of the cores", "none of 12 comparisons is decided"],
    questions: [],
    caveats: [],
    settle: { rounds: 20, minutes: 14, sentence: "20 rounds would settle the 12 open comparisons." },
  };
  const lines = closingLines(run, { ...summary, answer }, cells, plain).split("\n").slice(1, 5);
  assert.deepEqual(lines, [
    "  No answer from this run: others used 48 % of the cores.",
    "  Besides: none of 12 comparisons is decided.",
    "  To settle it: 20 rounds would settle the 12 open comparisons. A run of them takes about 14m 0s.",
    "    bench run users --runtime node,deno,bun --store map,drizzle --size 10k,1m --rounds 20 --duration 3s " +
    "--warmup 1s --warmup-loads 2",
  ]);
});
