import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { shownAnswer } from "./answer.ts";

const files = filesOf(
  makeFixture({ runtimes: ["node", "bun"], stores: ["map", "sqlite"], sizes: [10_000, 1_000_000] }),
);
const where = (wanted: Readonly<Record<string, string | number>>) =>
  files.cells.filter(({ cell }) => Object.entries(wanted).every(([axis, value]) => cell.point.at[axis] === value));

test("with every cell shown the answer is the run's own", () => {
  const answer = shownAnswer(files, files.cells);
  assert.equal(answer, files.summary.answer);
  assert.deepEqual(answer.questions.map(({ title, parts }) => [title, parts[0]!.picks]), [
    ["Runtime", ["bun"]],
    ["Store", ["map"]],
  ]);
  assert.match(answer.sentence, /^Runtime: bun, 1\.3.* × node.* Store: map, .* × sqlite/);
  assert.match(
    answer.marks.at(-1)!.text,
    /^bun\/map\/10k: the load generator was the limit, so its rate is a lower bound/,
  );
});

test("with some of them shown only the verdicts between these count", () => {
  const large = shownAnswer(files, where({ size: 1_000_000 }));
  assert.deepEqual(large.questions.map(({ decided, of }) => [decided, of]), [[2, 2], [2, 2]]);
  assert.deepEqual(large.marks, []);
  const alone = shownAnswer(files, where({ runtime: "bun" }));
  assert.deepEqual(alone.questions.map(({ title, decided, of }) => [title, decided, of]), [["Store", 2, 2]]);
  assert.match(alone.sentence, /^Store: map, at least 1\.\d+ × sqlite\. All by single rates\.$/);
  const one = shownAnswer(files, files.cells.slice(0, 1));
  assert.equal(one.sentence, "No answer from what is shown: no two cells were compared.");
});

test("odd names stand in answers as they are, and what cannot be measured is no answer's fault", () => {
  const { run, summary } = filesOf(makeOddFixture());
  const { questions } = summary.answer;
  assert.deepEqual(questions.slice(0, 2).map(({ parts }) => parts[0]!.picks.join()), ['a/b, "c"', "straße = 雪 @aa"]);
  assert.equal(questions[0]!.title, run.plan.axes[0]!.title);
  assert.equal(questions.at(-1)!.kind, "pair");
  assert.equal(summary.answer.none, null);
});
