import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, ENGINE } from "../../tests/fixtures/made-up-verdicts.ts";
import { mark, type MarkCode } from "../record/mark.ts";
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
    /^none of 3 comparisons is decided.*; 1 is open and 2 have no verdict \(most often: it is near\)$/,
  );
});

test("where servers were not warm the next run has a longer warm-up, not more rounds", () => {
  const settle = (cause: MarkCode, kind: "steady" | "fixed", near = 0, others = ["steam"]) => {
    const input = answerInput([ENGINE], (a, b) => {
      if (near > 0 && a["engine"] === "steam" && !others.includes(b["engine"] as string)) {
        return { near: 1.01, rounds: near };
      }
      return b["engine"] === "wind" ? { none: "it still grew cheaper", cause } : { faster: 1.3 };
    });
    const warmup = kind === "steady" ? { kind, most_ms: 12_000 } : { kind, ms: 20_000, loads: 1 };
    return answerOf({ ...input, plan: { ...input.plan, warmup } }).settle!;
  };
  const cold = settle("warming-up", "steady");
  assert.deepEqual([cold.warmup_ms, cold.rounds], [15_000, 6], "as many rounds as were made");
  assert.match(cold.sentence, / by a longer warm-up, perhaps \(--warmup 15s\)$/);
  assert.equal(settle("restless", "fixed").warmup_ms, 40_000, "longer than the one that did not do");
  assert.equal(settle("near-ceiling", "steady").warmup_ms, undefined, "other marks take no warm-up");
  assert.equal(settle("near-ceiling", "steady").rounds, null);
  const both = settle("warming-up", "steady", 20);
  assert.deepEqual([both.warmup_ms, both.rounds], [undefined, 20], "where rounds settle more");
  const far = settle("warming-up", "steady", 1_000, ["wind"]);
  assert.deepEqual([far.warmup_ms, far.rounds], [15_000, 6], "the others are not what its sentence is about");
});

test("where a cost grows without end neither rounds nor a warm-up is advised, but a limit on what the server keeps", () => {
  const settle = (also: MarkCode[]) => {
    const input = answerInput(
      [ENGINE],
      (_, b) =>
        b["engine"] === "wind"
          ? {
            none: "wind: its cost grows without end",
            cause: "cost-grows",
            also: also.map((code) => mark(code, code)),
          }
          : { faster: 1.3 },
    );
    return answerOf({ ...input, plan: { ...input.plan, warmup: { kind: "steady", most_ms: 12_000 } } }).settle!;
  };
  for (const also of [[], ["memory-kept"], ["restless"]] as MarkCode[][]) {
    const { rounds, warmup_ms, helps, sentence } = settle(also);
    assert.deepEqual([rounds, warmup_ms, helps], [null, undefined, "limited"], also.join());
    assert.match(sentence, /^no number of rounds decides .*: limit what the server keeps/);
  }
});
