import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import type { Solo } from "../judge/lines.ts";
import { cellName } from "../record/cell.ts";
import { countOf } from "../statistics/latency-histogram.ts";
import { latenciesOf, soloCounters } from "./evidence.ts";
import { pageData } from "./shown-run.ts";

const { run, lines } = makeFixture({ sizes: [10_000], stores: ["map"] });
const [shown] = pageData([filesOf({ run, lines })]).runs;
const [name, solos] = [...shown!.solos][0]!;

/** A load of one cell with this histogram. */
const loadOf = (histogram: [number, number][], status: Solo["status"] = "ok"): Solo => ({
  ...solos[0]!,
  status,
  latency: { ...solos[0]!.latency!, histogram },
});

test("the evidence of a cell is its loads alone, in the order of measuring, by its name", () => {
  const isOwn = ({ kind, members }: typeof lines[number]) =>
    kind === "solo" && cellName(run.plan.axes, members[0]!.cell) === name;
  assert.equal(name, "node/map/10k");
  assert.deepEqual(solos.map(({ line }) => line.index), lines.filter(isOwn).map(({ index }) => index));
  assert.deepEqual([...shown!.solos.keys()].toSorted(), [...new Set(shown!.cells.map((card) => card.name))].toSorted());
});

test("each of several servers keeps its own latencies of when it was alone", () => {
  const planned = makeFixture({ sizes: [10_000], stores: ["map"], together: "plan" });
  const { solos } = pageData([filesOf(planned)]).runs[0]!;
  const counts = [...solos.values()].map((own) => countOf(latenciesOf(own)));
  const expected = [...solos.values()].map((own) =>
    own.reduce((sum, { status, load }) => status === "ok" ? sum + load!.requests : sum, 0)
  );
  assert.deepEqual(counts, expected);
  assert.equal(new Set(counts).size, counts.length);
});

test("latencies of a cell's ok loads are added up, and voided ones say nothing", () => {
  const loads = [loadOf([[10.5, 3], [100, 2]]), loadOf([[100, 5], [7, 1]]), loadOf([[9, 9]], "invalid")];
  assert.deepEqual(latenciesOf(loads), [[7, 1], [10.5, 3], [100, 7]]);
  assert.deepEqual(latenciesOf([loadOf([])]), []);
});

test("counters are medians over ok loads, those of a link only where there is one", () => {
  const counters = soloCounters(solos);
  assert.equal(counters["foreign_share"], solos[0]!.counters!.foreign_share);
  assert.equal("link_used_share" in counters, false);
});
