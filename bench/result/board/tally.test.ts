import assert from "node:assert/strict";
import { test } from "node:test";
import type { Made } from "../across-machines.ts";
import type { SaidComparison } from "../fold-comparisons.ts";
import { type BoardRun, kept, type ReadBoardRun, suiteIdentity } from "./board-run.ts";
import { startTally } from "./tally.ts";

const ENGINE: Made["axis"] = {
  name: "engine",
  title: "Engine",
  role: "contrast",
  unit: null,
  option: "engine",
  shown: true,
  values: ["water", "wind"].map((value) => ({ value, text: value, facts: {} })),
};

const WIND_OVER_WATER: Omit<Made, "seen"> = {
  key: "wind over water",
  axis: ENGINE,
  axes: [ENGINE],
  points: [{ suite: "mills", at: { engine: "wind" } }, { suite: "mills", at: { engine: "water" } }],
};

let made = 0;

function runOn(
  kind: string,
  seen: SaidComparison | null,
  change: {
    readonly model?: string;
    readonly suite?: string;
    readonly rate?: number;
    readonly cpus?: number;
    /** Kind of the load generator's CPU, on a machine of its own. */
    readonly load?: string;
  } = {},
): ReadBoardRun {
  const { model = `a ${kind}`, suite = "mills", rate = 1_000, cpus = 2, load } = change;
  const rest = {
    cpus,
    memory_bytes: 2 ** 33,
    os: "Linux",
    kernel: "6.1",
    architecture: "x64",
    virtualization: null,
    container: null,
  };
  const run: BoardRun = {
    id: String(made++),
    journal_sha256: "",
    found: "",
    run: `run ${made}`,
    suite: { key: suite, name: suite, title: suite },
    machine: {
      cpu_kind: kind,
      cpu_model: model,
      ...rest,
      ...(load === undefined ? {} : { load: { cpu_kind: load, cpu_model: `a ${load}`, ...rest } }),
    },
    started_at: new Date(1e12 + made).toISOString(),
    state: "finished",
    grade: "shared",
    marks: [],
    answer: "",
    cells: 2,
    rounds: 6,
    tools: ["wrk 4.2.0"],
    version: "0.1.0",
  };
  return {
    run,
    comparisons: seen === null ? [] : [{ ...WIND_OVER_WATER, seen }],
    rates: [{ cell: "wind", requests_per_second: rate, least: false }],
  };
}

function tallied(...runs: ReadBoardRun[]) {
  const tally = startTally();
  for (const run of runs) tally.add(run);
  return tally.result();
}

const faster = (ratio: number): SaidComparison => ({ verdict: "faster", ratio });
const slower = (ratio: number): SaidComparison => ({ verdict: "slower", ratio });

test("a verdict holds where all kinds of CPU decided it alike, whatever order runs come in", () => {
  const runs = [runOn("amd-25-1", faster(1.2)), runOn("intel-6-85", faster(1.5)), runOn("arm-41-d0c", faster(1.8))];
  for (const order of [runs, runs.toReversed()]) {
    const { suites: [suite], machines } = tallied(...order);
    const [one] = suite!.comparisons;
    assert.deepEqual([one!.comparison.outcome, one!.comparison.same, one!.kinds, one!.runs], ["holds", 3, 3, 3]);
    assert.ok(Math.abs(one!.comparison.moves!.greatest / one!.comparison.moves!.least - 1.5) < 1e-9);
    assert.match(suite!.sentence!, /^1 of 1 verdict holds on all 3 machines; ratios move by up to 1\.50 ×\.$/);
    assert.deepEqual(machines.map(({ kind }) => kind), ["amd-25-1", "arm-41-d0c", "intel-6-85"]);
    assert.deepEqual(one!.machines.map((place) => machines[place]!.kind), machines.map(({ kind }) => kind));
  }
  assert.deepEqual(tallied(...runs), tallied(...runs.toReversed()));
});

test("where another value wins on one machine the verdict turns, and the machine is told", () => {
  const { suites: [suite], machines } = tallied(
    runOn("amd-25-1", faster(1.2)),
    runOn("intel-6-85", faster(1.3)),
    runOn("arm-41-d0c", slower(0.8)),
  );
  const { comparison, machines: places } = suite!.comparisons[0]!;
  assert.deepEqual([comparison.outcome, comparison.over], ["turns", "wind"]);
  const turned = places.filter((_, n) => comparison.seen[n]!.verdict === "slower").map((place) =>
    machines[place]!.name
  );
  assert.deepEqual(turned, ["arm-41-d0c"]);
});

test("runs of one machine are one voice: their mean where they agree, none where they contradict each other", () => {
  const agreed = tallied(runOn("amd-25-1", faster(1.1)), runOn("amd-25-1", faster(1.1 * 1.21)));
  const [one] = agreed.suites[0]!.comparisons;
  const [seen] = one!.comparison.seen;
  assert.ok(seen!.verdict === "faster" && Math.abs(seen!.ratio! - 1.21) < 1e-9);
  assert.deepEqual([one!.kinds, one!.runs, agreed.suites[0]!.sentence], [1, 2, null]);
  const against = tallied(runOn("amd-25-1", faster(1.1)), runOn("amd-25-1", slower(0.9)));
  assert.deepEqual(against.suites[0]!.comparisons, []);
  const open = tallied(runOn("amd-25-1", { verdict: "not-separable", ratio: 1.05 }), runOn("amd-25-1", faster(1.1)));
  assert.equal(open.suites[0]!.comparisons.length, 1);
});

test("comparisons that are called alike are told apart by what names leave out", () => {
  const hidden = (value: string): ReadBoardRun => {
    const run = runOn("amd-25-1", null);
    const axis = { ...ENGINE, name: "oil", title: "Oil", shown: false, values: [{ value, text: value, facts: {} }] };
    const points = WIND_OVER_WATER.points.map((point) => ({ ...point, at: { ...point.at, oil: value } }));
    const made: Made = {
      ...WIND_OVER_WATER,
      key: value,
      axes: [ENGINE, axis],
      points: [points[0]!, points[1]!],
      seen: faster(1.2),
    };
    return { ...run, comparisons: [made] };
  };
  const places = tallied(hidden("thin"), hidden("thick")).suites[0]!.comparisons.map(({ comparison }) => comparison.at);
  assert.deepEqual(places.sort(), ["Oil thick", "Oil thin"]);
  assert.deepEqual(tallied(hidden("thin")).suites[0]!.comparisons[0]!.comparison.at, "");
});

test("rates are held beside those of the same machine alone", () => {
  const { machines } = tallied(
    runOn("amd-25-1", null, { rate: 1_000 }),
    runOn("amd-25-1", null, { rate: 3_000, cpus: 8 }),
    runOn("intel-6-85", null, { rate: 90_000 }),
    runOn("amd-25-1", null, { rate: 7, model: "another" }),
  );
  const rates = machines.map(({ name, rates }) => [name, rates[0]!.cells[0]!.least, rates[0]!.cells[0]!.greatest]);
  assert.deepEqual(rates, [
    ["amd-25-1 a amd-25-1", 1_000, 3_000],
    ["amd-25-1 another", 7, 7],
    ["intel-6-85", 90_000, 90_000],
  ]);
  assert.deepEqual(machines[0]!.facts.map(({ machine, runs }) => [machine.cpus, runs]), [[2, 1], [8, 1]]);
});

test("servers loaded from another machine are a machine with it: rates are of both, verdicts of the servers' kind of CPU", () => {
  const { machines, suites } = tallied(
    runOn("amd-25-1", faster(1.2), { rate: 1_000 }),
    runOn("amd-25-1", faster(1.2), { rate: 700, load: "intel-6-85" }),
    runOn("amd-25-1", faster(1.2), { rate: 600, load: "amd-25-1" }),
    runOn("amd-25-1", faster(1.2), { rate: 500, load: "amd-25-1", cpus: 8 }),
  );
  assert.deepEqual(machines.map(({ name, runs, load }) => [name, runs.length, load?.cpu_kind]), [
    ["amd-25-1", 1, undefined],
    ["amd-25-1 loaded from amd-25-1", 2, "amd-25-1"],
    ["amd-25-1 loaded from intel-6-85", 1, "intel-6-85"],
  ]);
  assert.deepEqual(machines.map(({ rates }) => rates[0]!.cells[0]!.greatest), [1_000, 600, 700]);
  assert.deepEqual([suites[0]!.machines, suites[0]!.comparisons[0]!.kinds, suites[0]!.sentence], [3, 1, null]);
});

test("suites of one name are one where they are of this project, or made from the same source", () => {
  const of = (suite: object, source_sha256 = "a") =>
    suiteIdentity(
      {
        plan: { suite: { name: "app", title: "", module: null, ...suite } },
        levelfield: { source_sha256 },
      } as unknown as Parameters<typeof suiteIdentity>[0],
    );
  const source = (sha256: string) => ({ source: { sha256, source: { of: "module", files: 1 } } });
  const own = (sha256: string) => ({
    own: { servers: [{ kind: "app", name: "app", sha256 }], requests: [], draws: {} },
  });
  assert.equal(of({}), of({}, "b"));
  assert.notEqual(of({ module: "x.ts" }), of({ module: "x.ts" }, "b"));
  for (const made of [source, own]) {
    assert.equal(of(made("1")), of(made("1"), "b"));
    assert.notEqual(of(made("1")), of(made("2")));
    assert.notEqual(of(made("1")), of({}));
  }
});

test("texts are cut to what a board keeps, between characters", () => {
  assert.equal(kept("short"), "short");
  assert.equal([...kept("😀".repeat(400))].length, 301);
  assert.ok(kept("😀".repeat(400)).endsWith("😀…"));
});
