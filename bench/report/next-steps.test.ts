import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { nextSteps } from "./next-steps.ts";

const { run, summary } = filesOf(makeFixture({ stores: ["map", "sqlite"], sizes: [10_000] }));

test("there are at most three steps, the one that decides more first, each with what it settles", () => {
  const settle = { rounds: 20, minutes: 14, sentence: "decide 2 of 3 open comparisons" };
  const left_out = [{ axis: "size", values: ["100k", "1m"] }, { axis: "store", values: ["linear"] }];
  const steps = nextSteps({ ...run, plan: { ...run.plan, left_out } }, {
    ...summary,
    answer: { ...summary.answer, settle },
  });
  assert.deepEqual(steps.map(({ what, ms }) => [what, ms]), [
    ["decide 2 of 3 open comparisons", 840_000],
    ["size 100k, 1m", 600_000],
    ["all figures, a page, why", null],
  ]);
  assert.ok(steps.every(({ commands }) => commands.every((each) => each.startsWith("bench "))));
});

test("what no run settles is said without a command, and a finished answer has only its figures", () => {
  const settle = { rounds: null, minutes: null, sentence: "no number of rounds decides the open comparison" };
  const [first] = nextSteps(run, { ...summary, answer: { ...summary.answer, settle } });
  assert.deepEqual(first, { what: settle.sentence, ms: null, commands: [] });
  assert.equal(nextSteps(run, { ...summary, answer: { ...summary.answer, settle: null } }).length, 1);
});
