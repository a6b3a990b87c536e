import assert from "node:assert/strict";
import { test } from "node:test";
import type { At } from "../../suites/suite.ts";
import { answerInput, bySpeed, ENGINE, LOAD, type Told, UNTOLD } from "../../tests/fixtures/made-up-verdicts.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import { type AcrossMachines, acrossMachines, greatestMove, type MachineRun } from "./across-machines.ts";

type Judge = (a: At, b: At, axis: string | null) => Told;

/** A run of a kind of CPU whose verdicts a function gives. */
function runOn(
  cpu_kind: string,
  judge: Judge,
  change: {
    readonly axes?: PlanAxis[];
    readonly suite?: string;
    /** Hash of the module its suite was made from; of this project without. */
    readonly source?: string;
    readonly model?: string;
    readonly run?: string;
    readonly labels?: string[];
    /** Kind of the load generator's CPU, on a machine of its own. */
    readonly load?: string;
  } = {},
): MachineRun {
  const {
    axes = [ENGINE, LOAD],
    suite = "mills",
    source,
    model = `a ${cpu_kind}`,
    run = `on-${cpu_kind}`,
    load,
    ...rest
  } = change;
  const { families, cells } = answerInput(axes, judge, rest);
  const named = cells.map(({ name, cell }) => ({
    name,
    cell: { ...cell, point: { ...cell.point, suite } },
    marks: [],
    steadiness: "flat" as const,
    cv: 0.01,
  }));
  return {
    run: {
      run,
      plan: { suite: { name: suite, module: source === undefined ? null : "mills.ts" }, axes },
      levelfield: { source_sha256: source ?? "" },
      machine: { cpu_kind, cpu_model: model },
      ...(load && { hosts: from(load) }),
    },
    summary: { families, cells: named },
  };
}

const from = (cpu_kind: string) => ({ load_machine: { cpu_kind, cpu_model: `a ${cpu_kind}` } });

/** The comparisons of several machines; fails where there are none. */
function held(...runs: MachineRun[]): AcrossMachines {
  const across = acrossMachines(runs);
  assert.ok(!("cause" in across), "cause" in across ? across.cause : "");
  return across;
}

/** By speed, except for one comparison: water and wind with 1k kg. */
const but = (told: Told): Judge => (a, b) =>
  a["engine"] === "water" && b["engine"] === "wind" && a["load"] === 1_000 ? told : bySpeed(a, b);

test("where two machines decide everything alike all verdicts hold, and the ratio that moves most is told", () => {
  const across = held(runOn("amd-25-1", bySpeed), runOn("intel-6-85", but({ faster: 1 / 1.4 })));
  assert.equal(across.sentence, "9 of 9 verdicts hold on both machines; ratios move by up to 1.25 ×.");
  const [first] = across.comparisons;
  assert.deepEqual([first!.axis, first!.over, first!.under, first!.at], ["Engine", "wind", "water", "1000 kg"]);
  assert.deepEqual([first!.outcome, first!.same, first!.made], ["holds", 2, 2]);
  assert.ok(Math.abs(first!.moves!.least - 1.12) < 1e-9 && Math.abs(first!.moves!.greatest - 1.4) < 1e-9);
  assert.ok(across.comparisons.slice(1).every(({ moves }) => Math.abs(greatestMove(moves) - 1) < 1e-9));
});

test("a verdict that turns comes first, with the machine on which another value wins", () => {
  const across = held(runOn("amd-25-1", bySpeed), runOn("intel-6-85", but({ faster: 1.1 })));
  assert.equal(
    across.sentence,
    "8 of 9 verdicts hold on both machines; in 1 another value wins; ratios move by up to 1.23 ×.",
  );
  const { over, under, outcome, same, seen } = across.comparisons[0]!;
  assert.deepEqual([over, under, outcome, same], ["wind", "water", "turns", 1]);
  assert.deepEqual(seen.map((each) => each?.verdict), ["faster", "slower"]);
});

test("of three machines the majority says which value is first, and how many decided it so", () => {
  const turned = but({ faster: 1.1 });
  const across = held(runOn("amd-25-1", bySpeed), runOn("intel-6-85", turned), runOn("apple-m2", turned));
  const { over, under, outcome, same, made, seen } = across.comparisons[0]!;
  assert.deepEqual([over, under, outcome, same, made], ["water", "wind", "turns", 2, 3]);
  assert.deepEqual(seen.map((each) => each?.verdict), ["slower", "faster", "faster"]);
  assert.match(across.sentence, /^8 of 9 verdicts hold on all 3 machines; in 1 another value wins; /);
});

test("a comparison undecided on one machine does not hold on both, and its ratio there moves nothing", () => {
  for (const open of [UNTOLD, { near: 5 }]) {
    const across = held(runOn("amd-25-1", bySpeed), runOn("intel-6-85", but(open)));
    assert.equal(
      across.sentence,
      "8 of 9 verdicts hold on both machines; 1 is open on one or more; ratios move by up to 1.00 ×.",
    );
    const { outcome, same, made, moves, seen } = across.comparisons[0]!;
    assert.deepEqual([outcome, same, made, moves], ["open", 1, 2, null]);
    assert.deepEqual(seen[1], { verdict: "no-verdict", ratio: null });
  }
});

test("faster on one and equivalent on another is neither the same nor turned", () => {
  const across = held(runOn("amd-25-1", bySpeed), runOn("intel-6-85", but({ same: 0.99 })));
  assert.equal(across.comparisons[0]!.outcome, "differs");
  assert.match(
    across.sentence,
    /^8 of 9 verdicts hold on both machines; 1 is faster on one and equivalent on another;/,
  );
  const equal = held(runOn("amd-25-1", but({ same: 1.01 })), runOn("intel-6-85", but({ same: 0.99 })));
  assert.match(equal.sentence, /^9 of 9 verdicts hold/);
  const same = equal.comparisons.find(({ seen }) => seen[0]!.verdict === "equivalent")!;
  assert.deepEqual([same.over, same.under], ["water", "wind"], "without a winner in the plan's order");
});

test("what no machine decided is counted apart, and nothing decided anywhere is said so", () => {
  const across = held(runOn("amd-25-1", but(UNTOLD)), runOn("intel-6-85", but({ near: 1 })));
  assert.equal(
    across.sentence,
    "8 of 8 verdicts hold on both machines; 1 comparison is open on all; ratios move by up to 1.00 ×.",
  );
  assert.equal(across.comparisons.length, 8);
  const none = held(runOn("amd-25-1", () => UNTOLD), runOn("intel-6-85", () => UNTOLD));
  assert.equal(none.sentence, "No machine decided any of 9 comparisons that several made.");
});

test("a comparison is the same by its values, whatever texts, names and order the runs give them", () => {
  const renamed: PlanAxis = {
    ...ENGINE,
    title: "Motor",
    values: ENGINE.values.toReversed().map((value) => ({ ...value, text: `the ${value.text}` })),
  };
  const across = held(runOn("amd-25-1", bySpeed), runOn("intel-6-85", bySpeed, { axes: [LOAD, renamed] }));
  assert.match(across.sentence, /^9 of 9 verdicts hold on both machines/);
  assert.deepEqual(new Set(across.comparisons.map(({ axis }) => axis)), new Set(["Engine"]));
  // The text of one is the value of the other: equal names of different values are no reason to hold them together.
  const swapped: PlanAxis = {
    ...LOAD,
    values: LOAD.values.map(({ value, ...rest }) => ({ ...rest, value: Number(value) + 1 })),
  };
  const apart = acrossMachines([runOn("amd-25-1", bySpeed), runOn("intel-6-85", bySpeed, { axes: [ENGINE, swapped] })]);
  assert.deepEqual(apart, { cause: "nothing-shared" });
});

test("what runs do not share is left out, and a machine that did not make a comparison says nothing of it", () => {
  const small: PlanAxis = { ...LOAD, values: LOAD.values.slice(0, 1) };
  const across = held(
    runOn("amd-25-1", bySpeed),
    runOn("intel-6-85", bySpeed),
    runOn("apple-m2", bySpeed, { axes: [ENGINE, small] }),
  );
  assert.match(across.sentence, /^9 of 9 verdicts hold on all machines that made them; /);
  assert.deepEqual(across.comparisons.map(({ made }) => made).sort(), [2, 2, 2, 2, 2, 2, 3, 3, 3]);
  assert.equal(
    held(runOn("amd-25-1", bySpeed), runOn("apple-m2", bySpeed, { axes: [ENGINE, small] })).comparisons.length,
    3,
  );
});

test("runs of one kind of CPU are one machine: their ratios are one, and where they contradict each other it is open", () => {
  const twice = [
    runOn("amd-25-1", but({ faster: 1 / 1.2 })),
    runOn("amd-25-1", but({ faster: 1 / 1.8 }), { run: "again" }),
  ];
  const across = held(...twice, runOn("intel-6-85", but({ faster: 1 / 1.5 })));
  assert.deepEqual(across.machines.map(({ name, runs }) => [name, runs]), [
    ["amd-25-1", ["on-amd-25-1", "again"]],
    ["intel-6-85", ["on-intel-6-85"]],
  ]);
  const mean = across.comparisons.find(({ over, under, at }) =>
    over === "wind" && under === "water" && at === "1000 kg"
  )!;
  assert.ok(Math.abs(mean.moves!.least - Math.sqrt(1.2 * 1.8)) < 1e-9);
  const torn = held(twice[0]!, runOn("amd-25-1", but({ faster: 1.2 })), runOn("intel-6-85", bySpeed));
  assert.deepEqual(torn.comparisons[0]!.seen.map((each) => each?.verdict), ["no-verdict", "faster"]);
});

test("two models of one kind are two machines, and are no answer by themselves", () => {
  const [one, other] = ["EPYC 7763", "EPYC 7443"].map((model) => runOn("amd-25-1", bySpeed, { model }));
  assert.deepEqual(acrossMachines([one!, other!]), { cause: "one-kind", kind: "amd-25-1" });
  const across = held(one!, other!, runOn("intel-6-85", bySpeed));
  assert.deepEqual(across.machines.map(({ name }) => name), ["amd-25-1 EPYC 7763", "amd-25-1 EPYC 7443", "intel-6-85"]);
});

test("runs of different suites, and of one name made from other sources, are refused", () => {
  const looms = acrossMachines([runOn("amd-25-1", bySpeed), runOn("intel-6-85", bySpeed, { suite: "looms" })]);
  assert.deepEqual(looms, { cause: "other-suites", suites: ["mills", "looms"] });
  const on = (kind: string, source?: string) => runOn(kind, bySpeed, source === undefined ? {} : { source });
  assert.match(held(on("amd-25-1", "a"), on("intel-6-85", "a")).sentence, /^9 of 9 verdicts hold/);
  for (const other of ["b", undefined]) {
    const across = acrossMachines([on("amd-25-1", "a"), on("intel-6-85", other)]);
    assert.deepEqual(across, { cause: "other-sources", suite: "mills" });
  }
});

test("apps of the same names and requests are compared though their folders changed, which is said", () => {
  const on = (kind: string, sha256: string, module = "app.mjs"): MachineRun => {
    const one = runOn(kind, bySpeed), { suite } = one.run.plan;
    const own = { servers: [{ kind: "app", name: "a", module, sha256 }], requests: [] } as unknown as typeof suite.own;
    return { ...one, run: { ...one.run, plan: { ...one.run.plan, suite: { ...suite, own } } } };
  };
  assert.match(held(on("amd-25-1", "a"), on("intel-6-85", "b")).sentence, /^9 of 9 verdicts hold.+ folders .+ changed/);
  assert.doesNotMatch(held(on("amd-25-1", "a"), on("intel-6-85", "a")).sentence, /changed/);
  const other = acrossMachines([on("amd-25-1", "a"), on("intel-6-85", "a", "another.mjs")]);
  assert.deepEqual(other, { cause: "other-sources", suite: "mills" });
});

test("of several labels main counts, labels are not held against each other", () => {
  const labelled: Judge = (a, b, axis) => axis === null ? { faster: 3 } : bySpeed(a, b);
  const runs = [
    runOn("amd-25-1", labelled, { labels: ["other", "main"] }),
    runOn("intel-6-85", bySpeed, { labels: ["mine"] }),
  ];
  assert.match(held(...runs).sentence, /^9 of 9 verdicts hold/);
});

test("comparisons along several axes each name their own", () => {
  const body = planAxis("body", ["round", "square"], { title: "Body" });
  const judge: Judge = (a, b, axis) => axis === "body" ? { faster: 1.5 } : bySpeed(a, b);
  const axes = [ENGINE, body];
  const across = held(runOn("amd-25-1", judge, { axes }), runOn("intel-6-85", judge, { axes }));
  const bodies = across.comparisons.filter(({ axis }) => axis === "Body");
  assert.deepEqual(bodies.map(({ over, under, at }) => `${over} ${under} ${at}`).sort(), [
    "round square steam",
    "round square water",
    "round square wind",
  ]);
});

test("two cells named by hand count where they differ in one axis, as in a duet, and not where they differ in more", () => {
  const asPair = (one: MachineRun, other: (at: At, label: string) => boolean): MachineRun => {
    const { cells, families } = one.summary;
    const [a, b] = [cells[0]!.name, cells.find(({ cell }) => other(cell.point.at, cell.label))!.name];
    const comparison = { ...families[0]!.comparisons[0]!, over: b, under: a };
    const pair = { ...families[0]!, kind: "pair" as const, axis: null, comparisons: [comparison] };
    return { ...one, summary: { cells, families: [pair] } };
  };
  const runs = [runOn("amd-25-1", bySpeed), runOn("intel-6-85", bySpeed)];
  const duet = held(
    ...runs.map((one) => asPair(one, ({ engine, load }) => engine === "water" && load === 1_000)),
    runs[0]!,
  );
  assert.deepEqual(duet.comparisons.map(({ axis, over, under, made }) => [axis, over, under, made]), [
    ["Engine", "water", "steam", 2],
  ]);
  const apart = runs.map((one) => asPair(one, ({ engine, load }) => engine === "water" && load === 10_000));
  assert.deepEqual(acrossMachines(apart), { cause: "nothing-shared" });
  const labelled = [
    runOn("amd-25-1", bySpeed, { labels: ["main", "mine"] }),
    runOn("intel-6-85", bySpeed, { labels: ["main", "mine"] }),
  ];
  const treated = labelled.map((one) =>
    asPair(one, ({ engine, load }, label) => engine === "water" && load === 1_000 && label === "mine")
  );
  assert.ok("cause" in acrossMachines(treated));
});

test("servers loaded from another machine are a machine of their own, and no other kind of CPU", () => {
  const alone = runOn("amd-25-1", bySpeed), loaded = runOn("amd-25-1", bySpeed, { load: "intel-6-85", run: "apart" });
  const none = acrossMachines([alone, loaded]);
  assert.equal("cause" in none && none.cause, "one-kind");
  const { machines } = held(alone, loaded, runOn("intel-6-85", bySpeed));
  assert.deepEqual(machines.map(({ name, model }) => [name, model]), [
    ["amd-25-1", "a amd-25-1"],
    ["amd-25-1 loaded from intel-6-85", "a amd-25-1, load from a intel-6-85"],
    ["intel-6-85", "a intel-6-85"],
  ]);
});
