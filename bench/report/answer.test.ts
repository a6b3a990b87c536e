import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { answersOf } from "./answer.ts";

test("each condition has an answer: what is fastest, what verdicts say on each contrast axis, and what is not ranked", () => {
  const { run, summary, cells } = filesOf(
    makeFixture({ runtimes: ["node", "bun"], stores: ["map", "sqlite"], sizes: [10_000, 1_000_000] }),
  );
  const [small, large] = answersOf(run, summary, cells);
  assert.deepEqual([small!.place, large!.place, large!.pick, large!.proven], [
    "10k users",
    "1m users",
    "bun with map",
    true,
  ]);
  const text = large!.sentences.join("\n");
  assert.match(text, /^bun with map is the fastest ranked: [\d.]+k req\/s \[/);
  assert.match(text, /^Runtime, with map: bun faster than node by 1\.3/m);
  assert.match(text, /^Store, with bun: map faster than sqlite by 1\.4/m);
  assert.match(small!.sentences.at(-1)!, /^bun with map: the load generator was the limit/);
});

test("a caveat of what is fastest is said with the best that has none", () => {
  const made = makeFixture({ stores: ["map", "sqlite"], sizes: [10_000] });
  for (const value of made.run.plan.axes.find(({ name }) => name === "store")!.values) {
    if (value.value === "map") value.facts = { caveat: "keeps its data in memory only" };
  }
  const { run, summary, cells } = filesOf(made);
  const text = answersOf(run, summary, cells)[0]!.sentences.join("\n");
  assert.match(
    text,
    /^map keeps its data in memory only; of the others \w+ with sqlite leads: [\d.]+k req\/s \[.*\]\.$/m,
  );
});

test("odd names stand in answers as they are, and what cannot be measured is no answer's fault", () => {
  const { run, summary, cells } = filesOf(makeOddFixture());
  const answers = answersOf(run, summary, cells);
  assert.deepEqual(answers.map(({ pick }) => pick), Array(3).fill('a/b, "c" with straße = 雪 @aa'));
  const never = cells.filter(({ status }) => status === "unsupported");
  assert.deepEqual(answersOf(run, summary, never).map(({ pick, sentences }) => [pick, ...sentences]), [[
    null,
    "No cell here may be ranked.",
  ]]);
});
