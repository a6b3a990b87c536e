import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, bySpeed, ENGINE, GEAR, LOAD, type Told, UNTOLD } from "../../tests/fixtures/made-up-verdicts.ts";
import { cardAt, planWith } from "../../tests/fixtures/made-up-card.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { createRandom } from "../basics/random.ts";
import type { Answer } from "../record/answer-schema.ts";
import { inverse } from "../record/inverse.ts";
import { type AnswerInput, answerOf } from "./answer.ts";
import { answerSchema } from "../record/answer-schema.ts";
import { mark } from "../record/mark.ts";

const sentences = ({ questions }: Answer) => questions.map(({ parts }) => parts.map(({ sentence }) => sentence));

test("a value faster than all others everywhere is taken, with one ratio for each, and nothing is left to settle", () => {
  const answer = answerOf(answerInput([ENGINE, LOAD], bySpeed));
  assert.equal(answer.sentence, "Engine: wind, 1.12 × water; 1.40 × steam.");
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
  assert.equal(between(1.8, 1.84), "Engine: water or wind, each about 1.8 × steam; no difference found between them.");
  assert.equal(
    between(2.87, 2.45),
    "Engine: water or wind, water 2.45 × and wind 2.87 × steam; no difference found between them.",
  );
});

test("every loss of a pick is said, with what is faster there, and where nothing is known", () => {
  const answer = answerOf(
    answerInput([ENGINE, GEAR], (a, b) => {
      if (a["gear"] === "bone") return b["engine"] === "wind" ? { faster: 1.5 } : { faster: 1.2 };
      return a["gear"] === "rope" && a["engine"] === "water" ? UNTOLD : bySpeed(a, b);
    }),
  );
  assert.equal(
    answer.sentence,
    "Engine: wind, 1.12 × water at iron and wood, no verdict at rope; 1.40 × steam at iron, wood and rope; " +
      "but steam is 1.50 × wind at bone; but water is 1.50 × wind at bone.",
  );
});

test("values that each win somewhere are told with their places, and no winner is made up", () => {
  const answer = answerOf(
    answerInput([planAxis("engine", ["steam", "wind"], { title: "Engine" }), GEAR], (a) => ({
      faster: a["gear"] === "iron" || a["gear"] === "wood" ? 1.3 : 0.8,
    })),
  );
  assert.equal(
    answer.sentence,
    "Engine: it depends: steam is 1.30 × wind at iron and wood, wind is 1.25 × steam at bone and rope.",
  );
  const circle = answerOf(answerInput([ENGINE], (a, b) => ({
    faster: a["engine"] === "steam" && b["engine"] === "wind" ? 1.1 : 0.9,
  })));
  assert.deepEqual(circle.questions[0]!.parts[0]!.picks, []);
  assert.match(circle.sentence, /^Engine: nothing leads: /);
});

test("labels and pairs named by hand are questions, too", () => {
  const labels = answerOf(answerInput([GEAR], () => ({ faster: 0.9 }), { labels: ["main", "after"] }));
  assert.equal(labels.sentence, "Label: after, 1.11 × main.");
  assert.equal(labels.questions[0]!.kind, "label");
  const { families, ...rest } = answerInput([ENGINE], bySpeed);
  const pair = { ...families[0]!, kind: "pair" as const, axis: null, title: "a against b" };
  const answer = answerOf({ ...rest, families: [{ ...pair, comparisons: pair.comparisons.slice(0, 1) }], cards: [] });
  assert.equal(answer.sentence, "a against b: water, 1.25 × steam.");
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
    "water, 1.25 × steam",
    "wind stands still at night; it is 1.12 × water",
  ]]);
  assert.deepEqual(sentences(answerOf(answerInput([noted("steam", asleep)], bySpeed))), [["wind, 1.12 × water"]]);
});

test("what a suite warns of is a footnote: as a value, and as the place where others meet", () => {
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
    ["wind, 2.00 × steam", "at none: steam, 3.00 × wind"],
    ["oil, 2.00 × coal", "none shows what no wind costs; oil is 20.0 × none"],
  ]);
  assert.equal(answer.sentence, "Engine: wind, 2.00 × steam. Fuel: oil, 2.00 × coal.");
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
  assert.match(answer.settle!.sentence, /but a quieter machine may\.$/);
  const steal = mark("machine-steal", "the hypervisor took 9.0 % of a core");
  const stolen = answerOf(answerInput([ENGINE], () => UNTOLD, { marks: [steal] }));
  assert.match(stolen.settle!.sentence, /but a quieter machine may\.$/);
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
  assert.match(near(6).sentence, /^30 rounds would settle 2 of the 3 undecided comparisons; the rest/);
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
  assert.deepEqual(sentences(once), [["not decided: there is no verdict"]]);
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
  const single = answerOf(answerInput([planAxis("engine", ["wind"])], () => UNTOLD));
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

test("of ten thousand random tables no claim is without verdicts that carry it, and no pick's loss is left out", () => {
  const seed = 20_261_126;
  const random = createRandom(seed);
  const any = (): Told => {
    const ratio = 0.7 + 0.6 * random();
    const kind = Math.floor(4 * random() ** 2);
    return kind === 0 ? { faster: ratio } : kind === 1 ? { same: 1 } : kind === 2 ? { near: ratio, rounds: 9 } : UNTOLD;
  };
  const withNotes = () => {
    const axis = planAxis("engine", ["steam", "water", "wind", "sun"].slice(0, 2 + Math.floor(3 * random())));
    const note = (): Record<string, string> => {
      const drawn = random();
      return drawn < 0.15 ? { warning: "warns" } : drawn < 0.3 ? { caveat: "has a flaw" } : {};
    };
    axis.values = axis.values.map((one) => ({ ...one, facts: note() }));
    const gear = planAxis("gear", ["iron", "wood"], { role: "condition" });
    gear.values = gear.values.map((one) => ({ ...one, facts: random() < 0.2 ? { warning: "warns" } : {} }));
    return [axis, gear];
  };
  let [claims, losses, picked] = [0, 0, 0];
  for (let n = 0; n < 10_000; n++) {
    const input = answerInput(withNotes(), any);
    const answer = answerSchema.parse(answerOf(input));
    const found = checkClaims(input, answer, `seed ${seed}, table ${n}: ${answer.sentence}`);
    [claims, losses, picked] = [claims + found.claims, losses + found.losses, picked + found.picked];
  }
  assert.ok(claims > 10_000 && losses > 1_000 && picked > 1_000, `${claims} claims, ${losses} losses, ${picked} picks`);
});

/** Checks each claim against the verdicts of its run, and that no verdict against a pick is missing. */
function checkClaims({ families }: AnswerInput, { questions }: Answer, context: string) {
  const verdicts = families.flatMap(({ comparisons }) => comparisons).flatMap((one) => [one, inverse(one)]);
  const valueOf = (cell: string) => cell.split("/")[0]!;
  let [count, losses, picked] = [0, 0, 0];
  for (const { parts } of questions) {
    const said = parts.flatMap((part) => part.claims);
    for (const part of parts) {
      const others = new Set(part.claims.flatMap(({ value, over }) => [value, over]));
      for (const claim of part.claims) {
        count++;
        assert.equal(claim.verdicts.length, claim.places, context);
        const own = claim.verdicts.map(({ over, under }) => {
          assert.deepEqual([valueOf(over), valueOf(under)], [claim.value, claim.over], context);
          return verdicts.find((one) => one.over === over && one.under === under)!;
        });
        const wanted = { faster: "faster", equivalent: "equivalent", "no-difference": "not-separable" }[claim.says];
        assert.ok(own.every(({ verdict }) => verdict === wanted), context);
        assert.deepEqual(
          [claim.least, claim.greatest],
          [Math.min(...own.map(({ ratio }) => ratio!)), Math.max(...own.map(({ ratio }) => ratio!))],
          context,
        );
        assert.ok(claim.interval.low <= claim.least && claim.interval.high >= claim.greatest, context);
        if (claim.says === "faster" && part.picks.includes(claim.over)) {
          assert.ok(part.sentence.includes(`${claim.value} is `), `${context} ${part.sentence}`);
        }
      }
      for (const pick of part.picks) {
        picked++;
        assert.ok(part.sentence.includes(pick), context);
        for (const { over, under } of verdicts.filter(({ verdict }) => verdict === "slower")) {
          if (valueOf(over) !== pick || (!others.has(valueOf(under)) && part.kind !== "main")) continue;
          if (part.kind !== "main") continue;
          losses++;
          const told = said.some(({ says, verdicts }) =>
            says === "faster" && verdicts.some((one) => one.over === under && one.under === over)
          );
          assert.ok(told, `${context}; ${pick} loses to ${under}`);
        }
        for (const other of part.picks.filter((one) => one !== pick)) {
          const told = part.claims.some(({ says, value, over }) =>
            says === "faster" && value === pick && over === other
          );
          assert.ok(!told, context);
        }
      }
    }
  }
  return { claims: count, losses, picked };
}
