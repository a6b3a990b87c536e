import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, ENGINE } from "../../tests/fixtures/made-up-verdicts.ts";
import { mark } from "../record/mark.ts";
import { answerOf } from "./answer.ts";

test("marks that keep every comparison of a question from its verdict are the reason, two at most, whatever is commoner beside them", () => {
  const later = (name: unknown, times: number) =>
    `${name}: at least ${times} times as much CPU was used after the replies as before them, in 4 observations`;
  const answer = answerOf(answerInput([ENGINE], (a, b) => ({
    none: "others used 9.0 % of the cores",
    cause: "foreign-cpu",
    also: [
      ...(b["engine"] === "wind" ? [mark("near-ceiling", "it is near the ceiling")] : []),
      mark("later-work", later(a["engine"], 5)),
      mark("memory-kept", `${b["engine"]}: its memory grew by 300 MiB`),
      mark("later-work", later(b["engine"], 18.5)),
    ],
  }), { marks: [mark("interrupted", "the run was stopped before its end")] }));
  assert.equal(answer.sentence, "No answer from this run: others used 9.0 % of the cores.");
  assert.deepEqual(answer.none!.map(({ code }) => code), ["foreign-cpu", "later-work", "undecided"]);
  assert.equal(answer.none![1]!.text, later("steam", 5));
  const some = answerOf(
    answerInput([ENGINE], (_, b) => b["engine"] === "wind" ? { none: "it is near" } : { near: 1.01 }),
  );
  assert.match(
    some.none!.at(-1)!.text,
    /^none of 3 comparisons is decided.*; 1 is not separable and 2 have no verdict \(most often: it is near\)$/,
  );
});
