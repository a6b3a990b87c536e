import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../bench/basics/random.ts";
import { nextHalt, readWords, victimOf } from "./halted-gate.ts";

test("files are given to bin/test, other words are the command itself", () => {
  const { runs, seed, command } = readWords(["--", "a.test.ts", "b.test.ts"], 7);
  assert.deepEqual([runs, seed, command[0]!.split("/").slice(-2), command.slice(1)], [
    ...[3, 7, ["bin", "test"]],
    ["a.test.ts", "b.test.ts"],
  ]);
  assert.deepEqual(readWords(["--runs", "1", "--seed", "9", "--", "sh", "-c", "true"], 7), {
    ...{ runs: 1, seed: 9 },
    command: ["sh", "-c", "true"],
  });
  assert.throws(() => readWords(["--runs", "none"], 7), /--runs "none" is no count/);
  assert.throws(() => readWords(["--seed", "-1.5"], 7), /seed/);
});

test("a seed gives the same halts, each of one to five seconds", () => {
  const drawn = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 200 }, () => nextHalt(random));
  };
  assert.deepEqual(drawn(1), drawn(1));
  assert.notDeepEqual(drawn(1), drawn(2));
  const lengths = drawn(1).map(({ forMs }) => forMs);
  assert.deepEqual([Math.min(...lengths) >= 1_000, Math.max(...lengths) <= 5_000], [true, true]);
});

test("each process that is awake may be halted, and none that stands still", () => {
  const places = [0, 0.3, 0.5, 0.99];
  assert.deepEqual(places.map((place) => victimOf(place, [1, 2, 3, 4], new Set([2]))), [1, 1, 3, 4]);
  assert.equal(victimOf(0.5, [2], new Set([2])), undefined);
  assert.equal(victimOf(0.5, [2], new Set()), undefined, "a process alone");
});
