import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, type Told, UNTOLD } from "../../tests/fixtures/made-up-verdicts.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { verdictPanels } from "../report/verdict-rows.ts";
import { createRandom } from "../basics/random.ts";
import { answerOf } from "./answer.ts";
import { comparisonsOf, countsText, verdictCounts } from "./verdict-counts.ts";
import { questionsOf } from "./questions.ts";

test("of two thousand random tables decided, open and withheld are all, and each printed count is one of them", () => {
  const seed = 20_261_127;
  const random = createRandom(seed);
  const any = (): Told => {
    const ratio = 0.7 + 0.6 * random();
    const kind = Math.floor(4 * random());
    if (kind === 3) return random() < 0.5 ? UNTOLD : { none: "it grew cheaper", cause: "warming-up" };
    return kind === 0 ? { faster: ratio } : kind === 1 ? { same: 1 } : { near: ratio, rounds: 9 };
  };
  const met = new Set<string>();
  for (let n = 0; n < 2_000; n++) {
    const axes = [
      planAxis("engine", ["steam", "water", "wind"].slice(0, 2 + Math.floor(2 * random()))),
      planAxis("gear", ["iron", "wood"].slice(0, 1 + Math.floor(2 * random())), { role: "condition" }),
    ];
    const drawn = random();
    const facts: Record<string, string> = drawn < 0.2
      ? { warning: "warns" }
      : drawn < 0.4
      ? { caveat: "has a flaw" }
      : {};
    axes[0]!.values = axes[0]!.values.map((one, place) => place === 0 ? { ...one, facts } : one);
    const input = answerInput(axes, any);
    const { plan, families, cells } = input;
    const answer = answerOf(input);
    const where = `seed ${seed}, table ${n}`;
    const questions = questionsOf(plan, families, cells);
    const panels = verdictPanels({ plan, summary: { families, cells: cells as never } });
    for (const [place, question] of questions.entries()) {
      const counts = verdictCounts(comparisonsOf(question));
      const verdicts = comparisonsOf(question).map(({ verdict }) => verdict);
      const of = (...some: readonly string[]) => verdicts.filter((verdict) => some.includes(verdict)).length;
      const expected = [of("faster", "slower", "equivalent"), of("not-separable"), of("no-verdict")];
      assert.deepEqual([counts.decided, counts.open, counts.withheld], expected, where);
      assert.equal(counts.decided + counts.open + counts.withheld, counts.all, where);
      assert.deepEqual(
        [answer.questions[place]!.decided, answer.questions[place]!.of],
        [counts.decided, counts.all],
        where,
      );
      assert.deepEqual([panels[place]!.decided, panels[place]!.of], [counts.decided, counts.all], where);
    }
    const whole = verdictCounts(families.flatMap(({ comparisons }) => comparisons));
    // Numbers of comparisons in sentences: of all, or of those without a decision.
    const undecided = whole.open + whole.withheld;
    const settled = /(?:(\d+) of |all )?(?:the |(\d+) )open comparisons?/.exec(answer.settle?.sentence ?? "");
    if (settled !== null) {
      met.add(settled[2] === undefined ? "one" : "settle");
      assert.ok(Number(settled[2] ?? 1) <= undecided, `${where}: ${answer.settle!.sentence}`);
      assert.ok(Number(settled[1] ?? 0) < Number(settled[2] ?? 1), `${where}: ${answer.settle!.sentence}`);
    }
    const open = /(none|\d+) of (\d+) comparisons? (?:is|are) decided/.exec(answer.none?.at(-1)?.text ?? "");
    if (open !== null) {
      met.add("none");
      assert.deepEqual(open.slice(1), [whole.decided === 0 ? "none" : `${whole.decided}`, `${whole.all}`], where);
    }
  }
  assert.deepEqual([...met].sort(), ["none", "one", "settle"]);
});

test("counts are told with what is open and what has no verdict, where there is any", () => {
  assert.equal(
    countsText({ all: 45, decided: 34, open: 7, withheld: 4 }),
    "34 of 45 comparisons decided, 7 open, 4 without a verdict",
  );
  assert.equal(countsText({ all: 1, decided: 1, open: 0, withheld: 0 }), "1 of 1 comparison decided");
});
