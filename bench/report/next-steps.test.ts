import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { mark } from "../record/mark.ts";
import { noVerdict } from "../statistics/verdict.ts";
import { nextSteps } from "./next-steps.ts";

const { run, summary } = filesOf(makeFixture({ stores: ["map", "sqlite"], sizes: [10_000] }));

test("there are at most three steps, the one that decides more first, each with what it settles", () => {
  const left_out = [{ axis: "size", values: ["100k", "1m"] }, { axis: "store", values: ["linear"] }];
  const steps = nextSteps({ ...run, plan: { ...run.plan, left_out } }, summary);
  assert.deepEqual(steps.slice(-2).map(({ what, ms }) => [what, ms]), [
    ["size 100k, 1m", 420_000],
    ["all figures, a page, why", null],
  ]);
  assert.ok(steps.length <= 3 && steps.every(({ commands }) => commands.every((each) => each.startsWith("bench "))));
});

test("what rounds decide is a settle of the run as it was named, with its time", () => {
  const [first] = nextSteps(run, summary, { run: "night", results: "my runs" });
  assert.match(first!.what, /^decide .*open comparisons$/);
  assert.deepEqual(first!.commands, ["bench settle night --results 'my runs'"]);
  assert.ok(first!.ms! > 0 && first!.ms! <= 600_000);
});

test("what no run settles is said without a command, and a finished answer has only its figures", () => {
  const settle = { rounds: null, minutes: null, sentence: "no number of rounds decides the open comparison" };
  const marked = summary.families.map((family) => ({
    ...family,
    comparisons: family.comparisons.map((one) =>
      one.verdict === "faster" && one.ratio > 1.2 ? one : noVerdict(one, [mark("server-crashed", "it fell")])
    ),
  }));
  const [first] = nextSteps(run, { ...summary, families: marked, answer: { ...summary.answer, settle } });
  assert.deepEqual(first, { what: settle.sentence, ms: null, commands: [] });
  const decided = summary.families.map((family) => ({
    ...family,
    comparisons: family.comparisons.filter(({ verdict, ratio }) => verdict === "faster" && ratio > 1.2),
  }));
  assert.equal(
    nextSteps(run, { ...summary, families: decided, answer: { ...summary.answer, settle: null } }).length,
    1,
  );
});
