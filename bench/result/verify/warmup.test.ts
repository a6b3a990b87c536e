import assert from "node:assert/strict";
import { test } from "node:test";
import { normal } from "../../../tests/fixtures/simulation.ts";
import { smallPlan } from "../../../tests/fixtures/small-plan.ts";
import { createRandom } from "../../basics/random.ts";
import { judgeWarmup } from "../../judge/judge-warm-up.ts";
import type { Warmup } from "../../record/observation-record.ts";
import type { Plan } from "../../record/plan.ts";
import { type Slice, steady } from "../../statistics/steady.ts";
import { warmupFaults } from "./warmup.ts";

const SLICE_NS = 100e6;
const plan: Plan = { ...smallPlan, warmup: { kind: "steady", most_ms: 20_000 } };

const totalOf = (slices: readonly Slice[]) => Math.round(slices.reduce((sum, { requests }) => sum + requests, 0));

function faultsOf(slices: readonly Slice[], change: Partial<Warmup> = {}, connections = 50): string[] {
  const warmup: Warmup = {
    ended: "steady",
    duration_us: slices.length * SLICE_NS / 1e3,
    requests: totalOf(slices),
    slice_ms: SLICE_NS / 1e6,
    slices: [slices.map(({ requests, cpuNs }) => [requests, cpuNs])],
    judged_slices: slices.length,
    steadiness: ["flat"],
    changes: judgeWarmup([slices.slice(0, change.judged_slices ?? slices.length)]).map((end) => end.change),
    ...change,
  };
  const faults: string[] = [];
  const of = { way: "alone", servers: 1, listed: 1, connections, cpus: 1, plan } as const;
  warmupFaults(warmup, of, (holds, text) => holds || faults.push(text));
  return faults;
}

const MOST = 200;

/** A scan of so many milliseconds that is followed until it is flat. */
function warmUp(costMs: number, seed: number): Slice[] {
  const random = createRandom(seed);
  const slices: Slice[] = [];
  while (slices.length < MOST) {
    const cost = costMs * 1e6 * Math.exp(0.13 * normal(random)) * (1 + 0.6 * Math.exp(-slices.length / 4));
    slices.push({ requests: Math.max(1, SLICE_NS / cost + 0.8 * normal(random)), cpuNs: SLICE_NS });
    if (slices.length >= 20 && judgeWarmup([slices])[0]!.kind === "flat") break;
  }
  return slices;
}

test("true warm-ups of scans, of which a slice holds few requests and some are joined, are never called faulty", () => {
  let judgedUnjoined = 0;
  for (const costMs of [2, 5, 8, 9.5, 11, 15, 40]) {
    for (let seed = 0; seed < 100; seed++) {
      const slices = warmUp(costMs, 1_000 * costMs + seed);
      // What is not flat by then was given up.
      const ended = slices.length < MOST ? "steady" : "most";
      const steadiness = judgeWarmup([slices]).map(({ kind }) => kind);
      assert.deepEqual(faultsOf(slices, { ended, steadiness }), [], `${costMs} ms, seed ${seed}`);
      if (steady(slices).kind !== "flat") judgedUnjoined++;
    }
  }
  assert.ok(judgedUnjoined > 0, "none of these needs that slices were joined");
});

test("a warm-up that was measured is not called faulty: Bun's scan of a million users, ten requests a slice", () => {
  const costs = [
    [2882690, 11144733, 9335068, 12082502, 8444167, 9695968, 10581370, 11292532, 11488498, 10972550, 10865292],
    [11508523, 13796339, 12726322, 10487668, 9904632, 9713136, 9431731, 9353417, 9207932, 10202543, 9257498],
    [9235845, 10213447, 8908047],
  ].flat();
  assert.deepEqual(faultsOf(costs.map((cost): Slice => ({ requests: SLICE_NS / cost, cpuNs: SLICE_NS }))), []);
});

test("slices that were known only after the load had ended say nothing of how it was judged", () => {
  const slices = warmUp(2, 7);
  const later = [...slices, ...Array.from({ length: 4 }, () => ({ requests: 90, cpuNs: SLICE_NS }))];
  assert.deepEqual(faultsOf(later, { judged_slices: slices.length }), []);
});

test("a scan that still grew cheaper is found, and so is a fast server", () => {
  for (const costMs of [0.02, 2, 9.5, 15]) {
    const slices = Array.from({ length: 100 }, (_, n): Slice => {
      const costNs = costMs * 1e6 * (3 - n / 50);
      return { requests: SLICE_NS / costNs, cpuNs: SLICE_NS };
    });
    assert.deepEqual(faultsOf(slices), ["what is said of a warm-up's end is not what its slices show"], `${costMs} ms`);
  }
});

test("a warm-up whose server died before its first slice ended is not called faulty", () => {
  for (const connections of [50, Infinity]) {
    const kind = judgeWarmup([[]])[0]!.kind;
    const died = { ended: "most", slices: [[]], judged_slices: 0, steadiness: [kind], duration_us: 4e5 } as const;
    assert.deepEqual(faultsOf([], { ...died, slices: [[]], steadiness: [kind], changes: [null] }, connections), []);
  }
});

test("slices that hold more than their warm-up are found, and a run that kept none is not held against them", () => {
  const slices = warmUp(2, 3);
  assert.deepEqual(faultsOf(slices, { requests: totalOf(slices) - 60 }), [
    "a warm-up's slices hold more requests than it",
  ]);
  assert.deepEqual(faultsOf(slices, { slices: null, judged_slices: 0, why_no_slices: "older" }), []);
});
