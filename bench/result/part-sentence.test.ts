import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, ENGINE, GEAR } from "../../tests/fixtures/made-up-verdicts.ts";
import { answerOf } from "./answer.ts";

test("what wins over several picks at a place is said once, and ties follow one after the other", () => {
  const answer = answerOf(answerInput([ENGINE, GEAR], (a, b) => {
    const wind = [a, b].findIndex(({ engine }) => engine === "wind");
    if (wind === -1) return { near: 1.01 };
    if (a["gear"] === "bone") return { faster: wind === 0 ? 2 : 0.5 };
    return a["gear"] === "rope" ? { near: 1.01 } : { faster: wind === 0 ? 0.5 : 2 };
  }));
  assert.equal(
    answer.sentence,
    "Engine: steam or water, each 2.00 × wind at iron and wood; but wind is 2.00 × steam and 2.00 × water at bone; " +
      "no difference found between them; nor between steam or water and wind at rope.",
  );
});
