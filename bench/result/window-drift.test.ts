import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpTable } from "../../tests/fixtures/made-up-table.ts";
import { normal } from "../../tests/fixtures/simulation.ts";
import { everyTwo } from "../plan/families.ts";
import { createRandom } from "../basics/random.ts";
import { changeInside, driftDoubt, driftsOf } from "./window-drift.ts";

/** Rounds in which each server's cost changes inside the window by a factor, and all of them by a common one besides. */
const rounds = (later: readonly number[], common: readonly number[] = [1, 1.02, 0.99, 1.01], machine = 1) =>
  madeUpTable(common.map((all, round) =>
    later.map((factor, n) => ({
      together: machine * (20_000 + 7_000 * n),
      later: factor * all * (1 + 0.002 * ((round + n) % 3 - 1)),
    }))
  ));
const kinds = (table: ReturnType<typeof rounds>) => driftsOf(table).map(({ steadiness }) => steadiness);

test("a cost's change inside the window is what came after its first third over what came before", () => {
  const [member] = madeUpTable([[{ together: 20_000, later: 0.9 }]]).rounds[0]!.members;
  assert.ok(Math.abs(changeInside(member!)! - Math.log(0.9)) < 1e-9);
  assert.equal(changeInside({ parts: null }), null);
  const few = madeUpTable([[{ together: 20_000, requests: 3 * 1_279 }]]).rounds[0]!.members[0]!;
  assert.equal(changeInside(few), null, "so few requests say nothing");
});

test("what slows the core inside a window is nobody's drift", () => {
  assert.deepEqual(kinds(rounds([1, 1, 1], [0.7, 1.4, 0.8, 1.2])), ["flat", "flat", "flat"]);
  assert.equal(driftDoubt(rounds([1, 1], [0.7, 1.4, 0.8, 1.2]), "a", "b"), null);
});

test("a server that still grew cheaper is told with its whole change, in whatever company", () => {
  for (const company of [1, 2, 11]) {
    const [cold, ...others] = driftsOf(rounds([0.9, ...Array(company).fill(1)]));
    assert.equal(cold!.steadiness, "moving");
    // Of two, each is all the other is held against.
    const expected = Math.log(0.9);
    assert.ok(Math.abs(Math.log1p(cold!.change!) - expected) < 0.01, String(cold!.change));
    if (company === 11) assert.ok(others.every(({ steadiness }) => steadiness === "flat"));
  }
});

test("some that are cold do not make the others look dearer", () => {
  const drifts = driftsOf(rounds([...Array(5).fill(0.8), ...Array(11).fill(1)]));
  assert.deepEqual(drifts.map(({ steadiness }) => steadiness), [...Array(5).fill("moving"), ...Array(11).fill("flat")]);
});

test("one cold server is judged against none, and the others against each other all the same", () => {
  const table = rounds([0.9, 1, 1]);
  for (const other of ["b", "c"]) {
    for (const [x, y] of [["a", other], [other, "a"]] as const) {
      assert.match(
        driftDoubt(table, x, y)!.mark.text,
        /^a still grew cheaper against [bc] by (9\.[5-9]|10\.[0-5]) % inside the window$/,
      );
    }
  }
  assert.equal(driftDoubt(table, "b", "c"), null);
});

test("a doubt reaches as far as the change may have gone, whichever way", () => {
  const table = rounds([0.9, 1, 1]);
  for (const [x, y] of [["a", "b"], ["b", "a"]] as const) {
    const { most } = driftDoubt(table, x, y)!;
    assert.ok(most > 1 / 0.9 - 1 && most < 0.13, String(most));
  }
});

test("noise that goes either way, and too few rounds, are no drift", () => {
  const noisy = madeUpTable([0.9, 1.1, 0.92, 1.08].map((later) => [{ together: 20_000, later }, { together: 9_000 }]));
  assert.equal(driftDoubt(noisy, "a", "b"), null);
  assert.deepEqual(kinds(noisy), ["unknown", "unknown"]);
  const two = rounds([0.8, 1], [1, 1]);
  assert.deepEqual(kinds(two), ["unknown", "unknown"]);
  assert.equal(driftDoubt(two, "a", "b"), null);
  assert.deepEqual(driftsOf(rounds([0.5])).map(({ rounds }) => rounds), [0], "one alone is held against nothing");
});

test("a machine of half or twice the speed drifts the same", () => {
  const told = [0.5, 1, 2].map((machine) =>
    driftDoubt(rounds([0.95, 1, 1], undefined, machine), "a", "b")?.mark.text ?? null
  );
  assert.deepEqual(told, Array(3).fill("a still grew cheaper against b by 5.0 % inside the window"));
});

test("of pairs of sixteen warm servers few are withheld for nothing, and cold servers are found as ever (simulated)", () => {
  const random = createRandom(5);
  /** Shares of the cold servers' pairs and of the others that are withheld: `cold` of 16 fall by a share in each window. */
  const withheld = (rounds: number, spread: number, cold: number, fall: number) => {
    const counts = { cold: [0, 0], warm: [0, 0] };
    for (let run = 0; run < 12; run++) {
      const table = madeUpTable(
        Array.from({ length: rounds }, () =>
          Array.from({ length: 16 }, (_, n) => ({
            together: 20_000,
            later: Math.exp(spread * normal(random)) * (n < cold ? 1 - fall : 1),
          }))),
      );
      for (const [a, b] of everyTwo([...table.members.keys()])) {
        const tally = a < cold === b < cold ? counts.warm : counts.cold;
        tally[1]!++;
        const names = table.members;
        if (driftDoubt(table, names[a]!, names[b]!) !== null) tally[0]!++;
      }
    }
    return { cold: counts.cold[0]! / counts.cold[1]!, warm: counts.warm[0]! / counts.warm[1]! };
  };
  // Larger simulations: 2 to 3 % of warm pairs, where the pair by itself would have been withheld in 10 %.
  for (const rounds of [4, 14]) {
    const { warm } = withheld(rounds, 0.08, 0, 0);
    assert.ok(warm < 0.05, `${warm} of pairs of warm servers after ${rounds} rounds`);
  }
  // 87 % with one cold server and 86 % with five; 92 and 87 %.
  for (const [rounds, fall, least] of [[4, 0.2, 0.75], [14, 0.1, 0.75]] as const) {
    for (const cold of [1, 5]) {
      const found = withheld(rounds, 0.08, cold, fall);
      assert.ok(found.cold > least, `${found.cold} of the pairs of ${cold} that fall by ${fall}, ${rounds} rounds`);
      assert.ok(found.warm < 0.15, `${found.warm} of the pairs beside them`);
    }
  }
});
