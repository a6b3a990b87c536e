import assert from "node:assert/strict";
import { test } from "node:test";
import type { Solo } from "./lines.ts";
import { workerMarks } from "./workers.ts";

const solo = (...counts: (number | null)[]) =>
  ({
    load: { connections: 50 },
    workers: { by: "reuse-port", requests: 10_000, cpu_ns: 1, each: counts.map((requests) => ({ requests })) },
  }) as unknown as Solo;
const codes = (...marks: Parameters<typeof workerMarks>) => workerMarks(...marks).map(({ code }) => code);

test("workers that counted what was sent are sound, but for one request in flight on each connection", () => {
  assert.deepEqual(codes([solo(6_000, 4_050), solo(5_000, 4_850)], 2, null), []);
  assert.deepEqual(codes([solo(6_000, 3_800)], 2, null), ["workers-unsound"]);
  assert.deepEqual(codes([solo(6_000, null)], 2, null), [], "what cannot be counted says nothing");
});

test("more workers than cores are marked with how many there were", () => {
  const [own] = workerMarks([], 4, 1);
  assert.deepEqual([own!.code, own!.effect], ["workers-crowded", "withholds"]);
  assert.match(own!.text, /^4 workers had 1 core:/);
});
