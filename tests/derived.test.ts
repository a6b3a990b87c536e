/** What is derived from a run's lines: summary, comparisons, shape, reproduction, on made-up runs cloned from real lines. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { flagsOf, steadinessOf } from "../bench/core/flags.ts";
import { aaCellOf, duetsOf, everyTwo } from "../bench/core/pairs.ts";
import { MAIN, matrix } from "../bench/core/plan.ts";
import { compareRuns } from "../bench/core/result/compare-runs.ts";
import type { DuetRecord } from "../bench/core/result/duet-record.ts";
import type { JournalLine } from "../bench/core/result/journal-line.ts";
import { publish } from "../bench/core/result/published.ts";
import { reproductionOf } from "../bench/core/result/reproduction.ts";
import { changesSince } from "../bench/core/result/run-changes.ts";
import { shapeOf } from "../bench/core/result/shape.ts";
import type { TrialRecord } from "../bench/core/result/trial-record.ts";
import { type FixtureAxes, makeFixture } from "../bench/report/fixture.ts";

const whole = (change: Partial<FixtureAxes> = {}) => {
  const { run, lines } = makeFixture(change);
  return { run, lines, published: publish(run, lines), summary: publish(run, lines).summary, label: MAIN };
};
const small: Partial<FixtureAxes> = { stores: ["map", "sqlite"], sizes: [10_000, 1_000_000] };
const isTrial = (line: JournalLine) => line.schema === "levelfield.trial/1";

test("verdicts between runtimes rest on duets where there are any, and find what was put in", () => {
  const { summary } = whole(small);
  const family = summary.families.find((one) => one.purpose === "runtimes" && one.store === "sqlite")!;
  assert.equal(family.verdicts.length, 3);
  for (const verdict of family.verdicts) assert.equal(verdict.basis, "duet");
  const node = family.verdicts.find((one) => one.a.includes("/node/") && one.b.includes("/bun/"))!;
  // The fixture's node has 0.76 of the speed and its bun 1.02.
  assert.ok(node.verdict === "faster" && node.winner === "b", JSON.stringify(node));
  assert.ok(node.interval.low < 0.76 / 1.02 && 0.76 / 1.02 < node.interval.high, JSON.stringify(node));
  assert.equal(family.ranking.at(-1)!.subjects.length, 1);
  assert.ok(family.ranking.at(-1)!.subjects[0]!.includes("/node/"));
});

test("a cell with a bad trial gets no verdict, and a generator-bound one no solo verdict", () => {
  const { run, lines } = makeFixture(small);
  const spoilt = lines.map((line): JournalLine =>
    line.schema === "levelfield.trial/1" && line.cell.runtime === "bun" && line.round === 2
      ? { ...line, status: "failed", reasons: [{ code: "server-crashed", message: "it ended" }] }
      : line
  );
  const verdicts = publish(run, spoilt).summary.families.filter((family) => family.purpose === "runtimes")
    .flatMap((family) => family.verdicts);
  for (const verdict of verdicts) {
    const bun = verdict.a.includes("/bun/") || verdict.b.includes("/bun/");
    assert.equal(verdict.verdict === "no-verdict", bun, JSON.stringify(verdict));
  }
  const bound = lines.map((line): JournalLine => isTrial(line) ? { ...line as TrialRecord, bound: "generator" } : line);
  for (const family of publish(run, bound).summary.families.filter((one) => one.purpose === "stores")) {
    for (const verdict of family.verdicts) assert.equal(verdict.verdict, "no-verdict", JSON.stringify(verdict));
  }
});

test("a run that finds a cell different from itself is stamped, and judges nothing", () => {
  const { run, lines } = makeFixture(small);
  const biased = lines.map((line): JournalLine =>
    line.schema === "levelfield.duet/2" && line.b.label === "aa"
      ? { ...line, b: { ...line.b, cpu_ns_per_request: line.a.cpu_ns_per_request! * (1.2 + 0.001 * line.round) } }
      : line
  );
  const { summary } = publish(run, biased);
  assert.equal(summary.noise_floor.duet.kind, "different");
  assert.ok(summary.stamps.some((stamp) => stamp.code === "aa-different"));
  const duets = summary.families.flatMap((family) => family.verdicts).filter((verdict) => verdict.basis === "duet");
  assert.ok(duets.length > 0);
  for (const verdict of duets) assert.equal(verdict.verdict, "no-verdict");
});

test("a pair of which one server was not warm gets no verdict, and says which and by how much", () => {
  const { run, lines } = makeFixture(small);
  const dearer = (duet: DuetRecord, share: number): DuetRecord => {
    const [head, tail] = duet.b.parts!;
    return { ...duet, b: { ...duet.b, parts: [{ ...head, cpu_ns: head.cpu_ns * (1 + share) }, tail] } };
  };
  const isCold = (duet: DuetRecord) => duet.a.cell.runtime === "node" && duet.b.cell.runtime === "deno";
  const told = (share: (round: number) => number) =>
    publish(
      run,
      lines.map((line) => line.schema === "levelfield.duet/2" && isCold(line) ? dearer(line, share(line.round)) : line),
    ).summary;
  const warming = told((round) => 0.06 + 0.005 * round);
  for (const { a, b, shift, steadiness } of warming.duets) {
    const cold = a.includes("/node/") && b.includes("/deno/");
    assert.equal(steadiness, cold ? "moving" : "flat", `${a} ${b}`);
    if (cold) assert.ok(-0.09 < shift! && shift! < -0.05, String(shift));
  }
  const verdicts = warming.families.filter((family) => family.purpose === "runtimes")
    .flatMap((family) => family.verdicts);
  for (const verdict of verdicts) {
    const cold = verdict.a.includes("/node/") && verdict.b.includes("/deno/");
    assert.equal(verdict.verdict === "no-verdict", cold, JSON.stringify(verdict));
    if (verdict.verdict === "no-verdict") assert.match(verdict.reasons.join(), /deno.* grew cheaper .* by [5-9]\.\d %/);
  }
  // As large in single rounds, but as often the other way round: noise.
  const noisy = told((round) => (round % 2 === 0 ? 0.1 : -0.1) + 0.001 * round);
  assert.ok(noisy.duets.every(({ steadiness }) => steadiness === "flat"));
});

test("a run a tenth slower is proven slower where drift allows it, and the same run is not", () => {
  const before = whole(small);
  const after = whole({ ...small, run: "later", speed: 0.8 });
  const slower = compareRuns(before, after);
  assert.equal(slower.paired, false);
  assert.ok(slower.cells.length === 12 && slower.delta !== null);
  const proven = slower.cells.filter(({ verdict }) => verdict.verdict === "faster" && verdict.winner === "a");
  assert.ok(proven.length >= 10, `${proven.length} of 12`);
  const again = compareRuns(before, whole({ ...small, run: "later" }));
  assert.ok(again.cells.every(({ verdict }) => verdict.verdict !== "faster"), JSON.stringify(again.cells[0]));
});

test("cells the generator limited are not judged across runs either", () => {
  const before = whole(small);
  const { run, lines } = makeFixture({ ...small, run: "later", speed: 0.8 });
  const bound = lines.map((line): JournalLine => isTrial(line) ? { ...line as TrialRecord, bound: "generator" } : line);
  const after = { run, lines: bound, summary: publish(run, bound).summary, label: MAIN };
  for (const { verdict } of compareRuns(before, after).cells) assert.equal(verdict.verdict, "no-verdict");
});

test("when the ceiling moved between two runs, differences that small are not believed", () => {
  const before = whole(small);
  const { run, lines } = makeFixture({ ...small, run: "later", speed: 0.9 });
  const moved = lines.map((line): JournalLine =>
    line.schema === "levelfield.ceiling/1" ? { ...line, requests_per_second: line.requests_per_second! * 0.85 } : line
  );
  const after = { run, lines: moved, summary: publish(run, moved).summary, label: MAIN };
  const { delta, cells } = compareRuns(before, after);
  assert.ok(delta! > 0.15, `${delta}`);
  assert.ok(cells.every(({ verdict }) => verdict.verdict !== "faster"));
});

test("the shape of a run as made up holds, and a store that falls is found", () => {
  const { lines, summary } = whole();
  const checks = shapeOf(lines, summary);
  const failed = checks.filter((check) => check.holds === "no");
  assert.deepEqual(failed, []);
  assert.ok(checks.some((check) => check.name.includes("linear falls tenfold") && check.holds === "yes"));
  const { run, lines: made } = makeFixture();
  const fallen = made.map((line): JournalLine => {
    if (line.schema !== "levelfield.trial/1" || line.cell.store !== "sqlite" || line.cell.size !== 1_000_000) {
      return line;
    }
    return { ...line, load: { ...line.load!, requests_per_second: line.load!.requests_per_second / 10 } };
  });
  const found = shapeOf(fallen, publish(run, fallen).summary).filter((check) => check.holds === "no");
  assert.ok(found.some((check) => check.name === "node/sqlite stays flat"), JSON.stringify(found));
  assert.ok(found.some((check) => check.name.startsWith("node: map and sqlite")), JSON.stringify(found));
});

test("a run repeated is reproduced; with runtimes turned round it is not, and says so in one sentence", () => {
  const published = whole(small);
  const repeated = reproductionOf(published, whole({ ...small, run: "again" }));
  assert.equal(repeated.reproduced, true, repeated.sentence);
  assert.match(repeated.sentence, /^Reproduced: of \d+ comparisons \d+ within each other's intervals/);
  const { run, lines } = makeFixture({ ...small, run: "other" });
  const swap = (name: string) => name === "node" ? "bun" : name === "bun" ? "node" : name;
  const turned = lines.map((line): JournalLine => {
    if (line.schema === "levelfield.ceiling/1") return line;
    if (line.schema === "levelfield.trial/1") {
      return { ...line, cell: { ...line.cell, runtime: swap(line.cell.runtime) } };
    }
    const side = (one: typeof line.a) => ({ ...one, cell: { ...one.cell, runtime: swap(one.cell.runtime) } });
    return { ...line, a: side(line.a), b: side(line.b) };
  });
  const other = { run, lines: turned, published: publish(run, turned) };
  const not = reproductionOf(published, other);
  assert.equal(not.reproduced, false, not.sentence);
  assert.ok(not.verdicts.some((verdict) => verdict.outcome === "opposite"), not.sentence);
});

test("what changed since a run began is named, and the wording of a note is no change", () => {
  const { run } = makeFixture(small);
  assert.deepEqual(changesSince(run, structuredClone(run)), []);
  assert.deepEqual(changesSince(run, { ...run, placement: { ...run.placement, note: "otherwise" } }), []);
  const other = structuredClone(run);
  other.runtimes[0]!.version = "99.0.0";
  other.levelfield.source_sha256 = "0".repeat(64);
  const changes = changesSince(run, other);
  assert.equal(changes.length, 2);
  assert.ok(
    changes.some((change) => change.includes("the code")) && changes.some((change) => change.includes("99.0.0")),
  );
});

test("windows that grow faster to their end are called warming up, over several rounds only", () => {
  const trial = makeFixture(small).lines.find(isTrial) as TrialRecord;
  const with100ms = (slots: number[]) => ({ ...trial, load: { ...trial.load!, sent_per_100ms: slots } });
  const rising = with100ms([...Array(10).fill(5_000), ...Array(10).fill(5_500), ...Array(11).fill(6_000)]);
  const flat = with100ms(Array(31).fill(6_000));
  assert.equal(steadinessOf([rising, rising, rising]), "warming-up");
  assert.equal(steadinessOf([flat, rising, flat]), "flat");
  assert.equal(steadinessOf([rising, rising]), "unknown");
  assert.equal(steadinessOf([with100ms([10, 20]), with100ms([]), with100ms([10])]), "unknown");
  const stolen = { ...trial, counters: { ...trial.counters!, steal_share: 0.02, foreign_share: 0.05 } };
  const codes = flagsOf([stolen, stolen, stolen], trial.load!.requests_per_second).map((flag) => flag.code);
  for (const code of ["near-ceiling", "steal", "foreign-cpu"]) assert.ok(codes.includes(code as never), codes.join());
});

test("duets pair the runtimes within a store and size and leave out scans of large data sets", () => {
  const cells = matrix({
    suite: "users",
    workload: "read",
    runtimes: ["node", "deno", "bun"],
    stores: ["linear", "map"],
    sizes: [10_000, 1_000_000],
  });
  const subjects = cells.map((cell) => ({ cell, label: "mine" }));
  const aa = aaCellOf(cells);
  assert.notEqual(aa.store, "linear");
  const duets = duetsOf(subjects, ["runtimes"], aa);
  assert.deepEqual([duets[0]!.purpose, duets[0]!.a.label], ["aa", "mine"]);
  assert.equal(duets.filter((pair) => pair.purpose === "runtimes").length, 3 * 3);
  assert.ok(duets.every(({ a }) => a.cell.store !== "linear" || a.cell.size === 10_000));
  assert.deepEqual(everyTwo([1, 2, 3]), [[1, 2], [1, 3], [2, 3]]);
});
