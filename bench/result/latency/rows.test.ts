import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../basics/random.ts";
import type { Observation, Window } from "../../record/observation-record.ts";
import { tailRows } from "./rows.ts";

/** An observation with a window at a rate whose every latency is this one. */
function at(p99: number, sent = 1): Observation {
  const window = {
    at: { rate: "50 %", clock: "due" },
    per_second: 1_000,
    marks: [],
    load: { requests_per_second: sent * 1_000, dropped: 0 },
    latency: { histogram: [], percentiles: [[0.5, p99 / 3], [0.99, p99], [0.999, 2 * p99]] },
  } as unknown as Window;
  return { windows: [window] } as unknown as Observation;
}

const rowOf = (observations: readonly Observation[]) => tailRows(observations, ["50 %"])[0]!;

test("six sound windows give the median an interval with its exact confidence, five say what is missing", () => {
  const six = rowOf([5, 1, 4, 2, 6, 3].map((ms) => at(1_000 * ms)));
  assert.deepEqual(six.p99_interval, { low_us: 1_000, high_us: 6_000, coverage: 0.96875 });
  assert.equal(six.p999_interval!.high_us, 12_000);
  assert.equal(six.why_no_interval, undefined);
  const five = rowOf([5, 1, 4, 2, 6].map((ms) => at(1_000 * ms)).concat(at(9_000, 0.9)));
  assert.deepEqual([five.p50_interval, five.p99_interval, five.p999_interval], [null, null, null]);
  assert.equal(five.why_no_interval, "5 values give no 95 % interval of a median: it needs 6");
});

test("the sender's clock is that of the same windows", () => {
  const told = [5, 1, 4].map((ms) => {
    const [window] = at(1_000 * ms).windows!;
    return { windows: [{ ...window!, sent: { p50_us: 90, p90_us: 90, p99_us: 100 * ms, p999_us: 1e6, max_us: 1e6 } }] };
  }) as unknown as Observation[];
  assert.equal(rowOf(told).sender_p99_us, 400);
  assert.equal(rowOf([at(1_000)]).sender_p99_us, null);
});

test("intervals of tails hold the true median as often as they say, also where one window in eight is ten times the others", () => {
  const random = createRandom(20_261_122);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const draw = () => 1_000 * Math.exp(0.4 * normal()) * (random() < 1 / 8 ? 10 : 1);
  const truth = Array.from({ length: 40_001 }, draw).sort((a, b) => a - b)[20_000]!;
  for (const n of [6, 9, 12, 20]) {
    const REPEATED = 3_000;
    let held = 0, coverage = 0, bySpread = 0;
    for (let k = 0; k < REPEATED; k++) {
      const values = Array.from({ length: n }, draw);
      const interval = rowOf(values.map((us) => at(us))).p99_interval!;
      coverage = interval.coverage;
      if (interval.low_us <= truth && truth <= interval.high_us) held++;
      // What a t interval on logarithms would have said: it takes those windows for part of one bell.
      const logs = values.map(Math.log);
      const mean = logs.reduce((a, b) => a + b, 0) / n;
      if (Math.exp(mean) > truth) bySpread++;
    }
    const error = 3 * Math.sqrt(coverage * (1 - coverage) / REPEATED);
    assert.ok(coverage >= 0.95 && Math.abs(held / REPEATED - coverage) < error + 0.004, `${n}: ${held / REPEATED}`);
    // The centre of that other interval lies above the median most of the time: it is one of something else.
    assert.ok(bySpread / REPEATED > 0.6, `${n}: ${bySpread / REPEATED}`);
  }
});
