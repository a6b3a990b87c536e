import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { mark } from "../record/mark.ts";
import { widthOf } from "./align.ts";
import { answerBlock, type BlockInput, hiddenBelow } from "./answer-block.ts";
import { blockMarkdown, blockText } from "./block-text.ts";
import { markdownFile } from "./markdown.ts";
import { styleFor } from "./style.ts";

const files = filesOf(makeFixture({ stores: ["map", "drizzle"], sizes: [10_000, 1_000_000] }));
const { run, summary } = files;
const options = { style: styleFor(false, {}), columns: Infinity };
const textOf = (input: Partial<BlockInput> = {}) => {
  const whole = { run, summary, columns: 80, ...input };
  return blockText(whole.run.plan, answerBlock(whole), options);
};

test("a block says how sure, each question, what it holds for, a table of the places, memory and next steps, in this order", () => {
  const lines = textOf().split("\n");
  const at = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line));
  const places = [
    at(/^ANSWER {2}6 rounds, shared machine: can miss differences below about [\d.]+ %, of/),
    ...[at(/^RUNTIME {2}deno or bun: /), at(/^STORE {4}map: /), at(/^FOR {6}10k users/)],
    ...[at(/^Requests per .*second, \w+ = 1 in each row/), at(/^NEXT {5}/), at(/bench show --all$/)],
  ];
  assert.ok(places.every((place) => place >= 0), `${places}\n${lines.join("\n")}`);
  assert.deepEqual(places, places.toSorted((a, b) => a - b), lines.join("\n"));
  assert.ok(lines.at(-3)!.includes("bench "), lines.join("\n"));
});

test("a finished run of five stores on three runtimes is 24 lines of 80 columns", () => {
  const made = filesOf(makeFixture({ stores: ["linear", "map", "binary", "sqlite", "drizzle"], sizes: [10_000] }));
  const plan = { ...made.run.plan, left_out: [{ axis: "size", values: ["100k"] }] };
  const block = answerBlock({ run: { ...made.run, plan }, summary: made.summary, columns: 80 });
  const lines = blockText(plan, block, options).trimEnd().split("\n");
  assert.ok(lines.every((line) => widthOf(line) <= 80), lines.join("\n"));
  assert.ok(lines.length <= 24, `${lines.length} lines\n${lines.join("\n")}`);
});

test("a run that is not finished ends with the command that goes on with it, and a named one names it", () => {
  const stopped = textOf({ run: { ...run, state: "interrupted" } });
  assert.match(stopped, new RegExp(`bench run --resume ${run.run}$`, "m"));
  assert.match(stopped, /^ROUGH ANSWER/m);
  assert.doesNotMatch(textOf(), /--resume/);
  const given = textOf({ given: { run: "night", results: "my runs" } });
  assert.match(given, /bench show night --results 'my runs' --all$/m);
});

test("without an answer its reasons stand first, and no table", () => {
  const none = [mark("machine-contended", "others used 48 % of the cores"), mark("undecided", "none of 12 is decided")];
  const answer = { ...summary.answer, none, questions: [], marks: [], settle: null };
  const text = textOf({ summary: { ...summary, answer } });
  assert.match(text, /^NO ANSWER {2}others used 48 % of the cores$/m);
  assert.match(text, /^NOTE {2}Besides: none of 12 is decided$/m);
  assert.doesNotMatch(text, /= 1/);
});

test("what a quick plan left out is said before the table, and is a step with its command", () => {
  const plan = { ...run.plan, left_out: [{ axis: "size", values: ["100k"] }] };
  const text = textOf({ run: { ...run, plan } });
  assert.match(text, /^NOT RUN {2}size 100k\.$/m);
  assert.match(text, /size 100k \(7 min\):\s+bench run users --size 100k --quick$/m);
});

test("a block in Markdown has the same questions and table, and steps only where they are wanted", () => {
  const block = answerBlock({ run, summary, columns: 110 });
  const linesOf = (some: typeof block) => markdownFile(blockMarkdown(run.plan, some)).split("\n");
  const lines = linesOf(block);
  assert.ok(lines.some((line) => /^- \*\*Runtime: deno or bun: /.test(line)), lines.join("\n"));
  assert.ok(lines.some((line) => /^\| *\| drizzle \| map \|/.test(line)), lines.join("\n"));
  assert.ok(lines.includes("  - `bench show --all`"), lines.join("\n"));
  assert.ok(!linesOf({ ...block, next: [] }).some((line) => line.includes("bench show")));
});

test("what can hide is the median over comparisons: of an even number the mean of the two in the middle", () => {
  const at = (...shares: number[]) => {
    const [one] = summary.families.flatMap(({ comparisons }) => comparisons).filter(({ ratio }) => ratio !== null);
    const comparisons = shares.map((share) =>
      ({ ...one!, basis: "together", smallest_detectable: share }) as typeof one & object
    );
    return hiddenBelow({ families: [{ comparisons }] });
  };
  assert.deepEqual(at(0.1, 0.2, 0.9), [{ basis: "together", share: 0.2 }]);
  assert.ok(Math.abs(at(0.1, 0.2, 0.3, 0.9)[0]!.share - 0.25) < 1e-12);
});
