import assert from "node:assert/strict";
import { test } from "node:test";
import type { At } from "../../suites/suite.ts";
import { answerInput, bySpeed, ENGINE, GEAR, LOAD, type Told, UNTOLD } from "../../tests/fixtures/made-up-verdicts.ts";
import { cardAt, planWith } from "../../tests/fixtures/made-up-card.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { createRandom } from "../basics/random.ts";
import { answerOf } from "./answer.ts";
import { answerSchema } from "../record/answer-schema.ts";
import { mark } from "../record/mark.ts";

test("a pick that beats or equals all others everywhere is proven, and nothing is left to settle", () => {
  const answer = answerOf(answerInput([ENGINE, LOAD], bySpeed));
  assert.equal(answer.sentence, "Take wind: 1.12 × water, 1.40 × steam; 9 of 9 comparisons decided.");
  assert.deepEqual([answer.questions[0]!.mark, answer.settle, answer.caveats], ["proven", null, []]);
});

test("what stays open between two that are beaten changes nothing", () => {
  const answer = answerOf(
    answerInput([ENGINE, LOAD], (a, b) => a["engine"] === "steam" && b["engine"] === "water" ? UNTOLD : bySpeed(a, b)),
  );
  assert.deepEqual([answer.questions[0]!.mark, answer.questions[0]!.decided, answer.settle], ["proven", 6, null]);
});

test("verdicts in a circle carry no pick", () => {
  const answer = answerOf(answerInput([ENGINE], (a, b) => ({
    faster: a["engine"] === "steam" && b["engine"] === "wind" ? 1.1 : 0.9,
  })));
  assert.equal(
    answer.sentence,
    "No answer from this run: all of 3 comparisons are decided, but they contradict each other.",
  );
});

test("several questions are answered in one sentence, each with a mark of its own", () => {
  const body = planAxis("body", ["round", "square"], { title: "Body" });
  const judge = (a: At, b: At, axis: string | null): Told => axis === "body" ? UNTOLD : bySpeed(a, b);
  const half = answerOf(answerInput([ENGINE, body], judge));
  assert.equal(
    half.sentence,
    "Take wind (Engine, proven: 1.12 to 1.40 × the others, 6 of 6 comparisons decided); " +
      "Body (0 of 3 comparisons decided) is open.",
  );
  assert.deepEqual(half.questions.map(({ mark }) => mark), ["proven", "open"]);
  const both = answerOf(
    answerInput([ENGINE, body], (a, b, axis) => axis === "body" ? { same: 1 } : bySpeed(a, b)),
  );
  assert.equal(
    both.sentence,
    "Take wind (Engine, proven: 1.12 to 1.40 × the others, 6 of 6 comparisons decided) and " +
      "round or square (Body, proven: equivalent, 3 of 3 comparisons decided).",
  );
});

test("what has no verdict at some places and what beats the pick are in the sentence over all questions, too", () => {
  const body = planAxis("body", ["round", "square"], { title: "Body" });
  const answer = answerOf(
    answerInput([ENGINE, GEAR, body], (a, b, axis): Told => {
      if (axis !== "engine") return { same: 1 };
      if (a["gear"] === "iron" && [a, b].some((at) => at["engine"] === "steam")) return UNTOLD;
      return a["gear"] === "bone" && a["engine"] === "water" ? { faster: 1.05 } : bySpeed(a, b);
    }),
  );
  assert.match(answer.sentence, /but water at bone, no verdict on steam at iron, \d+ of 24 comparisons decided\)/);
});

test("of a pick that leads at few places the sentence over all questions says where", () => {
  const body = planAxis("body", ["round", "square"], { title: "Body" });
  const answer = answerOf(
    answerInput([ENGINE, body, GEAR], (a, b, axis) => axis !== "body" && a["gear"] === "rope" ? bySpeed(a, b) : UNTOLD),
  );
  assert.match(answer.sentence, /^Take wind \(Engine, partly: only at rope, 1\.12 to 1\.40 × the others, 6 of 24 /);
});

test("labels and pairs named by hand are questions, too", () => {
  const labels = answerOf(
    answerInput([GEAR], () => ({ faster: 0.9 }), { labels: ["main", "after"] }),
  );
  assert.equal(labels.sentence, "Take after: 1.11 × main; 4 of 4 comparisons decided.");
  assert.deepEqual([labels.questions[0]!.kind, labels.questions[0]!.title], ["label", "Label"]);
  const { families, ...rest } = answerInput([ENGINE], bySpeed);
  const pair = { ...families[0]!, kind: "pair" as const, axis: null, title: "a against b" };
  const answer = answerOf({ ...rest, families: [{ ...pair, comparisons: pair.comparisons.slice(0, 1) }], cards: [] });
  assert.equal(answer.sentence, "Take water: 1.25 × steam; 1 of 1 comparison decided.");
  assert.equal(answer.questions[0]!.title, "a against b");
});

test("no answer names the weightiest reason, and all the others follow", () => {
  const aa = mark("aa-different", "the run found a cell different from itself");
  const stopped = mark("interrupted", "the run was stopped before its end");
  const answer = answerOf(answerInput([ENGINE], () => UNTOLD, {
    marks: [stopped, aa],
    contended: ["others used 48 % of the cores"],
  }));
  assert.equal(answer.sentence, "No answer from this run: the run found a cell different from itself.");
  assert.deepEqual(answer.none, [
    aa.text,
    "others used 48 % of the cores",
    stopped.text,
    "none of 3 comparisons is decided; 3 have no verdict (most often: a cell is marked)",
  ]);
  assert.match(answer.settle!.sentence, /but a quieter machine may\.$/);
  const steal = mark("machine-steal", "the hypervisor took 9.0 % of a core");
  const stolen = answerOf(answerInput([ENGINE], () => UNTOLD, { marks: [steal] }));
  assert.match(stolen.settle!.sentence, /but a quieter machine may\.$/);
  const busy = answerOf(answerInput([ENGINE], () => UNTOLD, { contended: ["others used 48 % of the cores"] }));
  assert.equal(busy.sentence, "No answer from this run: others used 48 % of the cores.");
});

test("a run that speaks against itself picks nothing, however many comparisons are decided", () => {
  for (const code of ["machine-contended", "above-ceiling", "parts-disagree"] as const) {
    const answer = answerOf(answerInput([ENGINE, LOAD], bySpeed, { marks: [mark(code, "it cannot be")] }));
    assert.equal(answer.sentence, "No answer from this run: it cannot be.");
    assert.deepEqual(answer.questions.map(({ mark, pick, also }) => [mark, pick, also]), [["open", null, []]]);
    assert.match(answer.questions[0]!.sentence, /^No pick: 9 of 9 comparisons decided/);
    answerSchema.parse(answer);
  }
  const steal = answerOf(answerInput([ENGINE, LOAD], bySpeed, { marks: [mark("machine-steal", "some")] }));
  assert.equal(steal.questions[0]!.pick, "wind");
});

test("what would settle it are rounds somebody would wait for, and how many comparisons they settle", () => {
  const rounds: Readonly<Record<string, number>> = { "steam water": 12, "steam wind": 30, "water wind": 455 };
  const near = (most: number) =>
    answerOf(answerInput([ENGINE], (a, b) => ({ near: 1.01, rounds: rounds[`${a["engine"]} ${b["engine"]}`]! }), {
      rounds: most,
    })).settle!;
  assert.equal(near(6).rounds, 30);
  assert.match(near(6).sentence, /^30 rounds would settle 2 of 3 open comparisons/);
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
  assert.equal(once.questions[0]!.sentence, "Open: no verdict in 3 comparisons.");
  assert.equal(once.settle!.rounds, 3);
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

test("what others took of the machine is a reason against an answer, and a caveat of one", () => {
  const contended = ["others used 48 % of the cores"];
  assert.deepEqual(answerOf(answerInput([ENGINE], bySpeed, { contended })).caveats, ["Others used 48 % of the cores."]);
  assert.deepEqual(answerOf(answerInput([ENGINE], () => UNTOLD, { contended })).caveats, []);
});

test("a caveat of the pick is said with what to take instead; limited rates are named", () => {
  const axis = planAxis("engine", ["steam", "water", "wind"]);
  axis.values = axis.values.map((value) =>
    value.value === "wind" ? { ...value, facts: { caveat: "stands still at night" } } : value
  );
  const input = answerInput([axis], bySpeed);
  const cards = input.cards.map((card, n) => n < 1 ? card : { ...card, bound: "generator" as const });
  assert.deepEqual(answerOf({ ...input, cards }).caveats, [
    "wind stands still at night. Of the others take water: 1.25 × steam; 1 of 1 comparison decided.",
    'water and wind: the load generator was the limit, so their rates are lower bounds ("≥") and not ranked.',
  ]);
  assert.match(answerOf({ ...input, cards: cards.slice(0, 2) }).caveats[1]!, /^water: .* its rate is a lower bound/);
});

test("whatever the verdicts, a pick leads at more places than it loses and a proven one leads at all", () => {
  const seed = 20_261_121;
  const random = createRandom(seed);
  const any = (): Told => {
    const ratio = 0.7 + 0.6 * random();
    const kind = Math.floor(4 * random() ** 2);
    return kind === 0 ? { faster: ratio } : kind === 1 ? { same: 1 } : kind === 2 ? { near: ratio, rounds: 9 } : UNTOLD;
  };
  let picks = 0;
  for (let n = 0; n < 400; n++) {
    const input = answerInput([ENGINE, LOAD], any);
    const answer = answerSchema.parse(answerOf(input));
    const [question] = answer.questions;
    const { pick } = question!;
    const lost = input.families.filter(({ comparisons }) =>
      comparisons.some(({ verdict, under }) =>
        verdict === "faster" && under.split("/")[0] === pick
      )
    ).length;
    const undecided = input.families.filter(({ comparisons }) =>
      comparisons.some(({ verdict, over, under }) =>
        [over, under].some((name) => name.split("/")[0] === pick) && verdict !== "faster" && verdict !== "equivalent"
      )
    ).length;
    const context = `seed ${seed}, run ${n}: ${answer.sentence}`;
    assert.equal(answer.none !== null, question!.mark === "open", context);
    if (pick === null) {
      assert.notEqual(question!.mark, "proven", context);
      continue;
    }
    picks++;
    assert.ok(lost < 3 - lost, context);
    assert.equal(question!.mark === "proven", lost === 0 && undecided === 0, context);
    assert.ok(answer.sentence.includes(pick), context);
  }
  assert.ok(picks > 100, `${picks} picks`);
});
