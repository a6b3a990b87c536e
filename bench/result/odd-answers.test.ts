import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";

test("odd names stand in answers as they are, and what cannot be measured is no answer's fault", () => {
  const { run, summary } = filesOf(makeOddFixture());
  const { questions } = summary.answer;
  assert.deepEqual(questions.slice(0, 2).map(({ parts }) => parts[0]!.picks.join()), ['a/b, "c"', "straße = 雪 @aa"]);
  assert.equal(questions[0]!.title, run.plan.axes[0]!.title);
  assert.equal(questions.at(-1)!.kind, "pair");
  assert.equal(summary.answer.none, null);
});
