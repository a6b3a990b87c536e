import assert from "node:assert/strict";
import { test } from "node:test";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { answerInput, ENGINE } from "../../tests/fixtures/made-up-verdicts.ts";
import { answerOf } from "./answer.ts";

const FIVE_VALUES: readonly unknown[] = ["iron", "wood", "tin", "bone", "rope"];
const FIVE = planAxis("gear", ["iron", "wood", "tin", "bone", "rope"], { role: "condition" });

test("what wins over several picks at a place is said once, and ties follow one after the other", () => {
  const answer = answerOf(answerInput([ENGINE, FIVE], (a, b) => {
    const wind = [a, b].findIndex(({ engine }) => engine === "wind");
    if (wind === -1) return { near: 1.01 };
    if (a["gear"] === "bone") return { faster: wind === 0 ? 2 : 0.5 };
    return a["gear"] === "rope" ? { near: 1.01 } : { faster: wind === 0 ? 0.5 : 2 };
  }));
  assert.equal(
    answer.sentence,
    "Engine: steam or water, 2.0 × wind where decided. But wind is 2.0 × steam or water at bone. " +
      "Which of the two: not decided, at most 1.03 × apart. Not decided against wind at rope (at most 1.03 × apart).",
  );
});

test("a ratio that moves with the core's speed is the range from a slow core to a fast one", () => {
  const [TWO, GEAR] = [planAxis("engine", ["steam", "wind"], { title: "Engine" }), planAxis("gear", ["iron", "wood"])];
  const sentence = (...axes: Parameters<typeof answerInput>[0]) =>
    answerOf(answerInput(axes, (_, b) => ({
      faster: b["engine"] === "wind" ? 1 / 1.45 : 1.45,
      ...(b["gear"] === "wood" ? {} : { core: [1 / 1.39, 1 / 1.51] }),
    }))).sentence;
  assert.equal(sentence(TWO), "Engine: wind, 1.4 (slow core) to 1.5 (fast core) × steam.");
  // At several places the range holds all of them.
  assert.match(sentence(TWO, { ...GEAR, role: "condition" }), /wind, 1\.4 to 1\.5 × steam/);
});

test("several picks over many others have one span of ratios, and many ties are one text", () => {
  const names = ["a1", "a2", "b", "c", "d", "e"];
  const many = planAxis("engine", names, { title: "Engine" });
  const speed: Readonly<Record<string, number>> = { a1: 8, a2: 8, b: 4, c: 2, d: 1, e: 1 };
  const answer = answerOf(answerInput([many, FIVE], (a, b) => {
    const [x, y] = [a, b].map(({ engine }) => String(engine));
    const isTied = x!.startsWith("a") &&
      (y!.startsWith("a") || names.indexOf(y!) - 2 === FIVE_VALUES.indexOf(a["gear"]));
    return isTied ? { near: 1.01 } : { faster: speed[x!]! / speed[y!]! };
  }));
  assert.equal(
    answer.sentence,
    "Engine: a1 or a2, 2.0 to 8.0 × the other 4 where decided. Which of the two: not decided, at most 1.03 × apart. " +
      "Not decided against b at iron, c at wood, d at tin, e at bone (at most 1.03 × apart).",
  );
});
