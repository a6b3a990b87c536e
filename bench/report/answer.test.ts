import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { settlingOf } from "./answer.ts";

const files = filesOf(
  makeFixture({ runtimes: ["node", "bun"], stores: ["map", "sqlite"], sizes: [10_000, 1_000_000] }),
);

test("what would settle an open question is said with its time and as a command", () => {
  const settle = { rounds: 20, minutes: 14, sentence: "20 rounds would settle the open comparison." };
  assert.deepEqual(settlingOf(files.run, { ...files.summary.answer, settle }), {
    text: "20 rounds would settle the open comparison. A run of them takes about 14m 0s.",
    command:
      "bench run users --runtime node,bun --store map,sqlite --size 10k,1m --rounds 20 --duration 3s --warmup 1s " +
      "--warmup-loads 2",
  });
  const warm = { ...settle, minutes: null, warmup_ms: 15_000 };
  assert.match(
    settlingOf(files.run, { ...files.summary.answer, settle: warm })!.command!,
    / --rounds 20 .* --warmup 15s/,
  );
  const never = { ...settle, rounds: null, minutes: null };
  assert.deepEqual(settlingOf(files.run, { ...files.summary.answer, settle: never }), {
    text: settle.sentence,
    command: null,
  });
  assert.equal(settlingOf(files.run, { ...files.summary.answer, settle: null }), null);
});

test("odd names stand in answers as they are, and what cannot be measured is no answer's fault", () => {
  const { run, summary } = filesOf(makeOddFixture());
  const { questions } = summary.answer;
  assert.deepEqual(questions.slice(0, 2).map(({ parts }) => parts[0]!.picks.join()), ['a/b, "c"', "straße = 雪 @aa"]);
  assert.equal(questions[0]!.title, run.plan.axes[0]!.title);
  assert.equal(questions.at(-1)!.kind, "pair");
  assert.equal(summary.answer.none, null);
});
