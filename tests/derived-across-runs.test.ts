/** What is derived from several runs: comparisons, reproduction and what changed, on made-up runs of two suites. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pointKey } from "../bench/record/cell.ts";
import type { Cell } from "../bench/record/cell-schema.ts";
import { compareRuns } from "../bench/result/compare-runs.ts";
import { reproductionOf } from "../bench/result/reproduction.ts";
import { changesSince } from "../bench/result/run-changes.ts";
import { makeFixture, makeOddFixture, ODD } from "./fixtures/made-up-run.ts";
import { changed, small, wholeRun } from "./fixtures/derived-run.ts";

test("runs of other plans are compared point by point, whatever each calls its cells", () => {
  const before = wholeRun(makeFixture(small));
  const { run, lines } = makeFixture({ ...small, run: "later", sizes: [10_000] });
  const axes = run.plan.axes.map((axis) => axis.name === "size" ? { ...axis, shown: false } : axis);
  const after = wholeRun({ run: { ...run, plan: { ...run.plan, axes } }, lines });
  const { cells, onlyOver, onlyUnder, environment } = compareRuns(before, after);
  assert.deepEqual(cells.map(({ cell }) => cell).sort(), [
    "bun/map/10k",
    "bun/sqlite/10k",
    "deno/map/10k",
    "deno/sqlite/10k",
    "node/map/10k",
    "node/sqlite/10k",
  ]);
  assert.ok(cells.every(({ point, comparison }) => point.at["size"] === 10_000 && !comparison.over.includes("10k")));
  assert.deepEqual([onlyUnder.length, onlyOver], [6, []]);
  assert.deepEqual(environment, ['plan: Size: "10k, 1m" -> "10k"']);
});

test("two labels of one run are held against each other by their families, either way round", () => {
  const { run, lines } = makeFixture({ ...small, runtimes: ["node"], stores: ["map"], sizes: [10_000, 20_000] });
  // What differed in size is made one point under two labels.
  const relabel = ({ point, label }: Cell): Cell => ({
    point: { ...point, at: { ...point.at, size: 10_000 } },
    label: point.at["size"] === 20_000 ? "abc/def" : label,
  });
  const { plan } = run;
  const cells = plan.cells.map(relabel);
  const labelled = {
    run: {
      ...run,
      plan: {
        ...plan,
        cells,
        ensembles: [...plan.ensembles, { purpose: "matrix" as const, cells: [0, 1], rounds: 6 }],
      },
    },
    lines: lines.map((line) => ({
      ...line,
      members: line.members.map((member) => ({ ...member, cell: relabel(member.cell) })),
    })),
  };
  const { summary } = wholeRun(labelled);
  const [family] = summary.families;
  assert.deepEqual([summary.families.length, family!.kind, family!.title], [1, "label", "node, map, 10k users"]);
  const there = compareRuns(wholeRun(labelled), wholeRun(labelled, "abc/def"));
  const back = compareRuns(wholeRun(labelled, "abc/def"), wholeRun(labelled));
  assert.ok(there.paired && there.cells.length === 1 && back.cells.length === 1);
  const [x, y] = [there.cells[0]!, back.cells[0]!];
  assert.deepEqual([x.cell, y.cell, pointKey(x.point)], ["node/map/10k", "node/map/10k", pointKey(y.point)]);
  assert.deepEqual([x.over, x.under], [y.under, y.over]);
  assert.ok(x.over !== null && x.under !== null && x.comparison.over === y.comparison.under);
});

test("a run repeated is reproduced; with one axis turned round it is not, and says so in one sentence", () => {
  const turns = [[makeFixture, "runtime", "node", "bun"], [makeOddFixture, ODD.page, 1, 10]] as const;
  for (const [make, axis, one, other] of turns) {
    const published = wholeRun(make(small));
    const repeated = reproductionOf(published, wholeRun(make({ ...small, run: "again" })));
    assert.equal(repeated.reproduced, true, repeated.sentence);
    assert.match(repeated.sentence, /^Reproduced: of \d+ comparisons \d+ within each other's intervals/);
    const turned = changed(make({ ...small, run: "other" }), (line) => {
      for (const { cell } of line.members) {
        const { at } = cell.point;
        if (line.kind !== "ceiling") at[axis] = at[axis] === one ? other : at[axis] === other ? one : at[axis]!;
      }
      return line;
    });
    const not = reproductionOf(published, wholeRun(turned));
    assert.equal(not.reproduced, false, not.sentence);
    const found = axis === "runtime"
      ? not.comparisons.some(({ outcome }) => outcome === "opposite")
      : not.shapes.length > 0;
    assert.ok(found, not.sentence);
  }
});

test("what changed since a run began is named, and the wording of a note is no change", () => {
  const { run } = makeFixture(small);
  assert.deepEqual(changesSince(run, structuredClone(run)), []);
  assert.deepEqual(changesSince(run, { ...run, placement: { ...run.placement, note: "otherwise" } }), []);
  const other = structuredClone(run);
  other.runtimes[0]!.version = "99.0.0";
  other.levelfield.source_sha256 = "0".repeat(64);
  other.generator_threads = 2;
  const changes = changesSince(run, other);
  assert.equal(changes.length, 3, changes.join("; "));
  for (const part of ["the code", "99.0.0", "generator_threads"]) {
    assert.ok(changes.some((change) => change.includes(part)), `${part}: ${changes.join("; ")}`);
  }
});
