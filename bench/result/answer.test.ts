/** The answer of a run by made-up verdicts. It is longer than others, as each sentence of an answer stands in it once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, bySpeed, ENGINE, GEAR, LOAD, UNTOLD } from "../../tests/fixtures/made-up-verdicts.ts";
import { cardAt, planWith } from "../../tests/fixtures/made-up-card.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import type { At } from "../../suites/suite.ts";
import type { Answer } from "../record/answer-schema.ts";
import { answerOf } from "./answer.ts";
import { answerSchema } from "../record/answer-schema.ts";
import { mark } from "../record/mark.ts";
import type { UserSpec } from "../record/user-spec.ts";

const sentences = ({ questions }: Answer) => questions.map(({ parts }) => parts.map(({ sentence }) => sentence));

test("a value faster than all others everywhere is taken, with one ratio for each, and nothing is left to settle", () => {
  const answer = answerOf(answerInput([ENGINE, LOAD], bySpeed));
  assert.equal(answer.sentence, "Engine: wind, 1.1 to 1.4 × water and steam.");
  assert.deepEqual([answer.settle, answer.marks, answer.none], [null, [], null]);
  const [{ claims, picks }] = answer.questions[0]!.parts as [Answer["questions"][0]["parts"][0]];
  assert.deepEqual(picks, ["wind"]);
  assert.deepEqual(claims.map(({ value, over, places, of, where }) => [value, over, places, of, where]), [
    ["wind", "steam", 3, 3, ""],
    ["wind", "water", 3, 3, ""],
  ]);
  assert.equal(answer.conditions, "1000 kg, 10000 kg and 100000 kg");
});

test("two that nothing tells apart are taken together, each with its own ratio", () => {
  const between = (steam: number, water: number) =>
    answerOf(answerInput([ENGINE], (a, b) => {
      const pair = [a["engine"], b["engine"]].sort().join();
      if (pair === "water,wind") return { near: 1.01 };
      return { faster: 1 / (pair === "steam,water" ? water : steam) };
    })).sentence;
  assert.equal(
    between(1.8, 1.84),
    "Engine: water or wind, 1.8 × steam. Which of the two: not decided, at most 1.03 × apart.",
  );
  assert.equal(
    between(2.87, 2.45),
    "Engine: water or wind, 2.5 to 2.9 × steam. Which of the two: not decided, at most 1.03 × apart.",
  );
});

const FIVE = planAxis("gear", ["iron", "wood", "tin", "bone", "rope"], { role: "condition" });

test("every loss of a pick is said, with what is faster there, and where nothing is known", () => {
  const answer = answerOf(
    answerInput([ENGINE, FIVE], (a, b) => {
      if (a["gear"] === "bone") return b["engine"] === "wind" ? { faster: 1.5 } : { faster: 1.2 };
      return a["gear"] === "rope" && a["engine"] === "water" ? UNTOLD : bySpeed(a, b);
    }),
  );
  assert.equal(
    answer.sentence,
    "Engine: wind, 1.1 × water at iron, wood and tin, 1.4 × steam at 4 of 5 places. " +
      "But steam is 1.5 × wind, water 1.5 × at bone. Not decided against water at rope.",
  );
});

test("a value that leads at half of the places or fewer is no pick, and all that is decided is said", () => {
  const answer = answerOf(answerInput([ENGINE, FIVE], (a, b) => {
    if (a["gear"] !== "bone" && a["gear"] !== "rope") return { near: 1.01, seen: 0.19 };
    return a["engine"] === "water" && b["engine"] === "wind" && a["gear"] === "rope" ? UNTOLD : bySpeed(a, b);
  }));
  assert.equal(
    answer.sentence,
    "Engine: At bone: wind, 1.1 to 1.4 × water and steam. At rope: water or wind, 1.3 to 1.4 × steam. " +
      "At iron, wood and tin: not decided.",
  );
  assert.deepEqual(answer.questions[0]!.parts[0]!.picks, []);
});

test("two faster than the rest are taken together, though nothing is known between them", () => {
  const open = (a: At, b: At) => [a["engine"], b["engine"]].sort().join() === "water,wind" ? UNTOLD : bySpeed(a, b);
  assert.equal(
    answerOf(answerInput([ENGINE], open)).sentence,
    "Engine: water or wind, 1.3 to 1.4 × steam. Which of the two: not decided.",
  );
});

test("a value that loses in three ways is no winner, and is said to lose", () => {
  const worse = (places: readonly string[]) =>
    answerOf(answerInput([planAxis("engine", ["steam", "water", "wind", "sun"]), SEVEN], (a, b) => {
      const lost = places.indexOf(String(a["gear"]));
      if (b["engine"] !== "sun") return { near: 1 };
      return { faster: ["steam", "water", "wind"][lost] === a["engine"] ? 1.5 : 0.5 };
    })).questions[0]!.parts[0]!;
  assert.deepEqual(worse(["a", "b"]).picks, ["sun"]);
  assert.deepEqual(worse(["a", "b", "c"]).picks, []);
  assert.deepEqual(worse(["a", "b", "c"]).by!.groups.map(({ values, picks }) => [values, picks]), [
    [["a", "b", "c"], []],
    [["d", "e", "f", "g"], ["sun"]],
  ]);
});

const SEVEN = planAxis("gear", ["a", "b", "c", "d", "e", "f", "g"], { role: "condition" });

test("values that are as good as more than two others are no picks, and what is proven is said", () => {
  const good = ["a", "b", "c", "d"];
  const axis = planAxis("engine", [...good, "e", "f", "g", "h", "i", "j"], { title: "Engine" });
  const answer = answerOf(answerInput([axis], (a, b) => {
    const [one, other] = [a, b].map(({ engine }) => good.includes(String(engine)));
    return one === other ? { near: 1 } : { faster: one ? 2 : 0.5 };
  }));
  assert.match(
    answer.sentence,
    /^Engine: not decided\. Proven: a is 2\.0 × 6 others, b is .* The others may be up to 1\.02 × apart\.$/,
  );
});

test("values that each win somewhere are told with their places, and no winner is made up", () => {
  const answer = answerOf(
    answerInput([planAxis("engine", ["steam", "wind"], { title: "Engine" }), GEAR], (a) => ({
      faster: a["gear"] === "iron" || a["gear"] === "wood" ? 1.3 : 0.8,
    })),
  );
  assert.equal(answer.sentence, "Engine: At iron and wood: steam, 1.3 × wind. At bone and rope: wind, 1.3 × steam.");
  const circle = answerOf(answerInput([ENGINE], (a, b) => ({
    faster: a["engine"] === "steam" && b["engine"] === "wind" ? 1.1 : 0.9,
  })));
  assert.deepEqual(circle.questions[0]!.parts[0]!.picks, []);
  assert.match(circle.sentence, /^Engine: not decided\. Proven: /);
});

test("labels and pairs named by hand are questions, too", () => {
  const labels = answerOf(answerInput([GEAR], () => ({ faster: 0.9 }), { labels: ["main", "after"] }));
  assert.equal(labels.sentence, "Label: after, 1.1 × main.");
  assert.equal(labels.questions[0]!.kind, "label");
  const { families, ...rest } = answerInput([ENGINE], bySpeed);
  const pair = { ...families[0]!, kind: "pair" as const, axis: null, title: "a against b" };
  const answer = answerOf({ ...rest, families: [{ ...pair, comparisons: pair.comparisons.slice(0, 1) }], cards: [] });
  assert.equal(answer.sentence, "a against b: water, 1.3 × steam.");
});

/** The axis of engines with something said of one of its values. */
function noted(value: string, facts: Record<string, string>) {
  const axis = planAxis("engine", ["steam", "water", "wind"], { title: "Engine" });
  axis.values = axis.values.map((one) => one.value === value ? { ...one, facts } : one);
  return axis;
}

test("what has a caveat is told beside what has none, and only where it is faster", () => {
  const asleep = { caveat: "stands still at night" };
  assert.deepEqual(sentences(answerOf(answerInput([noted("wind", asleep)], bySpeed))), [[
    "water, 1.3 × steam",
    "wind stands still at night: 1.1 × water",
  ]]);
  assert.deepEqual(sentences(answerOf(answerInput([noted("steam", asleep)], bySpeed))), [["wind, 1.1 × water"]]);
});

test("a value that a suite warns of is a footnote; a place with one is told apart where the pick loses there", () => {
  const warning = { warning: "shows what no wind costs" };
  const fuel = planAxis("fuel", ["oil", "coal", "none"], { title: "Fuel" });
  fuel.values = fuel.values.map((one) => one.value === "none" ? { ...one, facts: warning } : one);
  const answer = answerOf(
    answerInput([planAxis("engine", ["steam", "wind"], { title: "Engine" }), fuel], (a, b, axis) => {
      if (axis === "fuel") return { faster: b["fuel"] === "none" ? 20 : 2 };
      return { faster: a["fuel"] === "none" ? 3 : 0.5 };
    }),
  );
  assert.deepEqual(sentences(answer), [
    ["wind, 2.0 × steam. But steam is 3.0 × wind at none"],
    ["oil, 2.0 × coal", "none shows what no wind costs: 20 × slower than oil"],
  ]);
  assert.equal(answer.sentence, "Engine: wind, 2.0 × steam. But steam is 3.0 × wind at none. Fuel: oil, 2.0 × coal.");
});

test("no answer names the weightiest reason, and all the others follow", () => {
  const aa = mark("aa-different", "the run found a cell different from itself");
  const stopped = mark("interrupted", "the run was stopped before its end");
  const busy = mark("machine-contended", "in 9 of 10 observations others had the machine");
  const answer = answerOf(answerInput([ENGINE], () => UNTOLD, { marks: [stopped, busy, aa] }));
  assert.equal(answer.sentence, "No answer from this run: the run found a cell different from itself.");
  assert.deepEqual(answer.none, [
    aa,
    busy,
    mark("other-bound", "a cell is marked"),
    mark("undecided", "none of 3 comparisons is decided; 3 have no verdict"),
  ]);
  assert.deepEqual([answer.settle!.rounds, answer.settle!.sentence], [6, "repeat it when the machine is quiet"]);
  const steal = mark("machine-steal", "the hypervisor took 9.0 % of a core");
  const stolen = answerOf(answerInput([ENGINE], () => UNTOLD, { marks: [steal] }));
  assert.equal(stolen.settle!.sentence, "repeat it when the machine is quiet");
  const calm = answerOf(answerInput([ENGINE], () => UNTOLD));
  assert.equal(calm.settle!.sentence, "no number of rounds decides all 3 open comparisons", "nor does quiet");
  const few = { none: "1 of the 3 rounds a verdict needs", cause: "too-few-rounds" as const };
  const both = answerOf(answerInput([ENGINE], () => few, { marks: [busy] }));
  assert.deepEqual(both.none!.map(({ code }) => code), ["machine-contended", "too-few-rounds", "undecided"]);
  assert.doesNotMatch(both.none!.at(-1)!.text, /rounds/, "what is named is not named once more");
});

test("a run that speaks against itself claims nothing, however many comparisons are decided", () => {
  for (const code of ["machine-contended", "above-ceiling", "parts-disagree"] as const) {
    const answer = answerOf(answerInput([ENGINE, LOAD], bySpeed, { marks: [mark(code, "it cannot be")] }));
    assert.equal(answer.sentence, "No answer from this run: it cannot be.");
    assert.deepEqual(answer.questions.map(({ parts }) => parts.map(({ picks, claims }) => [picks, claims])), [[[
      [],
      [],
    ]]]);
    answerSchema.parse(answer);
  }
  const steal = answerOf(answerInput([ENGINE, LOAD], bySpeed, { marks: [mark("machine-steal", "some")] }));
  assert.deepEqual(steal.questions[0]!.parts[0]!.picks, ["wind"]);
});

test("what would settle it are rounds somebody would wait for, and how many comparisons they settle", () => {
  const rounds: Readonly<Record<string, number>> = { "steam water": 12, "steam wind": 30, "water wind": 455 };
  const near = (most: number) =>
    answerOf(answerInput([ENGINE], (a, b) => ({ near: 1.01, rounds: rounds[`${a["engine"]} ${b["engine"]}`]! }), {
      rounds: most,
    })).settle!;
  assert.equal(near(6).rounds, 30);
  assert.equal(near(6).sentence, "decide 2 of 3 open comparisons");
  assert.equal(near(2).rounds, 12);
  assert.equal(near(1).rounds, 12, "the least there is, where all are long");
  assert.equal(near(100).rounds, 455);
});

test("too few rounds, nothing measured and nothing compared are reasons of their own", () => {
  const few = answerOf(answerInput([ENGINE], () => ({
    none: "2 of the 3 rounds a verdict needs",
    cause: "too-few-rounds" as const,
  }), { rounds: 2 }));
  assert.equal(few.sentence, "No answer from this run: too few rounds: 2 of the 3 rounds a verdict needs.");
  assert.deepEqual([few.settle!.rounds, few.settle!.minutes], [3, 3]);
  const noise = {
    none: "an A/A pair has 1 of the two rounds a comparison needs",
    cause: "noise-floor-unknown" as const,
  };
  const once = answerOf(answerInput([ENGINE], () => noise, { rounds: 1 }));
  assert.equal(once.sentence, "No answer from this run: too few rounds: 1 of the 3 that verdicts need.");
  assert.deepEqual(sentences(once), [["not decided"]]);
  assert.equal(once.settle!.rounds, 3);
  const together = answerOf(answerInput([ENGINE], () => noise, { rounds: 1, cards: [] }));
  assert.equal(together.sentence, once.sentence, "what was measured together alone has no card");
  const plan = planWith([ENGINE]);
  const failed = cardAt(plan, { engine: "wind" }, null, {
    status: "failed",
    observations_ok: 0,
    marks: [mark("server-crashed", "it crashed")],
  });
  const none = answerOf(answerInput([ENGINE], () => UNTOLD, { cards: [failed] }));
  assert.equal(none.sentence, "No answer from this run: no cell was measured (wind is failed: it crashed).");
  assert.equal(none.settle?.helps, undefined, "nothing is known to help");
  const alone = answerInput([planAxis("engine", ["wind"])], () => UNTOLD);
  const contended = { ...failed, status: "invalid" as const, marks: [mark("contended", "others had the cores")] };
  assert.equal(answerOf({ ...alone, cards: [contended] }).settle?.sentence, "repeat it when the machine is quiet");
  assert.equal(answerOf({ ...alone, cards: [failed] }).settle, null);
  const single = answerOf(alone);
  assert.equal(single.sentence, "No answer from this run: no two cells were compared.");
  assert.equal(single.settle, null);
});

test("rates the generator limited are named as lower bounds", () => {
  const input = answerInput([ENGINE], bySpeed);
  const cards = input.cards.map((card, n) => n < 1 ? card : { ...card, bound: "generator" as const });
  assert.deepEqual(answerOf({ ...input, cards }).marks, [
    mark(
      "lower-bounds",
      'water and wind: the load generator was the limit, so their rates are lower bounds ("≥") and not ranked.',
    ),
  ]);
  assert.match(answerOf({ ...input, cards: cards.slice(0, 2) }).marks[0]!.text, /^water: .* its rate is a lower bound/);
});

test("an answer about cold caches says so, once, and of which cells", () => {
  const suites = answerInput([ENGINE], bySpeed);
  const own = { ...suites.plan.suite, own: { servers: [] } as unknown as UserSpec };
  const input = { ...suites, plan: { ...suites.plan, suite: own } };
  const cold = (of: (name: string) => boolean) => {
    const cells = input.cells.map((cell) => ({
      ...cell,
      marks: of(cell.name) ? [mark("cold-cache", "most values were requested at most once")] : [],
    }));
    assert.deepEqual(answerOf({ ...suites, cells }).marks, [], "suites of the project have no caches");
    const { marks, sentence } = answerOf({ ...input, cells });
    assert.equal(sentence, "Engine: wind, 1.1 to 1.4 × water and steam.", "it takes no verdict away");
    return marks.map(({ code, text }) => `${code}: ${text}`);
  };
  const names = input.cells.map(({ name }) => name);
  assert.deepEqual(cold(() => false), []);
  assert.deepEqual(cold((name) => name === names[1]), [
    `cold-cache: ${names[1]}: most values were requested at most once.`,
  ]);
  const [all, ...others] = cold(() => true);
  assert.deepEqual(others, []);
  assert.match(
    all!,
    /^cold-cache: Cold caches in (.+ and .+|\d+ cells); in .+ most values were requested at most once\.$/,
  );
});
