import assert from "node:assert/strict";
import { test } from "node:test";
import { cellName } from "../record/cell.ts";
import { solosOf } from "../judge/lines.ts";
import { makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { binOf, gatherEvidence, readLeanLine } from "./evidence.ts";
import { BINS_PER_DECADE } from "./page-data.ts";

const { run, lines } = makeFixture({ sizes: [10_000], stores: ["map"] });
const alone = lines.filter(({ kind }) => kind === "solo");
const lean = (made: readonly unknown[]) => made.map((line) => readLeanLine(JSON.stringify(line)));
const planned = makeFixture({ sizes: [10_000], stores: ["map"], together: "plan" });

/** A line as it is without histograms, whatever stands in their place. */
const bare = (line: unknown) =>
  JSON.parse(JSON.stringify(line, (key, value) => key === "histogram" ? "a histogram" : value));

test("a line read lean is the line without its histograms, whose counts are all in the bins of what was alone", () => {
  assert.ok(alone.every(({ latency }) => latency !== null && latency.histogram.length > 0));
  for (const line of [...lines, ...makeOddFixture({ rounds: 1 }).lines, ...planned.lines]) {
    const [{ record, solos }] = lean([line]) as [ReturnType<typeof readLeanLine>];
    assert.deepEqual(bare(record), bare(line));
    const separate = solosOf(line);
    assert.deepEqual(bare(solos.map(({ solo }) => solo)), bare(separate));
    for (const [n, { latency }] of separate.entries()) {
      const { bins } = solos[n]!;
      if (latency === null) {
        assert.equal(bins, null);
        continue;
      }
      const expected = Array.from(bins!, () => 0);
      for (const [us, count] of latency.histogram) expected[binOf(Math.floor(us))]! += count;
      assert.deepEqual(bins, expected);
    }
  }
});

test("a line of a newer format says so", () => {
  assert.throws(
    () => readLeanLine('{"schema":"levelfield.observation/99"}'),
    /^BenchError: a line of journal\.ndjson is of version "levelfield\.observation\/99", made by a newer Levelfield; /,
  );
});

test("each of several servers keeps its own histogram of when it was alone", () => {
  const line = planned.lines.find(({ kind, alone }) => kind === "ensemble" && alone)!;
  const [{ solos }] = lean([line]) as [ReturnType<typeof readLeanLine>];
  assert.equal(solos.length, line.members.length);
  const counts = solos.map(({ bins }) => bins!.reduce((a, b) => a + b, 0));
  assert.deepEqual(counts, line.members.map(({ alone }) => alone!.load!.requests));
  assert.equal(new Set(counts).size, counts.length);
});

/** The bins of a made-up line of one cell alone with this histogram. */
const binsOf = (histogram: readonly unknown[]) =>
  lean([{ ...alone[0]!, latency: { ...alone[0]!.latency!, histogram } }])[0]!.solos[0]!.bins!;

test("an empty histogram has no bins, and fractions of a microsecond are read", () => {
  assert.deepEqual(binsOf([]), []);
  const bins = binsOf([[10.5, 3], [100, 2]]);
  assert.deepEqual([bins[32], bins[64], bins.length], [3, 2, 65]);
});

test("bins are as wide as they say", () => {
  for (const us of [1, 9, 10, 63, 999, 1_000, 15_300]) {
    const bin = binOf(us);
    assert.ok(10 ** (bin / BINS_PER_DECADE) <= us * 1.000001 && us < 10 ** ((bin + 1) / BINS_PER_DECADE), String(us));
  }
});

test("the histograms of a cell's ok observations are added up, from the first bin that holds any", () => {
  const line = (status: "ok" | "invalid", bins: number[]) => {
    const record = { ...alone[0]!, status };
    return { record, solos: solosOf(record).map((solo) => ({ solo, bins })) };
  };
  const evidence = gatherEvidence(run, [
    line("ok", [0, 0, 0, 7, 0, 123_456]),
    line("ok", [0, 0, 1, 0, 0, 0, 5]),
    line("invalid", [9]),
  ]);
  assert.deepEqual(Object.values(evidence).map(({ histogram }) => histogram), [{
    from: 2,
    counts: [1, 7, 0, 123_000, 5],
  }]);
  assert.deepEqual(Object.values(gatherEvidence(run, [line("ok", [])]))[0]!.histogram, { from: 0, counts: [] });
});

test("evidence has a row for each observation of a cell alone and counters as medians", () => {
  const evidence = gatherEvidence(run, lean(lines));
  const nameOf = (line: typeof alone[number]) => cellName(run.plan.axes, line.members[0]!.cell);
  assert.deepEqual(Object.keys(evidence), [...new Set(alone.map(nameOf))]);
  const [name, ofCell] = Object.entries(evidence)[0]!;
  const rates = alone.filter((line) => nameOf(line) === name).map(({ load }) => load!.requests_per_second);
  assert.deepEqual(
    ofCell.rounds.map((round) => round.requests_per_second),
    rates.map((rate) => Number(rate.toPrecision(6))),
  );
  assert.equal(ofCell.counters["foreign_share"], alone[0]!.counters!.foreign_share);
});
