import assert from "node:assert/strict";
import { test } from "node:test";
import { makePlausible } from "../../tests/fixtures/plausible-run.ts";
import { normal } from "../../tests/fixtures/simulation.ts";
import { createRandom } from "../basics/random.ts";
import type { Observation, Slice, Warmup } from "../record/observation-record.ts";
import type { Loaded } from "../record/load-record.ts";
import { steady } from "../statistics/steady.ts";
import { derivedLine, inFlightOf } from "./derived-line.ts";
import { judgeWarmup } from "./warm-up-end.ts";

const { lines } = makePlausible({ runtimes: ["node", "bun"], stores: ["map"], sizes: [10_000], together: "plan" });
const shared = lines.find(({ kind }) => kind === "ensemble")!;
const ceiling = lines.find(({ kind }) => kind === "ceiling")!;

/** The line with a change, and what is derived of it. */
const derivedOf = (line: Observation, change: (line: Observation) => void) => {
  const copy = structuredClone(line);
  change(copy);
  return derivedLine(copy);
};

test("a measured line is what is derived of it, whatever is in it", () => {
  for (const line of lines) assert.deepEqual(derivedLine(line), line, `step ${line.index}`);
});

test("rate, gap, CPU time per request and bound follow from counts, in the line, its members and its windows", () => {
  const places: readonly [string, Observation, (line: Observation) => Loaded][] = [
    ["line", ceiling, (line) => line],
    ["alone", shared, ({ members }) => members[1]!.alone!],
    ["window", { ...ceiling, windows: [structuredClone(ceiling) as never] }, ({ windows }) => windows![0]!],
  ];
  for (const [name, line, loadOf] of places) {
    const { load, latency, counters, bound } = loadOf(derivedOf(line, (copy) => {
      const changed = loadOf(copy);
      changed.bound = "unknown";
      Object.assign(changed.load!, { requests: 6_000, duration_us: 3e6, requests_per_second: 1, connections: 10 });
      Object.assign(changed.latency!, { mean_us: 5_100, littles_law_gap: 0.5 });
      Object.assign(changed.counters!, { server_cpu_ns: 3e9, server_cpu_ns_per_request: 1, server_share: 0.99 });
    }));
    assert.deepEqual(
      [load!.requests_per_second, counters!.server_cpu_ns_per_request, bound],
      [2_000, 5e5, "server"],
      name,
    );
    assert.ok(Math.abs(latency!.littles_law_gap! - 0.02) < 1e-9, name);
  }
});

test("a server alone answered and used what its load counted, and one of several what is told of it", () => {
  const [only] = derivedOf(ceiling, ({ members }) => Object.assign(members[0]!, { requests: 7, cpu_ns: 8 })).members;
  assert.deepEqual([only!.requests, only!.cpu_ns], [ceiling.load!.requests, ceiling.counters!.server_cpu_ns]);
  const [first] = derivedOf(shared, ({ members }) => Object.assign(members[0]!, { requests: 7, cpu_ns: 56 })).members;
  assert.deepEqual([first!.requests, first!.cpu_ns, first!.cpu_ns_per_request], [7, 56, 8]);
});

test("an open loop has no gap and none in flight", () => {
  const { latency, load } = derivedOf(ceiling, (line) => {
    Object.assign(line.load!, { offered_per_second: 1_000, in_flight: 3 });
  });
  assert.deepEqual([latency!.littles_law_gap, load!.in_flight], [null, undefined]);
});

test("requests in flight are counted again where a load counts them, of one server in a closed loop", () => {
  const few = (line: Observation, change: object) => {
    const load = { requests: 50, connections: 50, duration_us: 2e6, in_flight: 7, ...change };
    const latency = { ...ceiling.latency!, histogram: [], mean_us: 1.2e6, p50_us: 1.2e6, p99_us: 1.2e6, max_us: 1.2e6 };
    return derivedOf(line, (copy) => Object.assign(copy, { load: { ...copy.load!, ...load }, latency })).load!;
  };
  const { in_flight: inFlight, requests_per_second: rate } = few(ceiling, {});
  assert.ok(Math.abs(inFlight! - 100 / 3) < 1e-9 && Math.abs(rate - 125 / 3) < 1e-9, `${inFlight} ${rate}`);
  assert.equal(few(ceiling, { in_flight: undefined }).requests_per_second, 25, "an earlier version counted none");
  assert.equal(few(ceiling, { offered_per_second: 40 }).in_flight, undefined);
  assert.equal(few(shared, {}).in_flight, undefined);
});

test("the gap of several servers is to the connections of all", () => {
  const { latency } = derivedOf(shared, (line) => {
    line.latency = { ...structuredClone(ceiling.latency!), mean_us: 1.1e6 };
    Object.assign(line.load!, { requests: 1_000, duration_us: 1e6, connections: 1_000 / line.members.length });
  });
  assert.ok(Math.abs(latency!.littles_law_gap! - 0.1) < 1e-9, `${latency!.littles_law_gap}`);
});

const SLICE_NS = 100e6;

/** A warm-up alone, as it is derived. */
function warmedUp(slices: readonly Slice[], change: Partial<Warmup> = {}): Warmup {
  const warmup: Warmup = {
    ended: "steady",
    duration_us: slices.length * SLICE_NS / 1e3,
    requests: 1,
    slice_ms: SLICE_NS / 1e6,
    slices: [slices.map(({ requests, cpu_ns }) => [requests, cpu_ns])],
    judged_slices: slices.length,
    steadiness: ["flat"],
    changes: [null],
    ...change,
  };
  return derivedLine({ ...ceiling, members: [{ ...ceiling.members[0]!, warmup }] }).members[0]!.warmup!;
}

const MOST = 200;

/** A scan of so many milliseconds that is followed until it is flat. */
function warmUp(costMs: number, seed: number): Slice[] {
  const random = createRandom(seed);
  const slices: Slice[] = [];
  while (slices.length < MOST) {
    const cost = costMs * 1e6 * Math.exp(0.13 * normal(random)) * (1 + 0.6 * Math.exp(-slices.length / 4));
    slices.push({ requests: Math.max(1, SLICE_NS / cost + 0.8 * normal(random)), cpu_ns: SLICE_NS });
    if (slices.length >= 20 && judgeWarmup([slices])[0]!.kind === "flat") break;
  }
  return slices;
}

test("true warm-ups of scans, of which a slice holds few requests and some are joined, are steady again", () => {
  let judgedUnjoined = 0;
  for (const costMs of [2, 5, 8, 9.5, 11, 15, 40]) {
    for (let seed = 0; seed < 20; seed++) {
      const slices = warmUp(costMs, 1_000 * costMs + seed);
      // What is not flat by then was given up.
      if (slices.length === MOST) continue;
      const { ended, steadiness } = warmedUp(slices);
      assert.deepEqual([ended, steadiness], ["steady", ["flat"]], `${costMs} ms, seed ${seed}`);
      if (steady(slices).kind !== "flat") judgedUnjoined++;
    }
  }
  assert.ok(judgedUnjoined > 0, "none of these needs that slices were joined");
});

test("slices that were known only after the load had ended say nothing of how it was judged", () => {
  const slices = warmUp(2, 7);
  const later = [...slices, ...Array.from({ length: 9 }, () => ({ requests: 20, cpu_ns: SLICE_NS }))];
  assert.equal(warmedUp(later, { judged_slices: slices.length }).ended, "steady");
  assert.equal(warmedUp(later, { judged_slices: later.length }).ended, "most");
});

test("a scan that still grew cheaper is not steady, nor is a fast server, nor one that did too little work", () => {
  for (const costMs of [0.02, 2, 9.5, 15]) {
    const slices = Array.from({ length: 100 }, (_, n): Slice => {
      const costNs = costMs * 1e6 * (3 - n / 50);
      return { requests: SLICE_NS / costNs, cpu_ns: SLICE_NS };
    });
    const { ended, steadiness } = warmedUp(slices);
    assert.deepEqual([ended, steadiness], ["most", ["moving"]], `${costMs} ms`);
  }
  const little = Array.from({ length: 30 }, (): Slice => ({ requests: 12, cpu_ns: 1e5 }));
  assert.deepEqual([warmedUp(little).ended, warmedUp(little).steadiness], ["most", ["flat"]]);
});

test("a server that was left out keeps its place, and a warm-up without slices is as it was", () => {
  const slices = warmUp(2, 3).map(({ requests, cpu_ns }): [number, number] => [requests, cpu_ns]);
  const { warmup } = derivedOf(shared, (line) => {
    const three = { slices: [slices, [], slices], steadiness: [], changes: [], judged_slices: slices.length };
    line.warmup = { ...line.warmup!, ended: "planned", ...three };
  });
  assert.deepEqual([warmup!.steadiness[1], warmup!.changes[1], warmup!.ended], ["unknown", null, "planned"]);
  assert.equal(warmup!.steadiness.length, 3);
  const none: Partial<Warmup> = { slices: null, judged_slices: null, changes: [0.3], why_no_slices: "older" };
  assert.deepEqual(warmedUp([], none).changes, [0.3]);
});

test("servers of a warm-up may be summed in any order, as they take turns in starting", () => {
  const random = createRandom(3);
  const slices = [0, 1, 2, 3, 4].map(() =>
    Array.from({ length: 60 }, (): [number, number] => [100 + Math.floor(900 * random()), 1e7 * (1 + 0.1 * random())])
  );
  const asMeasured = judgeWarmup(
    slices.map((ofServer) => ofServer.map(([requests, cpu_ns]) => ({ requests, cpu_ns }))),
  );
  const turned = [...slices.slice(2), ...slices.slice(0, 2)],
    ends = [...asMeasured.slice(2), ...asMeasured.slice(0, 2)];
  const warmup = {
    ...{ ...shared.warmup!, slices: turned, judged_slices: 60 },
    ...{ steadiness: ends.map(({ kind }) => kind), changes: ends.map(({ change }) => change) },
  };
  assert.deepEqual(derivedLine({ ...shared, warmup }).warmup, warmup);
  const changes = warmup.changes.map((change) => change! + 1e-6);
  assert.notDeepEqual(derivedLine({ ...shared, warmup: { ...warmup, changes } }).warmup!.changes, changes);
});

const latency = (p50_us: number, p99_us = p50_us, mean_us = p50_us) => ({ p50_us, p99_us, mean_us });

test("replies of 1.2 s in a window of 2 s over 50 connections are 41.7 a second", () => {
  const more = inFlightOf({ requests: 50, duration_us: 2e6, connections: 50, latency: latency(1.2e6) })!;
  assert.ok(Math.abs((50 + more) / 2 - 50 / 1.2) < 1e-9, `${more}`);
});

test("nothing is counted in where it is little, and where replies took unlike times", () => {
  const of = (requests: number, figures: ReturnType<typeof latency> | null, duration_us = 2e6) =>
    inFlightOf({ requests, duration_us, connections: 50, latency: figures });
  assert.equal(of(5_000, latency(20_000)), null, "a hundred replies each");
  assert.equal(of(100, latency(1e6)), null, "the window ends with a reply of each");
  assert.equal(of(49, latency(1.2e6)), null, "not one reply each");
  assert.equal(of(100, latency(400_000, 800_000)), null, "a queue: later ones wait longer");
  assert.equal(of(100, latency(1.2e6, 1.2e6, 760_000)), null, "two kinds of reply");
  assert.equal(of(100, null), null);
});

test("no more is counted in than there are connections", () => {
  assert.equal(inFlightOf({ requests: 60, duration_us: 10e6, connections: 50, latency: latency(1e6) }), 50);
});
