import assert from "node:assert/strict";
import { test } from "node:test";
import { THRESHOLDS } from "../bench/judge/thresholds.ts";
import { logOfPair } from "./by-hand.ts";

test("a pair of rates says nothing where the hypervisor took more of either than an observation may lose", () => {
  const told = (rate: number, stolen = 0) => ({ rate, stolen });
  const most = THRESHOLDS.contendedShare;
  assert.ok(Math.abs(logOfPair(told(2_000), told(1_000))! - Math.LN2) < 1e-12);
  assert.equal(logOfPair(told(1_000, most), told(1_000, most)), 0, "as much as an observation may lose");
  assert.equal(logOfPair(told(1_000, 1.01 * most), told(1_000)), null);
  assert.equal(logOfPair(told(1_000), told(1_000, 1.01 * most)), null);
});
