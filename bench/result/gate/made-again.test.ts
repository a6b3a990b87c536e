import assert from "node:assert/strict";
import { test } from "node:test";
import type { Summary } from "../../record/summary.ts";
import { measuredAgain } from "./made-again.ts";

type Made = Parameters<typeof measuredAgain>[0] extends () => Promise<infer R> ? R : never;

/** A run whose comparison has no verdict for some cause. */
const made = (name: string, cause: string, state: "finished" | "interrupted" = "finished"): Made => {
  const marks = [{ code: cause, effect: "withholds", text: cause }];
  const families = [{ axis: "app", comparisons: [{ verdict: "no-verdict", marks }] }] as unknown as Summary["families"];
  return { run: { run: name, state }, summary: { families } };
};

/** Measures what is given, one after the other, and says which run counts and what was told. */
async function tried(...runs: readonly Made[]) {
  const left = [...runs], told: string[] = [];
  const { finished, insteadOf } = await measuredAgain(
    () => Promise.resolve(left.shift()!),
    (name) => void told.push(name),
  );
  return { counts: finished.run.run, insteadOf, told, measured: runs.length - left.length };
}

test("a run that contradicts itself is made again once, and the second counts whatever it says", async () => {
  const sound = made("a", "too-few-rounds"),
    odd = made("a", "run-contradicted"),
    second = made("b", "run-contradicted");
  assert.deepEqual(await tried(sound, second), { counts: "a", insteadOf: null, told: [], measured: 1 });
  assert.deepEqual(await tried(odd, second), { counts: "b", insteadOf: "a", told: ["a"], measured: 2 });
  assert.deepEqual(await tried(odd, made("c", "not-measured"), second), {
    ...{ counts: "c", insteadOf: "a", told: ["a"], measured: 2 },
  });
});

test("a run that was interrupted is not made again", async () => {
  const stopped = made("a", "run-contradicted", "interrupted");
  assert.deepEqual(await tried(stopped, made("b", "")), { counts: "a", insteadOf: null, told: [], measured: 1 });
});
