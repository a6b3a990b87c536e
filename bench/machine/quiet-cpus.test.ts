import assert from "node:assert/strict";
import { test } from "node:test";
import { mostBusyShare, untilQuiet } from "./quiet-cpus.ts";

const at = (...busyMs: number[]) => new Map(busyMs.map((ms, id) => [id, { busyNs: ms * 1e6, stealNs: ms * 1e5 }]));

test("the busiest of the wanted CPUs counts, with what was stolen from it", () => {
  const [before, after] = [at(0, 100, 0), at(10, 150, 900)];
  assert.equal(mostBusyShare(before, after, 1_000, [0, 1]).toFixed(3), "0.055");
  assert.equal(mostBusyShare(before, after, 1_000, null).toFixed(2), "0.99");
  assert.equal(mostBusyShare(new Map(), after, 1_000, null), 0, "of a CPU that has just come nothing is known");
});

test("whoever goes on ends the wait, with what this machine told until then", async () => {
  const over = new AbortController();
  const seen: number[] = [];
  await untilQuiet(null, (share) => (seen.push(share), over.abort()), over.signal);
  assert.equal(seen.length, 1);
  assert.ok(seen[0]! >= 0, `${seen[0]}`);
});
