import assert from "node:assert/strict";
import { test } from "node:test";
import { normal } from "../../../tests/fixtures/simulation.ts";
import { smallPlan } from "../../../tests/fixtures/small-plan.ts";
import type { Plan } from "../../record/plan.ts";
import { createRandom } from "../../basics/random.ts";
import { joinedSlices } from "../../statistics/slices.ts";
import { type Slice, steady } from "../../statistics/steady.ts";
import type { Warmup } from "../../record/observation-record.ts";
import { warmupFaults } from "./warmup.ts";

const SLICE_NS = 100e6;
const plan: Plan = { ...smallPlan, warmup: { kind: "steady", most_ms: 20_000 } };

function faultsOf(curve: readonly number[], requests: number): string[] {
  const warmup: Warmup = {
    ended: "steady",
    duration_us: curve.length * SLICE_NS / 1e3,
    requests,
    slice_ms: SLICE_NS / 1e6,
    curves: [[...curve]],
    steadiness: ["flat"],
  };
  const faults: string[] = [];
  warmupFaults(warmup, "alone", 1, 1, 1, plan, (holds, text) => holds || faults.push(text));
  return faults;
}

/** A scan of so many milliseconds that is followed until it is flat: its curve slice by slice and what it answered. */
function warmUp(costMs: number, seed: number): { curve: number[]; requests: number } {
  const random = createRandom(seed);
  const slices: Slice[] = [];
  while (slices.length < 200) {
    const cost = costMs * 1e6 * Math.exp(0.13 * normal(random)) * (1 + 0.6 * Math.exp(-slices.length / 4));
    slices.push({ requests: Math.max(1, SLICE_NS / cost + 0.8 * normal(random)), cpuNs: SLICE_NS });
    if (steady(joinedSlices([slices])[0]!).kind === "flat" && slices.length >= 20) break;
  }
  return {
    curve: slices.map(({ requests, cpuNs }) => Math.round(cpuNs / requests)),
    requests: Math.round(slices.reduce((sum, slice) => sum + slice.requests, 0)),
  };
}

test("true warm-ups of scans, of which a slice holds few requests and some are joined, are never called faulty", () => {
  let judgedAsTold = 0;
  for (const costMs of [2, 5, 8, 9.5, 11, 15, 40]) {
    for (let seed = 0; seed < 100; seed++) {
      const { curve, requests } = warmUp(costMs, 1_000 * costMs + seed);
      assert.deepEqual(faultsOf(curve, requests), [], `${costMs} ms, seed ${seed}`);
      const asTold = curve.map((cost): Slice => ({ requests: 1 / cost, cpuNs: 1 }));
      if (steady(asTold).kind === "moving") judgedAsTold++;
    }
  }
  assert.ok(judgedAsTold > 0, "none of these needs that slices were joined");
});

test("a warm-up that was measured is not called faulty: Bun's scan of a million users, ten requests a slice", () => {
  const curve = [
    [2882690, 11144733, 9335068, 12082502, 8444167, 9695968, 10581370, 11292532, 11488498, 10972550, 10865292],
    [11508523, 13796339, 12726322, 10487668, 9904632, 9713136, 9431731, 9353417, 9207932, 10202543, 9257498],
    [9235845, 10213447, 8908047],
  ].flat();
  assert.deepEqual(faultsOf(curve, 261), []);
});

test("a scan that still grew cheaper is, however its slices were joined, and so is a fast server", () => {
  for (const costMs of [0.02, 2, 9.5, 15]) {
    const curve = Array.from({ length: 100 }, (_, n) => Math.round(costMs * 1e6 * (3 - n / 50)));
    const requests = Math.round(curve.reduce((sum, cost) => sum + SLICE_NS / cost, 0));
    assert.deepEqual(faultsOf(curve, requests), ["a warm-up is called steady, and its curve is not"], `${costMs} ms`);
  }
});
