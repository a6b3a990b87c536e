import assert from "node:assert/strict";
import { test } from "node:test";
import { subjectName } from "../core/plan.ts";
import { binOf, gatherEvidence, readLeanLine } from "./evidence.ts";
import { makeFixture } from "./fixture.ts";
import { BINS_PER_DECADE } from "./page/page-data.ts";

const { run, lines } = makeFixture({ sizes: [10_000], stores: ["map"] });
const trials = lines.filter((line) => line.schema === "levelfield.trial/1");

test("a line read lean is the line without its histogram, whose counts are all in bins", () => {
  for (const line of lines) {
    const { record, bins } = readLeanLine(JSON.stringify(line));
    if (line.schema !== "levelfield.trial/1") {
      assert.deepEqual([record, bins], [JSON.parse(JSON.stringify(line)), null]);
      continue;
    }
    assert.deepEqual(record, JSON.parse(JSON.stringify({ ...line, latency: { ...line.latency, histogram: [] } })));
    const expected = Array.from(bins!, () => 0);
    for (const [us, count] of line.latency!.histogram) expected[binOf(Math.floor(us))]! += count;
    assert.deepEqual(bins, expected);
  }
});

test("an empty histogram has no bins, and fractions of a microsecond are read", () => {
  assert.deepEqual(readLeanLine('{"latency":{"histogram":[]},"x":[[1]]}').bins, []);
  const { bins } = readLeanLine('{"histogram":[[10.5,3],[100,2]]}');
  assert.deepEqual([bins![32], bins![64], bins!.length], [3, 2, 65]);
});

test("bins are as wide as they say", () => {
  for (const us of [1, 9, 10, 63, 999, 1_000, 15_300]) {
    const bin = binOf(us);
    assert.ok(10 ** (bin / BINS_PER_DECADE) <= us * 1.000001 && us < 10 ** ((bin + 1) / BINS_PER_DECADE), String(us));
  }
});

test("the histograms of a cell's ok trials are added up, from the first bin that holds any", () => {
  const [first, second] = trials;
  const line = (record: typeof first, status: string, bins: number[]) => ({
    record: { ...record!, status } as NonNullable<typeof first>,
    bins,
  });
  const evidence = gatherEvidence(run.started_at, [
    line(first, "ok", [0, 0, 0, 7, 0, 123_456]),
    line({ ...second!, cell: first!.cell, label: first!.label }, "ok", [0, 0, 1, 0, 0, 0, 5]),
    line({ ...second!, cell: first!.cell, label: first!.label }, "invalid", [9]),
  ]);
  assert.deepEqual(Object.values(evidence).map(({ histogram }) => histogram), [{
    from: 2,
    counts: [1, 7, 0, 123_000, 5],
  }]);
  const none = gatherEvidence(run.started_at, [line(first, "ok", [])]);
  assert.deepEqual(Object.values(none)[0]!.histogram, { from: 0, counts: [] });
});

test("evidence has a row for each trial of a cell and counters as medians", () => {
  const evidence = gatherEvidence(run.started_at, lines.map((line) => readLeanLine(JSON.stringify(line))));
  assert.deepEqual(Object.keys(evidence), [...new Set(trials.map(subjectName))]);
  const [name, own] = Object.entries(evidence)[0]!;
  const rates = trials.filter((trial) => subjectName(trial) === name).map((trial) => trial.load!.requests_per_second);
  assert.deepEqual(
    own.rounds.map((round) => round.requests_per_second),
    rates.map((rate) => Number(rate.toPrecision(6))),
  );
  assert.equal(own.counters["foreign_share"], 0.002);
});
