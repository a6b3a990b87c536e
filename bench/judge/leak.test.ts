import assert from "node:assert/strict";
import { test } from "node:test";
import { leakMark, leakOf, type SizeReading, thinReadings } from "./leak.ts";
import { createRandom } from "../basics/random.ts";

const MIB = 2 ** 20;

/** Readings every 0.1 s of a warm-up of 6 s at 10 000 requests a second, then before and after a window of 2 s. */
function readings(
  bytes: (requests: number) => number,
  descriptors: (requests: number) => number = () => 70,
): SizeReading[] {
  const at = [...Array.from({ length: 60 }, (_, n) => 1_000 * (n + 1)), 61_000, 81_000];
  return thinReadings(
    at.map((requests): SizeReading => [requests, Math.round(bytes(requests)), Math.round(descriptors(requests))]),
  );
}

/** A simulated server: a heap that fills by `garbage` a request and is collected at a limit, and what it never gives back. */
function heap(seed: number, { base, garbage, limit, kept }: Record<"base" | "garbage" | "limit" | "kept", number>) {
  const random = createRandom(seed);
  return (requests: number) => {
    // Resident memory does not fall as the heap does: of what was collected a random part stays with the process.
    const filled = (requests * garbage) % limit;
    const reached = Math.min(limit, requests * garbage);
    return base * MIB + kept * requests + filled * 0.4 + reached * (0.5 + 0.1 * random());
  };
}

test("a simulated server that keeps 4 KiB of each request leaks, in each of 100 runs, and its slope is told", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const leak = leakOf(readings(heap(seed, { base: 60, garbage: 8_000, limit: 24 * MIB, kept: 4_096 })));
    assert.ok(leak !== null && leak.of === "memory", `seed ${seed}`);
    assert.ok(Math.abs(leak.perRequest / 4_096 - 1) < 0.25, `seed ${seed}: ${leak.perRequest}`);
  }
});

test("servers that keep nothing never leak, however their heaps fill, grow in their first seconds, and are collected", () => {
  const limits = [8, 24, 64, 200, 400].map((limit) => limit * MIB);
  for (let seed = 1; seed <= 60; seed++) {
    for (const limit of limits) {
      for (const garbage of [500, 3_000, 20_000]) {
        // One that is not collected for the whole time cannot be told from a leak.
        if (limit / garbage > 40_000) continue;
        const given = { base: 40 + seed, garbage, limit, kept: 0 };
        assert.equal(leakOf(readings(heap(seed, given))), null, JSON.stringify({ seed, ...given }));
      }
    }
  }
});

test("a heap that grows throughout the warm-up and comes to rest in the window does not leak", () => {
  assert.equal(leakOf(readings((requests) => 60 * MIB + Math.min(requests, 61_000) * 4_000)), null);
});

test("a server that leaves files or sockets open leaks, one with as many as its connections does not", () => {
  const leak = leakOf(readings(() => 60 * MIB, (requests) => 70 + requests / 100));
  assert.deepEqual([leak?.of, Math.round(1 / leak!.perRequest)], ["descriptors", 100]);
  assert.equal(leakOf(readings(() => 60 * MIB, (requests) => Math.min(120, requests / 10))), null);
  assert.equal(leakOf(readings(() => 60 * MIB, (requests) => 70 + requests % 7)), null);
});

test("of a few readings nothing is said, and a cell is told of where most of its observations leaked", () => {
  const leaking = readings((requests) => 60 * MIB + requests * 4_096);
  const sound = readings(() => 60 * MIB);
  assert.equal(leakOf(leaking.slice(-6)), null);
  assert.equal(leakOf([]), null);
  assert.equal(leakMark([]), null);
  assert.equal(leakMark([leaking, sound]), null);
  const slow = readings((requests) => 60 * MIB + requests * 3_072);
  const { code, text } = leakMark([slow, slow, sound])!;
  assert.equal(code, "leak", "62 MiB in a window");
  assert.match(
    text,
    /^its memory grows by 3\.00 KiB a request, in 2 of 3 observations \(Theil-Sen slope of \d+ readings, Mann-Kendall p < 0\.001\)/,
  );
});

test("a server that keeps much of each request throughout its window, and after it, has no verdict", () => {
  const backlog = readings((requests) => 60 * MIB + requests * 4_096);
  const found = leakMark([backlog, backlog, readings(() => 60 * MIB)])!;
  assert.deepEqual([found.code, found.effect], ["memory-kept", "withholds"]);
  assert.match(found.text, /: a window added 82\.0 MiB, 27\.9 % of what it held, and rest did not give it back$/);
  const last = ([requests, bytes, open]: SizeReading, more: number): SizeReading => [requests, bytes + more, open];
  const ending = (more: number) => leakMark([[...backlog.slice(0, -1), last(backlog.at(-1)!, more)]])?.code;
  assert.equal(ending(-20 * MIB), "leak", "given back in part");
  assert.equal(ending(-70 * MIB), undefined, "given back");
  assert.equal(ending(100 * MIB), "leak", "a step of the heap, not so much a request");
  const large = readings((requests) => 600 * MIB + requests * 4_096);
  assert.equal(leakMark([large])!.code, "leak", "little beside what it holds");
});

test("thinned readings keep the last, and no more than are needed", () => {
  const all = Array.from({ length: 1_000 }, (_, n): SizeReading => [n, n, n]);
  assert.ok(thinReadings(all).length <= 40);
  assert.deepEqual(thinReadings(all).at(-1), all.at(-1));
  assert.deepEqual(thinReadings(all.slice(0, 30)), all.slice(0, 30));
});
