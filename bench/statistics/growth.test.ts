import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { growthOf, type HeldSample } from "./growth.ts";

const MIB = 2 ** 20;

/** Samples over 100 000 requests. */
const samplesOf = (bytes: (share: number, n: number) => number): HeldSample[] =>
  Array.from({ length: 40 }, (_, n) => ({ requests: 50_000 + n * 1_250, bytes: bytes(n / 39, n), descriptors: 20 }));

test("a server that keeps a KiB a request leaks", () => {
  const growth = growthOf(samplesOf((share) => 100 * MIB + share * 48_750 * 2_048))!;
  assert.ok(Math.abs(growth.bytesPerRequest - 2_048) < 1);
  assert.equal(growth.leaks, true);
});

test("a heap that is collected now and then, jumps, or has taken one step does not leak", () => {
  const random = createRandom(3);
  const heaps: ((share: number, n: number) => number)[] = [
    () => 80 * MIB,
    (_, n) => 80 * MIB + (n % 8) * 9 * MIB,
    () => 80 * MIB + random() * 60 * MIB,
    (share) => (share < 0.5 ? 80 : 95) * MIB,
    (share) => 80 * MIB + share * 20 * MIB,
    (share) => 120 * MIB - share * 60 * MIB,
  ];
  for (const heap of heaps) assert.equal(growthOf(samplesOf(heap))!.leaks, false);
});

test("a leak is seen through the noise of a heap", () => {
  const random = createRandom(4);
  const growth = growthOf(samplesOf((share) => 100 * MIB + share * 150 * MIB + random() * 40 * MIB))!;
  assert.equal(growth.leaks, true);
});

test("of a few samples nothing is said", () => {
  assert.equal(growthOf(samplesOf(() => 1).slice(0, 7)), null);
  assert.equal(growthOf([]), null);
});
