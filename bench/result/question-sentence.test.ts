import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerInput,
  bySpeed,
  ENGINE,
  GEAR,
  LOAD,
  speedOf,
  type Told,
  UNTOLD,
} from "../../tests/fixtures/made-up-verdicts.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { answerOf } from "./answer.ts";

test("the pick, its ratios, where another leads and what is decided are counted from the verdicts", () => {
  const answer = answerOf(answerInput([ENGINE, GEAR, LOAD], (a, b): Told => {
    const growth = 1 + 0.02 * Math.log10(Number(a["load"]) / 1_000);
    if (a["gear"] === "bone" && a["engine"] === "water") return { faster: 1.05 };
    if (a["gear"] === "wood" && a["load"] === 1_000 && b["engine"] === "water") return { near: 0.99 };
    return { faster: speedOf(a) / speedOf(b) / growth };
  }));
  assert.equal(
    answer.sentence,
    "Take wind: 1.12 to 1.16 × water, 1.40 to 1.46 × steam, except at bone, where water is faster; " +
      "35 of 36 comparisons decided.",
  );
  const [question] = answer.questions;
  assert.deepEqual(
    [question!.kind, question!.axis, question!.title, question!.mark, question!.pick, question!.also],
    ["axis", "engine", "Engine", "partly", "wind", []],
  );
  assert.deepEqual(question!.exceptions.map(({ why, value, at, places }) => [why, value, at, places]), [
    ["beaten", "water", "bone", 3],
  ]);
  assert.deepEqual(question!.ratios.map(({ value, decided, of }) => [value, decided, of]), [["steam", 12, 12], [
    "water",
    12,
    12,
  ]]);
  assert.equal(answer.none, null);
});

test("ties are told as ties, and by what says so", () => {
  const tied = (tie: Told) =>
    answerOf(answerInput([ENGINE, LOAD], (a) => a["engine"] === "steam" ? { faster: 0.8 } : tie));
  const same = tied({ same: 1.001 });
  assert.equal(same.sentence, "Take water or wind (equivalent): 1.25 × steam; 9 of 9 comparisons decided.");
  assert.deepEqual(same.questions[0]!.also, [{ value: "wind", how: "equivalent", places: 3, of: 3 }]);
  assert.equal(same.questions[0]!.mark, "proven");
  const near = tied({ near: 1.01, rounds: 40 });
  assert.equal(near.sentence, "Take water or wind (not separable): 1.25 × steam; 6 of 9 comparisons decided.");
  assert.deepEqual(near.questions[0]!.also, [{ value: "wind", how: "not-separable", places: 3, of: 3 }]);
  assert.equal(near.questions[0]!.mark, "partly");
  assert.deepEqual(near.settle, {
    rounds: 40,
    minutes: 40,
    sentence: "40 rounds would settle the 3 open comparisons.",
  });
});

test("a value as good at most places is named with the pick, and by how much it is slower elsewhere", () => {
  const tied = (places: readonly string[]) =>
    answerOf(answerInput([ENGINE, GEAR], (a, b): Told => {
      if (a["engine"] === "steam") return { faster: speedOf(a) / speedOf(b) };
      return places.includes(String(a["gear"])) ? { near: 1, rounds: 30 } : { faster: 1 / 1.05 };
    }));
  assert.equal(
    tied(["iron", "wood", "bone"]).sentence,
    "Take wind or water (not separable at 3 of 4 places): 1.40 × steam, wind 1.05 × water at rope; " +
      "9 of 12 comparisons decided.",
  );
  assert.equal(
    tied(["iron"]).sentence,
    "Take wind: 1.05 × water (3 of 4 decided), 1.40 × steam, not separable from water at iron; " +
      "11 of 12 comparisons decided.",
  );
});

test("values that nothing separates are no answer, with what would settle it", () => {
  const two = planAxis("engine", ["water", "wind"]);
  const answer = answerOf(
    answerInput([two, LOAD], (a) => ({ near: 1.01, rounds: a["load"] === 1_000 ? 20 : 14, seen: 0.06 })),
  );
  assert.equal(answer.sentence, "No answer from this run: none of 3 comparisons is decided; 3 are not separable.");
  assert.equal(
    answer.questions[0]!.sentence,
    "Open: water and wind are not separable (a difference of 6.0 % would have been seen); 0 of 3 comparisons decided.",
  );
  assert.deepEqual([answer.questions[0]!.mark, answer.questions[0]!.pick, answer.settle!.rounds], ["open", null, 20]);
  const one = answerOf(answerInput([two], () => ({ near: 1.01, rounds: 20 }), { roundMs: null }));
  assert.deepEqual(one.settle, { rounds: 20, minutes: null, sentence: "20 rounds would settle the open comparison." });
  assert.equal(one.none![0], "none of 1 comparison is decided; 1 is not separable");
  const never = answerOf(answerInput([two], () => ({ near: 1.01 })));
  assert.deepEqual(never.settle, {
    rounds: null,
    minutes: null,
    sentence: "No number of rounds would settle the open comparison, but a quieter machine may.",
  });
});

test("a pick that is decided at few places is told for these alone", () => {
  const answer = answerOf(
    answerInput([ENGINE, GEAR], (a, b) => a["gear"] === "rope" ? bySpeed(a, b) : UNTOLD),
  );
  assert.equal(
    answer.sentence,
    "At rope take wind: 1.12 × water (1 of 4 decided), 1.40 × steam (1 of 4 decided), open at iron, wood and bone; " +
      "3 of 12 comparisons decided.",
  );
  assert.equal(answer.questions[0]!.mark, "partly");
  assert.equal(
    answer.settle!.sentence,
    "No number of rounds would settle the 9 open comparisons, but cells without marks (a cell is marked) may.",
  );
});

test("one value without any verdict leaves the pick open, and what is known of the others is said", () => {
  const answer = answerOf(
    answerInput(
      [ENGINE, LOAD],
      (a, b) => a["engine"] === "steam" ? { none: "steam is too slow to share" } : bySpeed(a, b),
    ),
  );
  assert.equal(answer.questions[0]!.pick, null);
  assert.equal(
    answer.questions[0]!.sentence,
    "Open: no verdict on steam; of the others take wind: 1.12 × water; 3 of 3 comparisons decided.",
  );
  assert.equal(
    answer.sentence,
    "No answer from this run: 3 of 9 comparisons are decided, which is too little for a pick; " +
      "6 have no verdict (most often: steam is too slow to share).",
  );
});

test("a value without a verdict at some places does not hide what leads the others there, and proves nothing", () => {
  const without = (places: readonly string[], of = "steam") =>
    answerOf(answerInput([ENGINE, GEAR], (a, b) => {
      const marked = [a, b].some((at) => at["engine"] === of && places.includes(String(at["gear"])));
      return marked ? UNTOLD : bySpeed(a, b);
    })).questions[0]!;
  const once = without(["iron"]);
  assert.equal(
    once.sentence,
    "Take wind: 1.12 × water, 1.40 × steam (3 of 4 decided), no verdict on steam at iron; 10 of 12 comparisons decided.",
  );
  assert.deepEqual([once.mark, once.untold], ["partly", [{ value: "steam", places: 1, of: 4, at: "iron" }]]);
  assert.equal(
    without(["iron", "wood", "bone"]).sentence,
    "Of water and wind take wind: 1.12 × water, 1.40 × steam (1 of 4 decided), no verdict on steam at iron, wood and " +
      "bone; 6 of 12 comparisons decided.",
  );
  const picked = without(["iron"], "wind");
  assert.equal(
    picked.sentence,
    "Take wind: 1.12 × water (3 of 4 decided), 1.40 × steam (3 of 4 decided), open at iron; 10 of 12 comparisons decided.",
  );
  assert.equal(picked.untold, undefined);
});

test("whatever beats the pick is named with where it does", () => {
  const slower = (at: Parameters<typeof speedOf>[0]) =>
    at["load"] === 1_000 && (at["gear"] === "iron" || at["gear"] === "wood" && at["engine"] !== "steam");
  const speed = (at: Parameters<typeof speedOf>[0]) =>
    speedOf(at) * (slower(at) ? at["engine"] === "wind" ? 0.5 : 0.6 : 1);
  const answer = answerOf(answerInput([ENGINE, GEAR, LOAD], (a, b) => ({ faster: speed(a) / speed(b) })));
  assert.match(
    answer.questions[0]!.sentence,
    /, except at iron with 1000 kg, where water is faster, and at wood with 1000 kg, where steam is faster;/,
  );
});

test("verdicts that name nobody first are said all the same", () => {
  const answer = answerOf(
    answerInput([ENGINE], (a, b): Told => {
      if (a["engine"] === "water") return UNTOLD;
      return b["engine"] === "wind" ? bySpeed(a, b) : { near: 0.98 };
    }),
  );
  assert.equal(
    answer.questions[0]!.sentence,
    "Open: nothing leads, but wind is 1.40 × steam; 1 of 3 comparisons decided.",
  );
});

test("where each place has another winner it depends, and nothing is picked", () => {
  const two = planAxis("engine", ["water", "wind"]);
  const answer = answerOf(
    answerInput([two, GEAR], (a) => ({ faster: ["iron", "wood"].includes(String(a["gear"])) ? 1.2 : 0.8 })),
  );
  assert.equal(
    answer.sentence,
    "It depends: take water at iron and wood, wind at bone and rope; 4 of 4 comparisons decided.",
  );
  assert.deepEqual([answer.questions[0]!.pick, answer.questions[0]!.mark, answer.none], [null, "partly", null]);
});

test("where two lead at as many places and each beats the other once, neither is picked", () => {
  const told = (twice: boolean) =>
    answerOf(answerInput([ENGINE, GEAR], (a, b): Told => {
      if (a["engine"] === "steam" || b["engine"] === "steam") return bySpeed(a, b);
      const wind = a["engine"] === "wind" ? 1.2 : 1 / 1.2;
      if (a["gear"] === "iron" || twice && a["gear"] === "bone") return { faster: wind };
      return a["gear"] === "wood" ? { faster: 1 / wind } : { near: 1, rounds: 30 };
    })).sentence;
  assert.equal(
    told(false),
    "It depends: take water or wind at bone and rope, wind at iron, water at wood; 10 of 12 comparisons decided.",
  );
  assert.equal(
    told(true),
    "Take wind: 1.20 × water (3 of 4 decided), 1.40 × steam, except at wood, where water is faster, not separable from " +
      "water at rope; 11 of 12 comparisons decided.",
  );
});

test("a place without the pick is an exception, with what leads there", () => {
  const answer = answerOf(
    answerInput([ENGINE, GEAR], bySpeed, { without: (at) => at["engine"] === "wind" && at["gear"] === "iron" }),
  );
  assert.equal(
    answer.sentence,
    "Take wind: 1.12 × water, 1.40 × steam, not compared at iron, where water leads; 10 of 10 comparisons decided.",
  );
  assert.equal(answer.questions[0]!.mark, "partly");
});
