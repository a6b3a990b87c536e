import assert from "node:assert/strict";
import { test } from "node:test";
import { settles } from "./warm-up-lengths.ts";

test("new connections are tried where each gets a reply in half a second, on a machine of half or twice the speed, too", () => {
  const warmedUp = (requestUs: number) => ({ duration_us: 2_000_000, requests: Math.floor(2_000_000 / requestUs) });
  for (const speed of [0.5, 1, 2]) {
    assert.ok(settles(warmedUp(25 / speed), 50), "a map");
    assert.ok(settles(warmedUp(3_700 / speed), 50), "a scan of 100k users");
    assert.ok(!settles(warmedUp(37_000 / speed), 50), "a scan of a million");
    assert.ok(settles(warmedUp(37_000 / speed), 4), "the same with fewer connections");
  }
  assert.ok(!settles({ duration_us: 2_000_000, requests: 0 }, 50));
});
