import assert from "node:assert/strict";
import { test } from "node:test";
import type { LatencyCell } from "../record/latency-cell.ts";
import { latencyPicture } from "./latency-picture.ts";

const step = (per_second: number, us: number | null, holds: boolean | null) => ({
  per_second,
  why: "up" as const,
  holds,
  sent_share: 0.999,
  us,
  reasons: [],
});

const cell: LatencyCell = {
  name: "<steam>",
  capacity_per_second: 10_000,
  tails: [{
    name: "50 %",
    offered_per_second: 5_000,
    sound: 3,
    windows: 3,
    sent_share: 1,
    dropped: 0,
    p50_us: 300,
    p99_us: 900,
    p99_least_us: 800,
    p99_most_us: 1_000,
    p999_us: 2_000,
    sender_p99_us: 700,
    p99_interval: { low_us: 800, high_us: 1_000, coverage: 0.96875 },
    reasons: [],
  }],
  knee: {
    per_second: 7_800,
    capped: false,
    share_of_capacity: 0.78,
    why: null,
    steps: [step(5_000, 1_000, true), step(9_000, 40_000, false), step(7_800, 8_000, true), step(8_000, null, null)],
  },
  connections: [{ connections: 1, requests_per_second: 4_000, p50_us: 200, p99_us: 300, reasons: [] }],
  sentence:
    "at 5k/s 99 % wait at most 0.9 ms (median of 3 windows, 0.8 to 1 ms); beyond 7.8k/s the limit of 10 ms is not held",
};

test("the picture has a point for each rate that was judged, with its evidence, the limit and the knee", () => {
  const svg = latencyPicture({ cells: [cell], limit: "p99<10ms" });
  const titles = [...svg.matchAll(/<title>([^<]*)</g)].map(([, text]) => text!);
  assert.ok(titles.length >= 5, titles.join());
  assert.ok(titles.some((text) => /^step 2 \(up\): 9\.00k req\/s, 40\.0ms, 99\.9 % answered/.test(text)));
  for (const word of ["p99&lt;10ms", "knee", "closed loop"]) assert.ok(svg.includes(`>${word}<`), word);
  assert.ok(svg.includes("&lt;steam&gt;") && !svg.includes("<steam>"));
});

test("a cell of which nothing is known has a panel that says so, and no line", () => {
  const svg = latencyPicture({ cells: [{ ...cell, tails: [], knee: null }], limit: "p99<10ms" });
  assert.match(svg, /no rate was measured soundly/);
  assert.ok(!svg.includes("<title") && !svg.includes("NaN") && !svg.includes("Infinity"));
});
