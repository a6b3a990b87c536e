import assert from "node:assert/strict";
import { test } from "node:test";
import hdr from "hdr-histogram-js";
import { forExports } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { countOf, percentileUs } from "../statistics/latency-histogram.ts";
import { toHdr } from "./hdr.ts";
import { soloObservations } from "./rows.ts";

const files = filesOf(forExports());
const kept = soloObservations(files).filter(({ latency }) => latency !== null && latency.histogram.length > 0);

test("the library of HdrHistogram reads back each window: tag, times, count and the same quantiles", () => {
  const reader = new hdr.HistogramLogReader(toHdr(files));
  for (const { latency, line, load } of kept) {
    const read = reader.nextIntervalHistogram();
    assert.ok(read !== null && latency !== null && load !== null);
    assert.match(read.tag, /^\w+\/\w+\/\w+/);
    assert.equal(read.startTimeStampMsec, Date.parse(line.started_at));
    assert.equal(read.endTimeStampMsec - read.startTimeStampMsec, Math.round(load.duration_us / 1_000));
    assert.equal(read.totalCount, countOf(latency.histogram));
    for (const share of [0.01, 0.5, 0.9, 0.99, 0.999, 1]) {
      const us: number = read.getValueAtPercentile(share * 100) / 1_000, own = percentileUs(latency.histogram, share);
      assert.ok(Math.abs(us - own) <= own / 1_000, `${share}: ${us} instead of ${own}`);
    }
  }
  assert.ok(kept.length > 10);
  assert.equal(reader.nextIntervalHistogram(), null);
});

test("latencies from a microsecond to hours have their slot, and windows without a histogram are named", () => {
  const [solo] = kept;
  const histogram: [number, number][] = [[0, 1], [1, 200], [1_023, 1], [2_048, 7], [1.8e7, 3], [7.2e9, 2 ** 31]];
  const line = { ...solo!.line, kind: "solo" as const };
  const [member] = line.members;
  const lines = [histogram, []].map((histogram, n) => ({
    ...{ ...line, index: n, kind: "solo" as const, load: solo!.load, counters: solo!.counters, bound: solo!.bound },
    ...{ latency: { ...solo!.latency!, histogram }, members: [{ ...member!, alone: undefined }] },
  }));
  const text = toHdr({ ...files, lines: lines as unknown as typeof files.lines });
  const read = new hdr.HistogramLogReader(text).nextIntervalHistogram()!;
  assert.equal(read.totalCount, 2 ** 31 + 212);
  const inner = [[0.1e-5, 1], [100, 7.2e9]] as const;
  for (const [percent, us] of inner) {
    assert.ok(Math.abs(read.getValueAtPercentile(percent) / 1_000 - us) <= us / 1_000, `${percent}`);
  }
  assert.match(text, /^# no histogram: \S+, round \d+, ok$/m);
});
