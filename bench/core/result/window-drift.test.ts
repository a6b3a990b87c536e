import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpTable } from "../../../tests/fixtures/made-up-table.ts";
import { normal } from "../../../tests/fixtures/simulation.ts";
import { createRandom } from "../random.ts";
import { changeInside, driftObjection, driftsOf } from "./window-drift.ts";

/** Rounds in which each server's cost changes inside the window by a factor, and all of them by a common one besides. */
const rounds = (later: readonly number[], common: readonly number[] = [1, 1.02, 0.99, 1.01], machine = 1) =>
  madeUpTable(common.map((all, round) =>
    later.map((own, n) => ({
      together: machine * (20_000 + 7_000 * n),
      later: own * all * (1 + 0.002 * ((round + n) % 3 - 1)),
    }))
  ));
const kinds = (table: ReturnType<typeof rounds>) => driftsOf(table).map(({ flatness }) => flatness.kind);

test("a cost's change inside the window is what came after its first third over what came before", () => {
  const [member] = madeUpTable([[{ together: 20_000, later: 0.9 }]]).rounds[0]!.members;
  assert.ok(Math.abs(changeInside(member!)! - Math.log(0.9)) < 1e-9);
  assert.equal(changeInside({ parts: null }), null);
  const few = madeUpTable([[{ together: 20_000, requests: 3 * 1_279 }]]).rounds[0]!.members[0]!;
  assert.equal(changeInside(few), null, "so few requests say nothing");
});

test("what slows the core inside a window is nobody's drift", () => {
  assert.deepEqual(kinds(rounds([1, 1, 1], [0.7, 1.4, 0.8, 1.2])), ["flat", "flat", "flat"]);
  assert.equal(driftObjection(rounds([1, 1], [0.7, 1.4, 0.8, 1.2]), "a", "b"), null);
});

test("a server that still grew cheaper is told with its whole change, in whatever company", () => {
  for (const company of [1, 2, 11]) {
    const [cold, ...others] = driftsOf(rounds([0.9, ...Array(company).fill(1)]));
    assert.equal(cold!.flatness.kind, "moving");
    // Of two, each is all the other is held against.
    const expected = Math.log(0.9);
    assert.ok(Math.abs(Math.log1p(cold!.flatness.change!) - expected) < 0.01, String(cold!.flatness.change));
    if (company === 11) assert.ok(others.every(({ flatness }) => flatness.kind === "flat"));
  }
});

test("one cold server is judged against none, and the others against each other all the same", () => {
  const table = rounds([0.9, 1, 1]);
  for (const other of ["b", "c"]) {
    for (const [x, y] of [["a", other], [other, "a"]] as const) {
      assert.match(
        driftObjection(table, x, y)!,
        /^a still grew cheaper against [bc] by (9\.[5-9]|10\.[0-5]) % inside the window$/,
      );
    }
  }
  assert.equal(driftObjection(table, "b", "c"), null);
});

test("noise that goes either way, and too few rounds, are no drift", () => {
  const noisy = madeUpTable([0.9, 1.1, 0.92, 1.08].map((later) => [{ together: 20_000, later }, { together: 9_000 }]));
  assert.equal(driftObjection(noisy, "a", "b"), null);
  assert.deepEqual(kinds(noisy), ["unknown", "unknown"]);
  const two = rounds([0.8, 1], [1, 1]);
  assert.deepEqual(kinds(two), ["unknown", "unknown"]);
  assert.equal(driftObjection(two, "a", "b"), null);
  assert.deepEqual(driftsOf(rounds([0.5])).map(({ rounds }) => rounds), [0], "one alone is held against nothing");
});

test("a machine of half or twice the speed drifts the same", () => {
  const told = [0.5, 1, 2].map((machine) => driftObjection(rounds([0.95, 1, 1], undefined, machine), "a", "b"));
  assert.ok(told[0] !== null && new Set(told).size === 1, told.join());
});

/** How often pairs of sixteen servers are called cold, in so many runs: those with the first one, and all others. */
function calledCold(scene: { rounds: number; sd: (server: number) => number; cold?: number }, runs: number) {
  const random = createRandom(20);
  const names = [...Array(16).keys()].map((n) => String.fromCharCode(97 + n));
  const called = { first: 0, others: 0 }, all = { first: 0, others: 0 };
  for (let run = 0; run < runs; run++) {
    const table = madeUpTable(Array.from({ length: scene.rounds }, () => {
      const common = 0.1 * normal(random);
      return names.map((_, n) => ({
        together: 20_000,
        later: (n === 0 ? scene.cold ?? 1 : 1) * Math.exp(common + scene.sd(n) * normal(random)),
      }));
    }));
    names.forEach((a, x) =>
      names.slice(x + 1).forEach((b) => {
        const whose = x === 0 ? "first" : "others";
        all[whose]++;
        if (driftObjection(table, a, b) !== null) called[whose]++;
      })
    );
  }
  return { first: called.first / all.first, others: called.others / all.others };
}

test("of warm servers about one pair in a hundred is called cold, no more, however their windows vary", () => {
  for (const rounds of [4, 14]) {
    for (const sd of [() => 0.03, () => 0.1, (n: number) => 0.03 + 0.005 * n]) {
      const { others } = calledCold({ rounds, sd }, 100);
      assert.ok(others <= 0.015, `${rounds} rounds, ${sd}: ${others}`);
    }
  }
});

test("a server whose cost falls by a tenth inside windows as they vary here is found, and does not bar the others", () => {
  for (const [rounds, sd, least] of [[14, 0.05, 0.95], [4, 0.02, 0.95]] as const) {
    const { first, others } = calledCold({ rounds, sd: () => sd, cold: 0.9 }, 40);
    assert.ok(first >= least, `${rounds} rounds: found in ${first}`);
    assert.ok(others <= 0.015, `${rounds} rounds: ${others}`);
  }
});
