import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { roughLooks } from "../result/rough-look.ts";
import { summaryOf } from "../result/summary-of.ts";
import { widthOf } from "./align.ts";
import { soFarLines, soFarText } from "./so-far.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false, {});
const made = makeFixture({ stores: ["map", "drizzle"], sizes: [10_000], together: "plan" });
const { run } = filesOf(made);
const linesOf = (rounds: number) => made.lines.filter(({ round }) => round < rounds);
const after = (rounds: number) => ({
  answer: summaryOf({ ...run, state: "running" }, linesOf(rounds)).answer,
  looks: [],
});

test("before there are verdicts there is no answer, and why is said", () => {
  const text = soFarText(run.plan, after(1));
  assert.match(text, /^so far, after 1 of 6 rounds \(provisional\): no answer yet: too few rounds: 1 of the 3 /);
  assert.equal(soFarLines(run.plan, after(1), plain, 60, 20).join(" "), text);
});

test("after one round there is a rough look: values by what they cost, and that nothing is proven", () => {
  const looks = roughLooks(run.plan, linesOf(1));
  assert.deepEqual(looks.map(({ title }) => title), ["Runtime", "Store"]);
  assert.equal(looks[0]!.values[0]!.times, 1);
  assert.ok(looks.every(({ values }) => values.every(({ times }, n) => n === 0 || times >= values[n - 1]!.times)));
  const text = soFarText(run.plan, { ...after(1), looks });
  assert.match(
    text,
    /^so far a rough look, nothing proven: Runtime: \w+, about 1\.\d+ × \w+, .* Store: \w+, about .* \(no answer yet: /,
  );
  assert.equal(soFarLines(run.plan, { ...after(1), looks }, plain, 60, 20).join(" "), text);
});

test("with verdicts each question is answered in whole sentences, or by its picks alone where these are too long", () => {
  const reached = after(4);
  const { answer } = reached;
  const sentences = answer.questions.map(({ title, parts }) => `${title}: ${parts[0]!.sentence}.`);
  assert.equal(soFarText(run.plan, reached), `so far, after 4 of 6 rounds (provisional): ${sentences.join(" ")}`);
  const whole = soFarLines(run.plan, reached, plain, 60, 20);
  assert.equal(whole[0], "so far, after 4 of 6 rounds (provisional):");
  assert.equal(whole.slice(1).map((line) => line.trim()).join(" "), sentences.join(" "));
  for (const line of whole) assert.ok(widthOf(line) <= 60, line);
  const picks = soFarLines(run.plan, reached, plain, 60, whole.length - 1);
  assert.deepEqual(
    picks.slice(1),
    answer.questions.map(({ title, parts }) => `  ${title}: ${parts[0]!.picks.join(" or ")}`),
  );
});

test("spare rounds are told apart from those of the plan", () => {
  assert.match(soFarText({ rounds: 3 }, after(5)), /^so far, after 5 rounds, 2 of them spare \(provisional\): /);
  assert.equal(
    soFarLines({ rounds: 3 }, after(4), plain, 60, 20)[0],
    "so far, after 4 rounds, 1 of them spare (provisional):",
  );
});
